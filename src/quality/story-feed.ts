import { DAY_MS } from '../domain/days.ts'
import type { ChangePublished } from '../events/changes.ts'
import type { ChangedStage } from '../stages/changed/stage.ts'
import { memoryStageRun } from './memory-stage-run.ts'
import { rate } from './story-rates.ts'
import { articlesOf, ledgerInput, type LedgerLine } from './story-replay.ts'

/** An event of the change feed, with the ledger event that it is derived from and its time. */
interface ReplayedEvent extends LedgerLine {
  readonly change: ChangePublished
}

/** Runs the stage that writes the change feed over a whole ledger. */
export function storyFeed(stage: ChangedStage, ledger: readonly LedgerLine[], arrival: number): ReplayedEvent[] {
  const decide = memoryStageRun(stage)
  return ledger.flatMap((line, offset) =>
    decide(ledgerInput(line, offset, arrival)).map((change) => ({ ...line, change })),
  )
}

const isOfSettledStory = ({ change }: ReplayedEvent): boolean => change.membership === 'settled'

const isOfCertainStory = ({ change }: ReplayedEvent): boolean => (change.assignment_confidence ?? 0) >= 0.9

/**
 * The events that a later event contradicts within 24 hours: it moves, merges or splits one of the articles out of the
 * story in which the earlier event reported it.
 */
function contradicted(feed: readonly ReplayedEvent[]): Set<ReplayedEvent> {
  const found = new Set<ReplayedEvent>()
  const reported = new Map<string, ReplayedEvent[]>()
  for (const one of feed) {
    for (const article of articlesOf(one.event)) {
      const recent = (reported.get(article) ?? []).filter(({ at }) => one.at - at <= DAY_MS)
      recent.filter((earlier) => takesFrom(one, earlier)).forEach((earlier) => found.add(earlier))
      reported.set(article, [...recent, one])
    }
  }
  return found
}

/** Whether the first event takes articles out of the story in which the second reported them. */
const takesFrom = ({ event: { change } }: ReplayedEvent, { event: { cluster_id } }: ReplayedEvent): boolean =>
  change !== null && change.from_cluster_id === cluster_id

/** The share of story events that are contradicted. */
export function contradictions(feed: readonly ReplayedEvent[]) {
  const found = contradicted(feed)
  return {
    all: rate(feed, (one) => found.has(one)),
    /** Of the events delivered to an endpoint with `membership: settled`. */
    settled: rate(feed.filter(isOfSettledStory), (one) => found.has(one)),
    /** Of the events delivered to an endpoint with `min_assignment_confidence: 0.9`. */
    certain: rate(feed.filter(isOfCertainStory), (one) => found.has(one)),
  }
}
