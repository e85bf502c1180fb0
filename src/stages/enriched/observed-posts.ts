import type { PostObserved } from '../../events/discourse.ts'
import { normalisedText, sha256 } from '../../events/ids.ts'
import type { Vector } from '../../events/vector.ts'
import type { Discourse } from './discourse.ts'
import { keysBy } from './keys-by.ts'
import { textTraces } from './post-text.ts'
import type { PostEntity, RememberedPost } from './changelog.ts'

/** What the language model makes of a post. */
export interface ReadText {
  readonly vector: Vector
  readonly sentiment_score: number
  readonly entities: readonly PostEntity[]
}

export interface PostRead extends PostObserved {
  readonly read: ReadText
}

interface ObservedAt {
  /** Offset. */
  readonly offset: number
  /** When the log took it, milliseconds since 1970. */
  readonly loggedAt: number
  readonly known: RememberedPost | undefined
}

/** A post as it is remembered; its story and stance are settled among the others. */
export function observed(event: PostRead, { offset, loggedAt, known }: ObservedAt): RememberedPost {
  const text = normalisedText(event.text)
  return {
    ...blank(event),
    log_order: known?.log_order ?? offset,
    cluster_id: known?.cluster_id ?? null,
    claimed_cluster_id: event.cluster_id,
    article_url: event.article_url,
    url: event.url,
    author_hash: event.author === null ? '' : sha256(event.author).toString('hex').slice(0, 16),
    text,
    ...textTraces(text),
    created_at: event.created_at,
    fetched_at: loggedAt,
    score: event.score,
    ...event.read,
  }
}

const blank = (event: Pick<PostObserved, 'event_id' | 'platform' | 'post_id' | 'reply_to'>) => ({
  event_id: event.event_id,
  platform: event.platform,
  post_id: event.post_id,
  reply_to: event.reply_to,
  deleted: false,
  stance: 'comment' as const,
  stance_of: '',
  probabilities: null,
})

/** What is left of a deleted post that others answer: its place in the thread, and so its story. */
function husk(known: RememberedPost, event_id: string, fetched_at: number): RememberedPost {
  const { log_order, cluster_id, claimed_cluster_id, created_at } = known
  return {
    ...blank({ ...known, event_id }),
    log_order,
    cluster_id,
    created_at,
    fetched_at,
    deleted: true,
    claimed_cluster_id: claimed_cluster_id ?? cluster_id,
    article_url: null,
    url: null,
    author_hash: '',
    score: null,
    text: '',
    text_hash: '',
    shingles: Buffer.alloc(0),
    words: [],
    sentiment_score: 0,
    entities: [],
    vector: { model: '', dim: 0, dtype: 'f32', data: Buffer.alloc(0) },
  }
}

interface Deletion {
  readonly key: string
  readonly known: RememberedPost
  readonly event_id: string
  readonly loggedAt: number
}

/** `null` when no post answers it, so that nothing has to be kept. */
export const withoutPost = (
  discourse: Discourse,
  { key, known, event_id, loggedAt }: Deletion,
): RememberedPost | null => (keysBy(discourse.postsByParent, key).size === 0 ? null : husk(known, event_id, loggedAt))

/** Whether nothing changed but votes and when it was seen: nothing that a record would say otherwise. */
export const isSame = (before: RememberedPost | undefined, after: RememberedPost | null): boolean =>
  after !== null && before !== undefined && PUBLISHED_FIELDS.every((field) => before[field] === after[field])

const PUBLISHED_FIELDS = [
  'cluster_id',
  'reply_to',
  'url',
  'author_hash',
  'text_hash',
  'created_at',
  'deleted',
  'stance',
  'stance_of',
] as const
