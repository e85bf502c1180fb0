import type { FeedChanged } from '../../events/sources.ts'

export const FEED_STATES = ['waiting', 'ok', 'failing', 'paused', 'gone'] as const

export type WatchedFeedState = (typeof FEED_STATES)[number]

/** What the view has of the polls of a feed and of its pages. */
export interface FeedPolls {
  /** The last poll; `null` before it. */
  readonly polled_at: string | null
  /** Failed polls since the last success. */
  readonly failures: number
  readonly full_texts: number
  readonly feed_texts: number
  readonly without_text: number
}

type Watched = Pick<FeedChanged, 'status' | 'full_text'>

/** `waiting`: not polled yet. `failing`: the last poll failed. `polls`: `undefined` if the feed was never polled. */
export function feedState({ status }: Watched, polls: FeedPolls | undefined): WatchedFeedState {
  if (status !== 'active') return status
  if (polls?.polled_at == null) return 'waiting'
  return polls.failures > 0 ? 'failing' : 'ok'
}

/** Fewer items may fail by chance. */
const LEAST_ITEMS = 3

/** Whether the pages of a feed are read and no recent one gave the text of an article. */
export function lacksFullText({ status, full_text }: Watched, polls: FeedPolls | undefined): boolean {
  if (status !== 'active' || !full_text || polls === undefined || polls.full_texts > 0) return false
  return polls.feed_texts + polls.without_text >= LEAST_ITEMS
}
