import { articlesAnalyzed, articlesScored } from '../../events/articles.ts'
import { storiesEnriched } from '../../events/discourse.ts'
import type { Envelope } from '../../events/envelope.ts'
import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { storiesTransitioned } from '../../events/lifecycle.ts'
import type { Topic } from '../../events/topic.ts'
import { trendsDetected } from '../../events/trends.ts'
import { pipeline } from '../../pipeline.ts'
import { deadTopic } from '../../runtime/dead-letter.ts'
import type { StageLine } from '../../runtime/stage-lines.ts'
import type { StageNeeds } from '../../stage-needs.ts'

/** Stages of which a new version can run beside the old one, and what they write. */
export const OUTPUTS = {
  scored: articlesScored,
  analyzed: articlesAnalyzed,
  clustered: articlesClustered,
  enriched: storiesEnriched,
  linked: storiesLinked,
  transitioned: storiesTransitioned,
  detected: trendsDetected,
} as const satisfies Record<string, Topic<never>>

export type StageName = keyof typeof OUTPUTS

/** A stage as a reprocessing knows it. */
export interface Reprocessed {
  readonly name: StageName
  readonly line: StageLine<StageNeeds>
  readonly output: Topic<Envelope>
  /** What it remembers by; null: it has no memory. */
  readonly changelog: string | null
  /** Every topic it may write. */
  readonly writes: readonly string[]
}

const WHY_NOT: Readonly<Record<string, string>> = {
  changed: 'what followers were told is not told again',
  delivered: 'what was delivered is not delivered again',
}

/** Throws a sentence where the stage cannot be reprocessed. */
export function reprocessed(name: string): Reprocessed {
  const names = Object.keys(OUTPUTS)
  if (!isStage(name)) {
    const why = WHY_NOT[name] ?? 'there is no such stage'
    throw new Error(`${name} is not reprocessed: ${why}. Say one of ${names.join(', ')}`)
  }
  const line = pipeline.stages[name]
  const changelog = line.shape === 'stage' ? null : `${name}.memory`
  return {
    name,
    line,
    output: OUTPUTS[name],
    changelog,
    writes: [line.writes, ...(changelog === null ? [] : [changelog]), ...line.reads.map(deadTopic)],
  }
}

const isStage = (name: string): name is StageName => name in OUTPUTS
