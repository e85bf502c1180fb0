import type { StoryEnriched } from '../../events/discourse.ts'
import { sidesTally, counterNarrative, denial, type Denial } from './scores.ts'
import { namesTally } from './names-tally.ts'
import type { EnrichedMemberRecord, RememberedPost } from './changelog.ts'
import { contentWords, terms, themeTally } from './themes.ts'
import { containment, stirred } from '../../language/near-duplicates/fingerprint.ts'

export type Reception = Omit<
  StoryEnriched,
  'event_id' | 'namespace' | 'occurred_at' | 'caused_by' | 'produced_by' | 'cluster_id' | 'platform'
>

export interface ReceivedPosts {
  /** Ordered by event time. */
  readonly posts: readonly RememberedPost[]
  /** Ordered by event time. */
  readonly members: readonly EnrichedMemberRecord[]
  readonly story_title: string
  readonly threadOf: ThreadOf
  /** The number of posts, of any story, with a term, among those that had arrived by an offset. */
  readonly postsWith: (term: string, arrival: number) => number
}

/**
 * The reception of a story on one platform at each of the given points in time (ascending), computed in one pass.
 * `null` at a point in time before the first post. Before a story's first article, that article is the editorial side.
 */
export function receptions(received: ReceivedPosts, moments: readonly number[]): readonly (Reception | null)[] {
  const tally = receptionTally(received)
  const [first, ...articles] = received.members
  if (first !== undefined) tally.addArticle(first)
  let [post, article] = [0, 0]
  return moments.map((moment) => {
    for (; (articles[article]?.occurred_at ?? Infinity) <= moment; article++) tally.addArticle(articles[article])
    for (; (received.posts[post]?.created_at ?? Infinity) <= moment; post++) tally.addPost(received.posts[post])
    return post === 0 ? null : tally.reception()
  })
}

function receptionTally({ story_title, threadOf, postsWith }: ReceivedPosts) {
  const seen = copies()
  const distinct = distinctPostsTally(story_title)
  const extent = extentTally(threadOf)
  return {
    addArticle: (member: EnrichedMemberRecord | undefined): void => {
      if (member !== undefined) distinct.addArticle(member)
    },
    addPost: (post: RememberedPost | undefined): void => {
      if (post === undefined) return
      extent.add(post)
      if (!seen.isCopy(post)) distinct.add(post)
    },
    reception(): Reception {
      const { arrival, window_start, window_end, ...whole } = extent.extent()
      const { posts, authors, ...content } = distinct.record((term) => postsWith(term, arrival))
      return {
        story_title,
        ...whole,
        ...content,
        sample: { posts, authors, window_start, window_end },
        source_status: 'live',
      }
    },
  }
}

/** Aggregates the content of distinct posts. */
function distinctPostsTally(headline: string) {
  const sides = sidesTally()
  const names = namesTally()
  const themes = themeTally()
  const denials: Denial[] = []
  const ofHeadline = new Set(terms(contentWords(headline)))
  let [posts, sentiment] = [0, 0]
  return {
    addArticle: (member: EnrichedMemberRecord): void => {
      names.addArticle(member)
    },
    add(post: RememberedPost): void {
      posts += 1
      sentiment += post.sentiment_score
      sides.add(post)
      names.addPost(post)
      themes.add(post.words)
      if (post.stance === 'deny') denials.push(denial(post, ofHeadline))
    },
    record(weighedBy: (term: string) => number) {
      const authors = sides.authors()
      const named = names.names()
      const counter = counterNarrative(denials, authors)
      return {
        posts,
        authors,
        ...sentimentOf(sentiment / posts),
        controversy_score: sides.controversy(),
        dominant_themes: themes.themes(weighedBy),
        editorial_entities: named.editorial,
        public_entities: named.public,
        novel_entities: named.novel,
        counter_narrative_detected: counter.detected,
        counter_narrative_summary: counter.summary,
        counter_narrative_confidence: counter.confidence,
        evidence: { novel_entities: named.evidence, counter_narrative: counter.evidence },
      }
    },
  }
}

const sentimentOf = (mean: number) => ({
  sentiment_score: mean,
  sentiment_label: mean >= 0.15 ? ('positive' as const) : mean <= -0.15 ? ('negative' as const) : ('neutral' as const),
})

