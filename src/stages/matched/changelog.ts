import type { LifecycleState } from '../../events/lifecycle.ts'
import type { MatchedStory, MonitorChanged } from '../../events/monitors.ts'
import { timesIn, topic, type TimeBound } from '../../events/topic.ts'
import { articleKey, storyKey, type Entry } from '../../state/entry.ts'
import type { MonitorPace } from '../../domain/monitors/pace.ts'

/** An article: where it belongs, and the monitors whose conditions on articles it meets. */
export interface MatchedArticleRecord {
  readonly article_id: string
  /** Position within its namespace: articles are evicted in this order. */
  readonly arrival: number
  /** `null` until it is in a story. */
  readonly cluster_id: string | null
  /** Event time. */
  readonly occurred_at: number
  /** Orders the arrival of articles in stories: offset in `articles.clustered`; -1 until then. */
  readonly log_order: number
  readonly syndication_group: string
  readonly publisher_family: string | null
  /** The article it quotes or rewrites; `null` if none is known. */
  readonly derived_from: string | null
  readonly sentiment_score: number
  /** Monitors whose query its text matches, as `<monitor id>:<version of its conditions>`. */
  readonly text_hits: readonly string[]
  /** Monitors whose conditions on articles it meets, named alike. */
  readonly hits: readonly string[]
  /** Kept only of an article with hits. */
  readonly title: string | null
  readonly url: string | null
  readonly source: string | null
}

/** What is known of a story besides its articles. */
export interface MatchedStoryRecord {
  readonly cluster_id: string
  readonly lifecycle_state: LifecycleState | null
  /** The point in time for which that state was evaluated, milliseconds since 1970. */
  readonly evaluated_at: number | null
  /** Monitors that it matched, as `<monitor id>:<version of its conditions>`. */
  readonly published: readonly string[]
}

/** A monitor as the stage needs it: without channels. */
export type MatchedMonitorRecord = Pick<
  MonitorChanged,
  | 'monitor_id'
  | 'owner'
  | 'name'
  | 'conditions'
  | 'conditions_version'
  | 'quiet_hours'
  | 'digest_at'
  | 'time_zone'
  | 'max_per_day'
>

/** The messages of a monitor: how many were sent today, and the matches that are held back. */
export interface MatchedPaceRecord extends MonitorPace {
  readonly monitor_id: string
  /** Oldest first, at most `MOST_HELD`. */
  readonly held: readonly MatchedStory[]
}

/** One record of `matched.memory`. Exactly one of the four is set. */
export interface MatchedRecord {
  readonly namespace: string
  readonly article: MatchedArticleRecord | null
  readonly story: MatchedStoryRecord | null
  readonly monitor: MatchedMonitorRecord | null
  readonly pace: MatchedPaceRecord | null
}
export type MatchedUpdate = Entry<MatchedRecord>

export const monitorKey = (namespace: string, id: string): string => `${namespace}:monitor:${id}`
export const paceKey = (namespace: string, id: string): string => `${namespace}:pace:${id}`

const NONE = { article: null, story: null, monitor: null, pace: null }

export const matchedArticleEntry = (namespace: string, article: MatchedArticleRecord): MatchedUpdate => ({
  key: articleKey(namespace, article.article_id),
  value: { namespace, ...NONE, article },
})

export const matchedStoryEntry = (namespace: string, story: MatchedStoryRecord): MatchedUpdate => ({
  key: storyKey(namespace, story.cluster_id),
  value: { namespace, ...NONE, story },
})

export const matchedMonitorEntry = (namespace: string, monitor: MatchedMonitorRecord): MatchedUpdate => ({
  key: monitorKey(namespace, monitor.monitor_id),
  value: { namespace, ...NONE, monitor },
})

export const paceEntry = (namespace: string, pace: MatchedPaceRecord): MatchedUpdate => ({
  key: paceKey(namespace, pace.monitor_id),
  value: { namespace, ...NONE, pace },
})

function keyOf({ namespace, article, story, monitor, pace }: MatchedRecord): string {
  if (article !== null) return articleKey(namespace, article.article_id)
  if (story !== null) return storyKey(namespace, story.cluster_id)
  if (monitor !== null) return monitorKey(namespace, monitor.monitor_id)
  return paceKey(namespace, pace?.monitor_id ?? '')
}

const boundTimes = ({ article, story, pace }: MatchedRecord, bound: TimeBound): Partial<MatchedRecord> => ({
  article: article === null ? null : { ...article, ...timesIn('occurred_at')(article, bound) },
  story: story === null ? null : { ...story, ...timesIn('evaluated_at')(story, bound) },
  pace: pace === null ? null : { ...pace, ...timesIn('held_since')(pace, bound) },
})

export const matchedMemory = topic<MatchedRecord>('matched.memory', keyOf, boundTimes)

export const unmatchedStory = (clusterId: string): MatchedStoryRecord => ({
  cluster_id: clusterId,
  lifecycle_state: null,
  evaluated_at: null,
  published: [],
})
