import type { PostObserved } from '../../events/discourse.ts'
import type { CausedBy } from '../../events/envelope.ts'
import { NO_VECTOR } from '../../events/vector.ts'
import { normalisedText, sha256 } from '../../events/ids.ts'
import type { RememberedPost } from './changelog.ts'
import { shingles, wordHashes } from '../../language/near-duplicates/fingerprint.ts'
import { contentWords } from './themes.ts'

/** The language models' results for a post. */
export type ReadText = Pick<RememberedPost, 'vector' | 'cross_vector' | 'sentiment_score' | 'entities'>

export interface PostRead extends PostObserved {
  readonly read: ReadText
}

/** The post as stored. Its story and stance are settled later, together with the others. `known`: its older version. */
export function observed(
  event: PostRead,
  { place: { offset }, loggedAt }: { readonly place: CausedBy; readonly loggedAt: number },
  known: RememberedPost | undefined,
): RememberedPost {
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

/** What remains of a deleted post with replies: its position in the thread, and therefore its story. */
export function emptiedPost(known: RememberedPost, event_id: string, fetched_at: number): RememberedPost {
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
    cross_vector: NO_VECTOR,
  }
}

/** Whether only fields changed that no record shows, such as votes and fetch time. */
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

/** Texts of fewer words count as copies only if they are equal, since half of them may be a common phrase. */
const FEWEST_WORDS = 8
/** Maximum shingles of a longer text: the smallest hashes, which are a random sample. */
const MOST_SHINGLES = 64

/** A post without what is in no language: addresses and handles. */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, ' ').replace(HANDLE, ' ')

/** What is kept of a text after its retention. */
export function textTraces(text: string): Pick<RememberedPost, 'text_hash' | 'shingles' | 'words'> {
  const folded = foldedPost(text)
  const hashes = wordHashes(folded)
  const windows = hashes.length < FEWEST_WORDS ? new Uint32Array() : shingles(hashes).slice(0, MOST_SHINGLES)
  return {
    text_hash: sha256(folded).toString('hex').slice(0, 16),
    shingles: Buffer.from(windows.buffer),
    words: contentWords(text),
  }
}

const REPEATED = /^\s*rt\s+@\w+:?/u
const ADDRESS = /https?:\S+|www\.\S+/gu
const HANDLE = /@[\p{L}\p{N}_.]+/gu
/** Hashtags before or after the text. Within the text they are words. */
const TAGS_AROUND = /^(?:\s*#[\p{L}\p{N}_]+)+|(?:\s*#[\p{L}\p{N}_]+)+\s*$/gu

/**
 * The words of a post as compared between copies: without case, punctuation, URLs, handles and surrounding hashtags.
 */
function foldedPost(text: string): string {
  const bare = withoutAddresses(text.toLowerCase().replace(REPEATED, ' '))
  return wordsOf(bare.replace(TAGS_AROUND, ' ')) || wordsOf(bare) || text.toLowerCase().trim()
}

const wordsOf = (text: string): string =>
  text
    .replace(/['’‘]/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
