import type { RememberedPost } from './changelog.ts'
import { unitOf } from './story.ts'
import { terms } from './themes.ts'

type PostStance = Pick<RememberedPost, 'author_hash' | 'post_id' | 'stance' | 'probabilities'>

/** The author of a post. A post with an unknown author counts as an author of its own. */
export const authorOf = ({ author_hash, post_id }: Pick<RememberedPost, 'author_hash' | 'post_id'>): string =>
  author_hash === '' ? `post ${post_id}` : author_hash

/** The certainty with which an author supports and denies, each 0 to 1: that of the most certain post. */
interface Side {
  support: number
  deny: number
}

/** Number of authors with a stance at which the sample size factor is one half. */
const HALF_FACTOR_AUTHORS = 8

/** Collects posts one by one and returns how divided their authors are so far. */
export function sidesTally() {
  const sides = new Map<string, Side>()
  /** Authors per side, counted incrementally since a record is emitted for many points in time. */
  const taken = { support: 0, deny: 0, neither: 0 }
  return {
    add(post: PostStance): void {
      const author = authorOf(post)
      const known = sides.get(author)
      const side = known ?? { support: 0, deny: 0 }
      if (known === undefined) sides.set(author, side)
      else taken[sideOf(side)] -= 1
      const { stance } = post
      if (stance === 'support' || stance === 'deny') side[stance] = Math.max(side[stance], certainty(post))
      taken[sideOf(side)] += 1
    },
    authors: () => sides.size,
    controversy: () => controversy({ ...taken, authors: sides.size }),
  }
}

/** An author with both stances counts for the more certain one. */
const sideOf = ({ support, deny }: Side): 'support' | 'deny' | 'neither' =>
  deny > support ? 'deny' : support > 0 ? 'support' : 'neither'

/** Of an assigned stance: at least 0.5, since rare stances are assigned before they are the most likely. */
const certainty = ({ stance, probabilities }: PostStance): number => 0.5 + 0.5 * (probabilities?.[stance] ?? 0)

/**
 * The controversy score, 0 to 1: how evenly and how strongly authors support and deny.
 *
 *     2 min(s, d) / (s + d)  ·  √((s + d) / authors)  ·  (s + d)² / ((s + d)² + 8²)
 *
 * with s authors who support and d who deny. The first factor is 1 if the sides are even and 0 if all agree. The second
 * is the square root of the share of authors who take a side. The third keeps small samples near 0.
 */
function controversy({ support, deny, authors }: Side & { readonly authors: number }): number {
  const taken = support + deny
  if (taken === 0) return 0
  const evenness = (2 * Math.min(support, deny)) / taken
  return evenness * Math.sqrt(taken / authors) * (taken ** 2 / (taken ** 2 + HALF_FACTOR_AUTHORS ** 2))
}

export interface CounterNarrative {
  readonly detected: boolean
  /** A quote of a representative post. If no text is kept any more, the number of authors who dispute the story. */
  readonly summary: string | null
  /** 0 to 1; 0 if not detected. */
  readonly confidence: number
  readonly evidence: readonly string[]
}

/** Fewer distinct authors are an opinion, not a narrative. */
const FEWEST_AUTHORS = 5
/** Minimum share of all authors who dispute the story. */
const SMALLEST_SHARE = 0.1
/** Number of denying authors at which the sample size factor is one half. */
const HALF_FACTOR_DENIERS = 6
/** The share of the confidence that remains if no two of them agree. */
const WITHOUT_AGREEMENT = 0.3
const MOST_EVIDENCE = 20
export const NO_NARRATIVE: CounterNarrative = { detected: false, summary: null, confidence: 0, evidence: [] }

/**
 * Whether enough different authors dispute a story, how far they agree, and a representative quote:
 *
 *     confidence = a² / (a² + 6²)  ·  √(a / authors)  ·  (0.3 + 0.7 agreement)
 *
 * with a authors who deny. Agreement is the share of them whose posts are similar to the quoted one. `denials` are
 * distinct posts, oldest first. `authors` is the number of authors of all posts.
 */
