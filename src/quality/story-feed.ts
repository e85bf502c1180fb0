import { DAY_MS } from '../domain/days.ts'
import type { ChangePublished } from '../events/changes.ts'
import { articlesClustered, type ArticleClustered } from '../events/ledger.ts'
import type { MemoryStage } from '../runtime/shapes.ts'
import { rate, type Rate } from './story-rates.ts'
import type { LedgerLine } from './story-replay.ts'

export type FeedStage<State, Remembered> = Pick<
  MemoryStage<State, ArticleClustered, ChangePublished, Remembered>,
  'decide' | 'memory'
>

/** What a follower of stories gets: a `cluster.*` event, when, and what the ledger says of it. */
export interface ReplayedEvent extends LedgerLine {
  readonly change: ChangePublished
}

/** Runs the stage that writes the feed over a whole ledger. */
export function storyFeed<State, Remembered>(
  stage: FeedStage<State, Remembered>,
  { ledger, arrival }: { readonly ledger: readonly LedgerLine[]; readonly arrival: number },
): ReplayedEvent[] {
  let state = stage.memory.empty()
  const feed: ReplayedEvent[] = []
  for (const [offset, line] of ledger.entries()) {
    const topic = articlesClustered.name
    const input = { event: line.event, topic, place: { topic, partition: 0, offset }, loggedAt: arrival }
    const decided = stage.decide(state, input)
    for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
    const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
    if (outcome.kind === 'emit') feed.push(...outcome.events.map((change) => ({ ...line, change })))
  }
  return feed
}

/** Whether an endpoint whose filter is `membership: settled` gets an event. */
const isOfSettledStory = ({ change }: ReplayedEvent): boolean => change.membership === 'settled'

const isOfCertainStory = ({ change }: ReplayedEvent): boolean => (change.assignment_confidence ?? 0) >= 0.9

const articlesOf = ({ event }: ReplayedEvent): readonly string[] =>
  event.change === null ? [event.article_id] : event.change.article_ids

/**
 * The events that a later one contradicts within 24 hours: it moves, merges or splits off one of the articles from the story
 * in which the first reported it.
 */
export function contradicted(feed: readonly ReplayedEvent[]): Set<ReplayedEvent> {
  const found = new Set<ReplayedEvent>()
  const reported = new Map<string, ReplayedEvent[]>()
  for (const one of feed) {
    for (const article of articlesOf(one)) {
      const recent = (reported.get(article) ?? []).filter(({ at }) => one.at - at <= DAY_MS)
      recent.filter((earlier) => takesFrom(one, earlier)).forEach((earlier) => found.add(earlier))
      reported.set(article, [...recent, one])
    }
  }
  return found
}

/** Whether it takes articles out of the story in which an earlier event reported them. */
const takesFrom = ({ event: { change } }: ReplayedEvent, { event: { cluster_id } }: ReplayedEvent): boolean =>
  change !== null && change.from_cluster_id === cluster_id

export interface Contradictions {
  /** Of the whole feed. */
  readonly all: Rate
  /** Of what an endpoint with `membership: settled` gets. */
  readonly settled: Rate
  /** Of what an endpoint with `min_assignment_confidence: 0.9` gets. */
  readonly certain: Rate
}

/** The share of story events that are contradicted. */
export function contradictions(feed: readonly ReplayedEvent[]): Contradictions {
  const found = contradicted(feed)
  return {
    all: rate(feed, (one) => found.has(one)),
    settled: rate(feed.filter(isOfSettledStory), (one) => found.has(one)),
    certain: rate(feed.filter(isOfCertainStory), (one) => found.has(one)),
  }
}
