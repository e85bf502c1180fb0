import { LRUCache } from 'lru-cache'
import { HOUR_MS } from '../../domain/days.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { past, writeCursor } from '../../views/changes/position.ts'

/** A change as a reader gets it; its data is JSON already. */
export const changeJson = ({ id, type, occurred_at, data }: FeedChange): string =>
  `{"id":${JSON.stringify(id)},"type":"${type}","occurred_at":"${occurred_at}","data":${data}}`

/** An event of a stream (WHATWG HTML, 9.2). A break in JSON is white space; on the wire it would end the line. */
export const eventFrame = (change: FeedChange, cursor: string): string =>
  `event: ${change.type}\nid: ${cursor}\ndata: ${changeJson(change).replace(/[\r\n]+/g, ' ')}\n\n`

/** Nothing is dispatched of it, but the reader's last event id is this one from then on. */
export const beatFrame = (cursor: string): string => `: still here\nid: ${cursor}\n\n`

export const openingFrame = (cursor: string, retryMs: number): string => `retry: ${retryMs}\nid: ${cursor}\n\n`

export const closingFrame = (why: string): string => `: ${why}\n\n`

/**
 * Frames of changes, each rendered once for all who listen. The cursor in a shared frame says what is true of each
 * listener: it has had all up to the change, and by the log's time up to when that was logged.
 */
export class RenderedFrames {
  /** More frames than lie between listeners that keep up. */
  private readonly frames = new LRUCache<FeedChange, string>({ max: 1_000 })

  /** `had`: the log time up to which the listener has every change, milliseconds since 1970. */
  of(change: FeedChange, { namespace, had }: { readonly namespace: string; readonly had: number }): string {
    if (had - change.logged_at > HOUR_MS) return render(change, namespace, had) // it reads what is days old
    const known = this.frames.get(change)
    if (known !== undefined) return known

    const frame = render(change, namespace, change.logged_at)
    this.frames.set(change, frame)
    return frame
  }
}

const render = (change: FeedChange, namespace: string, had: number): string =>
  eventFrame(change, writeCursor(past({ after: -1, partition: null, had }, change), namespace))