export function counterNarrative(denials: readonly Denial[], authors: number): CounterNarrative {
  const deniers = new Set(denials.map(({ author }) => author)).size
  const share = authors === 0 ? 0 : deniers / authors
  if (deniers < FEWEST_AUTHORS || share < SMALLEST_SHARE) return NO_NARRATIVE

  const compared = denials.slice(-MOST_COMPARED)
  const centre = representative(compared)
  const same = compared.filter((one) => areSimilar(one, centre))
  const agreement = (new Set(same.map(({ author }) => author)).size - 1) / (Math.min(deniers, compared.length) - 1)
  const sampleFactor = deniers ** 2 / (deniers ** 2 + HALF_FACTOR_DENIERS ** 2)
  return {
    detected: true,
    summary: centre.post.text === '' ? withoutQuote(deniers, authors) : quoted(centre.post.text),
    confidence: sampleFactor * Math.sqrt(share) * (WITHOUT_AGREEMENT + (1 - WITHOUT_AGREEMENT) * clamped(agreement)),
    evidence: evidence(centre, compared),
  }
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

const withoutQuote = (deniers: number, authors: number): string =>
  `${deniers} of ${authors} authors dispute it; their words are no longer kept`

/** Maximum denials compared with each other; the newest. */
const MOST_COMPARED = 500

/** A post that denies the story. */
export interface Denial {
  readonly post: RememberedPost
  readonly author: string
  /** Without the headline's terms: sharing those only shows that two posts are about the same story. */
  readonly terms: ReadonlySet<string>
  readonly unit: Float32Array
}

export const denial = (post: RememberedPost, headline: ReadonlySet<string>): Denial => ({
  post,
  author: authorOf(post),
  terms: new Set(terms(post.words).filter((term) => !headline.has(term))),
  unit: unitOf(post.vector),
})

/** Minimum cosine of two denials that agree. Posts about one story are similar anyway, so it is high. */
const SIMILAR_COSINE = 0.7
const SHARED_TERMS = 2

function areSimilar(one: Denial, other: Denial): boolean {
  return one === other || shared(one, other) >= SHARED_TERMS || cosine(one.unit, other.unit) >= SIMILAR_COSINE
}

function shared(one: Denial, other: Denial): number {
  let count = 0
  for (const term of one.terms) if (other.terms.has(term)) count += 1
  return count
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  for (let i = 0; i < a.length; i++) dot += (a[i] ?? 0) * (b[i] ?? 0)
  return dot
}

/**
 * The post with the terms most shared by the others and nearest to their mean. Posts with text are preferred to those
 * without.
 */
function representative(denials: readonly Denial[]): Denial {
  const counts = new Map<string, number>()
  for (const { terms: own } of denials) for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1)
  const mean = meanOf(denials)
  const weight = ({ terms: own, unit }: Denial): number => {
    let shared = 0
    for (const term of own) shared += (counts.get(term) ?? 0) - 1
    return shared / (denials.length * Math.sqrt(own.size + 1)) + cosine(unit, mean)
  }
  const weighed = denials.map((one) => ({ denial: one, weight: weight(one), kept: one.post.text === '' ? 0 : 1 }))
  const [first, ...others] = weighed
  if (first === undefined) throw new Error('a narrative without a post')
  return others.reduce((best, one) => (compare(one, best) < 0 ? one : best), first).denial
}

function meanOf(denials: readonly Denial[]): Float32Array {
  const mean = new Float32Array(denials[0]?.unit.length ?? 0)
  for (const { unit } of denials) {
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (unit[i] ?? 0) / denials.length
  }
  return mean
}

interface WeighedDenial {
  readonly denial: Denial
  readonly weight: number
  readonly kept: number
}

const compare = (a: WeighedDenial, b: WeighedDenial): number =>
  b.kept - a.kept || b.weight - a.weight || bestFirst(a.denial.post, b.denial.post)

/** Higher score first, then older. */
export const bestFirst = (a: RememberedPost, b: RememberedPost): number =>
  (b.score ?? 0) - (a.score ?? 0) || a.created_at - b.created_at || (a.post_id < b.post_id ? -1 : 1)

/** The quoted post first, then similar posts, then the others. */
function evidence(centre: Denial, denials: readonly Denial[]): readonly string[] {
  const rank = (one: Denial): number => (one === centre ? 0 : areSimilar(one, centre) ? 1 : 2)
  const ranked = denials.map((one) => ({ post: one.post, rank: rank(one) }))
  const sorted = ranked.sort((a, b) => a.rank - b.rank || bestFirst(a.post, b.post))
  return [...new Set(sorted.flatMap(({ post }) => post.url ?? []))].slice(0, MOST_EVIDENCE)
}

/** In characters. */
const LONGEST = 280

/** A verbatim quote, cut at a word boundary if it is too long. */
export function quoted(text: string): string {
  const all = Array.from(text)
  if (all.length <= LONGEST) return text
  const cut = all.slice(0, LONGEST).join('')
  const whole = /\s/u.test(all[LONGEST - 1] ?? '') ? cut : cut.replace(/\s\S*$/u, '')
  return `${Array.from(whole.trimEnd())
    .slice(0, LONGEST - 1)
    .join('')}…`
}
