import type { FeedChange } from '../../views/changes/page.ts'

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
