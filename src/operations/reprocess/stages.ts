import { articlesAnalyzed, articlesScored } from '../../events/articles.ts'
import { storiesEnriched } from '../../events/discourse.ts'
import type { Envelope } from '../../events/envelope.ts'
import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { storiesTransitioned } from '../../events/lifecycle.ts'
import type { Topic } from '../../events/topic.ts'
import { storiesMatched } from '../../events/monitors.ts'
import { trendsDetected } from '../../events/trends.ts'
import { pipeline } from '../../pipeline.ts'
import { deadTopic } from '../../runtime/dead-letter.ts'

/** The stages that can be reprocessed, and their output topics. */
export const OUTPUTS = {
  scored: articlesScored,
  analyzed: articlesAnalyzed,
  clustered: articlesClustered,
  enriched: storiesEnriched,
  linked: storiesLinked,
  transitioned: storiesTransitioned,
  detected: trendsDetected,
  matched: storiesMatched,
} as const satisfies Record<string, Topic<never>>

export type StageName = keyof typeof OUTPUTS

/** A stage and its topics. */
export interface Reprocessed {
  readonly name: StageName
  readonly output: Topic<Envelope>
  readonly reads: readonly string[]
  /** Its changelog; `null` if it has no state. */
  readonly changelog: string | null
  /** The changelog, and the table if it has one. */
  readonly state: readonly string[]
  /** Every topic it may write. */
  readonly writes: readonly string[]
}

/** Every other stage, with the reason why it cannot be reprocessed. */
const WHY_NOT = {
  changed: 'changes that were sent to followers cannot be sent again',
  delivered: 'deliveries cannot be repeated',
} as const satisfies Record<Exclude<keyof typeof pipeline.stages, StageName>, string>

/** Throws if the stage cannot be reprocessed. */
export function reprocessed(name: string): Reprocessed {
  const names = Object.keys(OUTPUTS)
  if (!isStage(name)) {
    const why = new Map<string, string>(Object.entries(WHY_NOT)).get(name) ?? 'unknown stage'
    throw new Error(`${name} cannot be reprocessed: ${why}. Use one of ${names.join(', ')}`)
  }
  const line = pipeline.stages[name]
  const { state } = line
  return {
    name,
    output: OUTPUTS[name],
    reads: line.reads,
    changelog: state[0] ?? null,
    state,
    writes: [line.writes, ...state, ...line.reads.map(deadTopic)],
  }
}

const isStage = (name: string): name is StageName => name in OUTPUTS
