import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { viewGroup } from '../../ports/log.ts'
import { graph } from '../../views/graph/project.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { graphAsOf } from '../http/complete-up-to.ts'
import { timestamp } from '../http/parameters.ts'

const READERS = [
  { group: 'linked', topic: articlesClustered.name },
  { group: viewGroup(graph.name), topic: storiesLinked.name },
]

export const graph_as_of = timestamp.describe(
  'The response includes every story and change received by this time; at most `as_of`.',
)

/** Up to when an answer about stories that is asked for as of a moment is complete: `2018-12-31T00:00:00.000Z`. */
export function completeUpTo(dependencies: Dependencies): (as_of: number) => Promise<string> {
  const shown = graphAsOf(READERS, dependencies)
  return async (as_of) => new Date(Math.min(as_of, await shown())).toISOString()
}
