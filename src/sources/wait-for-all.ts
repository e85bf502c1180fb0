import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { bar, type Progress } from './progress.ts'
import type { Follow } from './refused-later.ts'
import type { SourceTally } from './tally.ts'
import { waitUntilReadable } from './wait-until-readable.ts'

export interface WaitForAllOptions {
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly progress: Progress
  readonly refusals: Follow
}

const STILL_MS = 30_000

/** Until every content of an import is readable or refused; what a stage refused goes to the tally. */
export async function waitForAll(
  tally: SourceTally,
  namespace: string,
  { store, ...ports }: WaitForAllOptions,
): Promise<void> {
  const refused = await waitUntilReadable(
    { namespace, contents: tally.contents },
    {
      store: await store(),
      clock: ports.clock,
      refusals: ports.refusals,
      onProgress: ({ articles, readable, stillForMs }) => {
        const hint = stillForMs > STILL_MS ? '; no progress: is the service running?' : ''
        ports.progress.update(() => `${bar(readable, articles)}${readable} of ${articles} indexed${hint}`)
      },
    },
  )
  for (const [articleId, reason] of refused) tally.refuseLater({ article_id: articleId, reason })
}
