import { LRUCache } from 'lru-cache'
import { HOUR_MS } from '../../domain/days.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { past, writeCursor } from '../../views/changes/position.ts'

/** A change as clients receive it. Its data is already JSON. */
export const changeJson = ({ id, type, occurred_at, data }: FeedChange): string =>
  `{"id":${JSON.stringify(id)},"type":"${type}","occurred_at":"${occurred_at}","data":${data}}`

/** A server-sent event (WHATWG HTML, 9.2). Line breaks in JSON are white space, but would end the `data` line. */
export const eventFrame = (change: FeedChange, cursor: string): string =>
  `event: ${change.type}\nid: ${cursor}\ndata: ${changeJson(change).replace(/[\r\n]+/g, ' ')}\n\n`

/** A heartbeat. It dispatches no event, but updates the client's last event id. */
export const beatFrame = (cursor: string): string => `: still here\nid: ${cursor}\n\n`

export const openingFrame = (cursor: string, retryMs: number): string => `retry: ${retryMs}\nid: ${cursor}\n\n`

export const closingFrame = (why: string): string => `: ${why}\n\n`

/**
 * Caches frames so that each change is rendered once for all subscribers. The cursor in a shared frame holds for every
 * subscriber: it has received all changes up to this one, and is up to date until this change's log time.
 */
export class RenderedFrames {
  /** More frames than the distance between subscribers that keep up. */
  private readonly frames = new LRUCache<FeedChange, string>({ max: 1_000 })

  /** `had`: log time up to which the subscriber has received every change, in milliseconds since 1970. */
  of(change: FeedChange, { namespace, had }: { readonly namespace: string; readonly had: number }): string {
    if (had - change.logged_at > HOUR_MS) return render(change, namespace, had) // a subscriber that reads old changes
    const known = this.frames.get(change)
    if (known !== undefined) return known

    const frame = render(change, namespace, change.logged_at)
    this.frames.set(change, frame)
    return frame
  }
}

const render = (change: FeedChange, namespace: string, had: number): string =>
  eventFrame(change, writeCursor(past({ after: -1, partition: null, had }, change), namespace))
