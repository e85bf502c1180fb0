import type { RememberedPost } from './changelog.ts'
import { unitOf } from './story.ts'
import { terms } from './themes.ts'

type Voice = Pick<RememberedPost, 'author_hash' | 'post_id' | 'stance' | 'probabilities'>

/** Who said it; a post whose author is unknown stands for somebody of its own. */
export const authorOf = ({ author_hash, post_id }: Pick<RememberedPost, 'author_hash' | 'post_id'>): string =>
  author_hash === '' ? `post ${post_id}` : author_hash

/** How surely an author was heard to support and to deny, each 0 to 1: by the post that says it most surely. */
interface Side {
  support: number
  deny: number
}

/** People who take a side at which the sample counts half. */
const HALF_SURE = 8

/** Posts added one after the other, and how divided their authors are by then. */
export function sidesTally() {
  const sides = new Map<string, Side>()
  /** Authors on each side; a record is emitted for many moments, so they are counted as they speak. */
  const taken = { support: 0, deny: 0, neither: 0 }
  return {
    add(voice: Voice): void {
      const author = authorOf(voice)
      const known = sides.get(author)
      const side = known ?? { support: 0, deny: 0 }
      if (known === undefined) sides.set(author, side)
      else taken[sideOf(side)] -= 1
      const { stance } = voice
      if (stance === 'support' || stance === 'deny') side[stance] = Math.max(side[stance], certainty(voice))
      taken[sideOf(side)] += 1
    },
    authors: () => sides.size,
    controversy: () => controversy({ ...taken, authors: sides.size }),
  }
}

/** Who does both is on the side that he takes more surely. */
const sideOf = ({ support, deny }: Side): 'support' | 'deny' | 'neither' =>
  deny > support ? 'deny' : support > 0 ? 'support' : 'neither'

/** Of an assigned stance: at least a half, since rare stances are assigned before they are the most likely. */
const certainty = ({ stance, probabilities }: Voice): number => 0.5 + 0.5 * (probabilities?.[stance] ?? 0)

/**
 * How evenly and how strongly authors support and deny, 0 to 1:
 *
 *     2 min(s, d) / (s + d)  ·  √((s + d) / authors)  ·  (s + d)² / ((s + d)² + 8²)
 *
 * with s authors who support and d who deny. The first factor is 1 where sides are even and 0 where all agree, the second the share that takes one, the third keeps a handful near 0.
 */
function controversy({ support, deny, authors }: Side & { readonly authors: number }): number {
  const taken = support + deny
  if (taken === 0) return 0
  const evenness = (2 * Math.min(support, deny)) / taken
  return evenness * Math.sqrt(taken / authors) * (taken ** 2 / (taken ** 2 + HALF_SURE ** 2))
}

export interface CounterNarrative {
  readonly detected: boolean
  /** A representative post, quoted; or, when none of their words is kept any more, how many dispute it. */
  readonly summary: string | null
  /** 0 to 1; 0 when not detected. */
  readonly confidence: number
  readonly evidence: readonly string[]
}

/** Fewer different authors than this are an opinion, not a narrative. */
const FEWEST_AUTHORS = 5
/** Of all authors, this share must dispute the story. */
const SMALLEST_SHARE = 0.1
/** Authors who deny at which the sample counts half. */
const HALF_SURE_DENIERS = 6
/** What is left of the confidence where no two of them say the same. */
const WITHOUT_AGREEMENT = 0.3
const MOST_EVIDENCE = 20
export const NO_NARRATIVE: CounterNarrative = { detected: false, summary: null, confidence: 0, evidence: [] }

/**
 * Whether enough different people dispute a story, whether they say the same, and in whose words:
 *
 *     confidence = a² / (a² + 6²)  ·  √(a / authors)  ·  (0.3 + 0.7 agreement)
 *
 * with a authors who deny; agreement is the share of them who say what the quoted post says. `denials` are different posts,
 * oldest first; `authors` are those of all posts.
 */
