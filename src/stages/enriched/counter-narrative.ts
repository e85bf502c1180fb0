import type { RememberedPost } from './remembered.ts'
import { terms } from './themes.ts'

export interface CounterNarrative {
  readonly detected: boolean
  /** A representative post, quoted; never invented text. */
  readonly summary: string | null
  /** 0 to 1; 0 when not detected. */
  readonly confidence: number
  readonly evidence: readonly string[]
}

/** Fewer different authors than this are an opinion, not a narrative. */
const FEWEST_AUTHORS = 5
/** Of all authors, this share must dispute the story. */
const SMALLEST_SHARE = 0.2
/** Authors at which the sample counts half: three comments stay at 0.5 and below. */
const HALF_SURE = 3

const NONE: CounterNarrative = { detected: false, summary: null, confidence: 0, evidence: [] }

/** Whether enough different people dispute a story, and in whose words. */
export function counterNarrative(posts: readonly RememberedPost[]): CounterNarrative {
  const denials = posts.filter((post) => post.stance === 'deny')
  const authors = new Set(denials.map((post) => post.author_hash || post.post_id)).size
  const all = new Set(posts.map((post) => post.author_hash || post.post_id)).size
  const share = all === 0 ? 0 : authors / all
  if (authors < FEWEST_AUTHORS || share < SMALLEST_SHARE) return NONE
  return {
    detected: true,
    summary: representative(denials).text,
    confidence: (authors / (authors + HALF_SURE)) * Math.sqrt(share),
    evidence: denials.flatMap((post) => post.url ?? []).sort(),
  }
}

/** The post whose words the others share most; of equals the better liked, then the older. */
function representative(posts: readonly RememberedPost[]): RememberedPost {
  const counts = new Map<string, number>()
  for (const post of posts) for (const term of terms(post.text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const central = (post: RememberedPost): number => {
    const words = terms(post.text)
    return words.reduce((sum, word) => sum + (counts.get(word) ?? 0) - 1, 0) / Math.sqrt(words.length + 1)
  }
  return posts.reduce((best, post) => (compare(post, best, central) < 0 ? post : best))
}

const compare = (a: RememberedPost, b: RememberedPost, central: (post: RememberedPost) => number): number =>
  central(b) - central(a) ||
  (b.score ?? 0) - (a.score ?? 0) ||
  a.created_at - b.created_at ||
  (a.post_id < b.post_id ? -1 : 1)