/** The record after the last post was deleted. Readers hide it. */
export const nothingLeft = (fetched_at: number): Reception => ({
  story_title: '',
  thread_urls: [],
  fetched_at,
  comment_count_analyzed: 0,
  sentiment_score: 0,
  sentiment_label: 'neutral',
  controversy_score: 0,
  dominant_themes: [],
  editorial_entities: [],
  public_entities: [],
  novel_entities: [],
  counter_narrative_detected: false,
  counter_narrative_summary: null,
  counter_narrative_confidence: 0,
  evidence: { novel_entities: {}, counter_narrative: [] },
  sample: { posts: 0, authors: 0, window_start: 0, window_end: 0 },
  source_status: 'live',
})

const MOST_THREADS = 100

/** URL of the first post of a post's thread. */
type ThreadOf = (post: RememberedPost) => string | null

/** Aggregates all posts, including copies, in order of event time: how many, where and when. */
function extentTally(threadOf: ThreadOf) {
  const threads = latest()
  let [posts, arrival, fetched_at, window_start, window_end] = [0, -Infinity, -Infinity, 0, 0]
  return {
    add(post: RememberedPost): void {
      posts += 1
      if (posts === 1) window_start = post.created_at
      window_end = post.created_at
      arrival = Math.max(arrival, post.log_order)
      fetched_at = Math.max(fetched_at, post.fetched_at)
      const thread = threadOf(post)
      if (thread !== null) threads.add(thread)
    },
    extent: () => ({
      comment_count_analyzed: posts,
      thread_urls: threads.newest(MOST_THREADS),
      arrival,
      fetched_at,
      window_start,
      window_end,
    }),
  }
}

/** The distinct values added last. The cost does not depend on earlier values. */
function latest() {
  const named: string[] = []
  const last = new Map<string, number>()
  return {
    add(thing: string): void {
      last.set(thing, named.length)
      named.push(thing)
    },
    newest(most: number): string[] {
      const found: string[] = []
      for (let i = named.length - 1; i >= 0 && found.length < most; i--) {
        const thing = named[i] ?? ''
        if (last.get(thing) === i) found.push(thing)
      }
      return found
    },
  }
}

/** Minimum share of the shorter text's three-word shingles that the longer one contains. */
const SAME = 0.8
/**
 * Bands of two MinHash values. Of text pairs with half of their shingles in common, 99 % share a band; at 0.67, all but
 * one in 10,000.
 */
const BANDS = 16

/** Whether a post repeats an earlier one. Copies of one text and lightly edited texts count once. */
function copies() {
  const hashes = new Set<string>()
  const byBand = new Map<number, Uint32Array[]>()
  return {
    isCopy({ text_hash, shingles }: RememberedPost): boolean {
      if (hashes.has(text_hash)) return true
      hashes.add(text_hash)
      if (shingles.length === 0) return false
      const { windows, keys } = bandedOf(shingles)
      const isNear = keys.some((key) => byBand.get(key)?.some((other) => containment(windows, other) >= SAME) === true)
      if (!isNear) for (const key of keys) keep(byBand, key, windows)
      return isNear
    },
  }
}

/** Limit per band, for a phrase that hundreds of different texts start with. More comparisons find nothing new. */
const MOST_IN_BAND = 32

function keep(byBand: Map<number, Uint32Array[]>, key: number, windows: Uint32Array): void {
  const others = byBand.get(key)
  if (others === undefined) byBand.set(key, [windows])
  else if (others.length < MOST_IN_BAND) others.push(windows)
}

interface Banded {
  readonly windows: Uint32Array
  readonly keys: Int32Array
}

const banded = new WeakMap<Buffer, Banded>()

/** Cached, since a post is added repeatedly. */
function bandedOf(shingles: Buffer): Banded {
  const known = banded.get(shingles)
  if (known !== undefined) return known
  const windows = new Uint32Array(Uint8Array.from(shingles).buffer)
  const made = { windows, keys: bandKeys(windows) }
  banded.set(shingles, made)
  return made
}

/** The minimum of each of 32 hash functions, in pairs (Broder 1997). Not persisted, so it may change. */
function bandKeys(windows: Uint32Array): Int32Array {
  return Int32Array.from({ length: BANDS }, (_, band) => {
    const one = minHash(windows, 2 * band + 1)
    const other = minHash(windows, 2 * band + 2)
    return stirred(Math.imul(one, 0x9e3779b1) + other + band)
  })
}

function minHash(windows: Uint32Array, seed: number): number {
  const times = stirred(seed) | 1
  const plus = stirred(seed ^ 0x5bd1e995)
  let found = 0x7fffffff
  const count = windows.length // an index loop: an iterator takes more than twice the time
  for (let i = 0; i < count; i++) {
    const value = (Math.imul(windows[i] ?? 0, times) + plus) | 0
    if (value < found) found = value
  }
  return found
}