export function counterNarrative(denials: readonly Tale[], authors: number): CounterNarrative {
  const deniers = new Set(denials.map(({ author }) => author)).size
  const share = authors === 0 ? 0 : deniers / authors
  if (deniers < FEWEST_AUTHORS || share < SMALLEST_SHARE) return NO_NARRATIVE

  const compared = denials.slice(-MOST_COMPARED)
  const centre = representative(compared)
  const same = compared.filter((one) => areSimilar(one, centre))
  const agreement = (new Set(same.map(({ author }) => author)).size - 1) / (Math.min(deniers, compared.length) - 1)
  const sure = deniers ** 2 / (deniers ** 2 + HALF_SURE_DENIERS ** 2)
  return {
    detected: true,
    summary: centre.post.text === '' ? withoutWords(deniers, authors) : quoted(centre.post.text),
    confidence: sure * Math.sqrt(share) * (WITHOUT_AGREEMENT + (1 - WITHOUT_AGREEMENT) * clamped(agreement)),
    evidence: evidence(centre, compared),
  }
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

const withoutWords = (deniers: number, authors: number): string =>
  `${deniers} of ${authors} authors dispute it; their words are no longer kept`

/** Of more denials the newest so many are held against each other. */
const MOST_COMPARED = 500

/** What a post says. */
export interface Tale {
  readonly post: RememberedPost
  readonly author: string
  /** Beside the headline's: that two posts share those says only that they speak of the same story. */
  readonly terms: ReadonlySet<string>
  readonly unit: Float32Array
}

export const tale = (post: RememberedPost, headline: ReadonlySet<string>): Tale => ({
  post,
  author: authorOf(post),
  terms: new Set(terms(post.words).filter((term) => !headline.has(term))),
  unit: unitOf(post.vector),
})

/** Two posts about one story sound alike as it is: those that say the same do more so. */
const SOUNDS_THE_SAME = 0.7
const SHARED_TERMS = 2

function areSimilar(one: Tale, other: Tale): boolean {
  return one === other || shared(one, other) >= SHARED_TERMS || cosine(one.unit, other.unit) >= SOUNDS_THE_SAME
}

function shared(one: Tale, other: Tale): number {
  let count = 0
  for (const term of one.terms) if (other.terms.has(term)) count += 1
  return count
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  for (let i = 0; i < a.length; i++) dot += (a[i] ?? 0) * (b[i] ?? 0)
  return dot
}

/** The post whose words the others share most, of those whose text is still there if there is one; then the nearest to their mean. */
function representative(tales: readonly Tale[]): Tale {
  const counts = new Map<string, number>()
  for (const { terms: own } of tales) for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1)
  const mean = meanOf(tales)
  const weight = ({ terms: own, unit }: Tale): number => {
    let shared = 0
    for (const term of own) shared += (counts.get(term) ?? 0) - 1
    return shared / (tales.length * Math.sqrt(own.size + 1)) + cosine(unit, mean)
  }
  const weighed = tales.map((one) => ({ tale: one, weight: weight(one), kept: one.post.text === '' ? 0 : 1 }))
  const [first, ...others] = weighed
  if (first === undefined) throw new Error('a narrative without a post')
  return others.reduce((best, one) => (compare(one, best) < 0 ? one : best), first).tale
}

function meanOf(tales: readonly Tale[]): Float32Array {
  const mean = new Float32Array(tales[0]?.unit.length ?? 0)
  for (const { unit } of tales) {
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (unit[i] ?? 0) / tales.length
  }
  return mean
}

interface WeighedTale {
  readonly tale: Tale
  readonly weight: number
  readonly kept: number
}

const compare = (a: WeighedTale, b: WeighedTale): number =>
  b.kept - a.kept || b.weight - a.weight || bestFirst(a.tale.post, b.tale.post)

/** The better liked, then the older. */
export const bestFirst = (a: RememberedPost, b: RememberedPost): number =>
  (b.score ?? 0) - (a.score ?? 0) || a.created_at - b.created_at || (a.post_id < b.post_id ? -1 : 1)

/** The quoted post, then those that say the same. */
function evidence(centre: Tale, tales: readonly Tale[]): readonly string[] {
  const rank = (one: Tale): number => (one === centre ? 0 : areSimilar(one, centre) ? 1 : 2)
  const ranked = tales.map((one) => ({ post: one.post, rank: rank(one) }))
  const sorted = ranked.sort((a, b) => a.rank - b.rank || bestFirst(a.post, b.post))
  return [...new Set(sorted.flatMap(({ post }) => post.url ?? []))].slice(0, MOST_EVIDENCE)
}

/** In characters. */
const LONGEST = 280

/** A post word for word: cut at the end of a word where it is too long. */
export function quoted(text: string): string {
  const all = Array.from(text)
  if (all.length <= LONGEST) return text
  const cut = all.slice(0, LONGEST).join('')
  const whole = /\s/u.test(all[LONGEST - 1] ?? '') ? cut : cut.replace(/\s\S*$/u, '')
  return `${Array.from(whole.trimEnd())
    .slice(0, LONGEST - 1)
    .join('')}…`
}
