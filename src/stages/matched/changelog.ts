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
  /** Monitors whose query its text matches: their numbers, ascending. */
  readonly text_hits: readonly number[]
  /** Monitors whose conditions on articles it meets: their numbers, ascending. */
  readonly hits: readonly number[]
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
  /** Monitors that it matched: their numbers, ascending. */
  readonly published: readonly number[]
  /**
   * When its last article moved to another story, in log time; `null` while it has articles. What it matched is kept for
   * a while, because articles may move back.
   */
  readonly emptied_at: number | null
}

/** A monitor as the stage needs it: without channels. */
export interface MatchedMonitorRecord extends Pick<
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
> {
  /** Identifies the monitor and this version of its conditions: the offset of their first record. */
  readonly number: number
  /** A paused monitor is kept, so that it does not match the same stories again when it is resumed. */
  readonly active: boolean
}

/** How many messages of a monitor were sent today, and since when matches are held back. */
export interface MatchedPaceRecord extends MonitorPace {
  readonly monitor_id: string
}

/** A match that is held back. */
export interface MatchedHeldRecord {
  readonly monitor_id: string
  /** Log time, milliseconds since 1970. */
  readonly held_at: number
  readonly story: MatchedStory
}

/** One record of `matched.memory`. Exactly one of the five is set. */
export interface MatchedRecord {
  readonly namespace: string
  readonly article: MatchedArticleRecord | null
  readonly story: MatchedStoryRecord | null
  readonly monitor: MatchedMonitorRecord | null
  readonly pace: MatchedPaceRecord | null
  readonly held: MatchedHeldRecord | null
}
export type MatchedUpdate = Entry<MatchedRecord>

export const monitorKey = (namespace: string, id: string): string => `${namespace}:monitor:${id}`
export const paceKey = (namespace: string, id: string): string => `${namespace}:pace:${id}`

export const heldKey = (
  namespace: string,
  { monitor_id, story }: Pick<MatchedHeldRecord, 'monitor_id' | 'story'>,
): string => `${namespace}:held:${monitor_id}:${story.cluster_id}`

export const NONE = { article: null, story: null, monitor: null, pace: null, held: null }

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

export const heldEntry = (namespace: string, held: MatchedHeldRecord): MatchedUpdate => ({
  key: heldKey(namespace, held),
  value: { namespace, ...NONE, held },
})

function keyOf({ namespace, article, story, monitor, pace, held }: MatchedRecord): string {
  if (article !== null) return articleKey(namespace, article.article_id)
  if (story !== null) return storyKey(namespace, story.cluster_id)
  if (monitor !== null) return monitorKey(namespace, monitor.monitor_id)
  return held === null ? paceKey(namespace, pace?.monitor_id ?? '') : heldKey(namespace, held)
}

const boundTimes = ({ article, story, pace, held }: MatchedRecord, bound: TimeBound): Partial<MatchedRecord> => ({
  article: article === null ? null : { ...article, ...timesIn('occurred_at')(article, bound) },
  story: story === null ? null : { ...story, ...timesIn('evaluated_at', 'emptied_at')(story, bound) },
  pace: pace === null ? null : { ...pace, ...timesIn('held_since')(pace, bound) },
  held: held === null ? null : { ...held, ...timesIn('held_at')(held, bound) },
})

export const matchedMemory = topic<MatchedRecord>('matched.memory', keyOf, boundTimes)

export const unmatchedStory = (clusterId: string): MatchedStoryRecord => ({
  cluster_id: clusterId,
  lifecycle_state: null,
  evaluated_at: null,
  published: [],
  emptied_at: null,
})
