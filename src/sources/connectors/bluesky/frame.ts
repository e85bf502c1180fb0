import { z } from 'zod'

/** What a frame of Jetstream (version 2) says. */
export type Frame =
  | {
      readonly kind: 'post'
      readonly seq: number
      readonly uri: string
      readonly record: unknown
      readonly seenAt: number
    }
  | { readonly kind: 'deletion'; readonly seq: number; readonly uri: string }
  /** `OutdatedCursor`: what was asked for is kept no more, and the stream begins later. */
  | { readonly kind: 'notice'; readonly name: string }
  /** An event of another kind. */
  | { readonly kind: 'other'; readonly seq: number | null }
  | { readonly kind: 'unreadable' }

const POSTS = 'app.bsky.feed.post'

const Commit = z.object({
  seq: z.int().positive(),
  did: z.string(),
  time: z.string(),
  operation: z.string(),
  collection: z.string(),
  rkey: z.string(),
  record: z.unknown().optional(),
})
const Notice = z.object({ $type: z.string().endsWith('#info'), name: z.string() })
const Event = z.object({ seq: z.int().positive().optional() })
const Envelope = z.object({ payload: z.unknown() })

const UNREADABLE: Frame = { kind: 'unreadable' }

/** Reads the text of a frame; the lexicon is `network.bsky.jetstream.subscribeEvents`, framed as `xrpc.v1.json`. */
export function frameOf(text: string): Frame {
  const envelope = Envelope.safeParse(parsed(text))
  if (!envelope.success) return UNREADABLE
  const { payload } = envelope.data
  const commit = Commit.safeParse(payload).data
  if (commit !== undefined) return committed(commit)
  const notice = Notice.safeParse(payload).data
  if (notice !== undefined) return { kind: 'notice', name: notice.name }
  const event = Event.safeParse(payload).data
  return event === undefined ? UNREADABLE : { kind: 'other', seq: event.seq ?? null }
}

function committed({ seq, did, time, operation, collection, rkey, record }: z.output<typeof Commit>): Frame {
  const seenAt = Date.parse(time)
  if (collection !== POSTS) return { kind: 'other', seq }
  const uri = `at://${did}/${POSTS}/${rkey}`
  if (operation === 'delete') return { kind: 'deletion', seq, uri }
  return Number.isNaN(seenAt) ? UNREADABLE : { kind: 'post', seq, uri, record, seenAt }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
