import { countBefore } from '../../../state/binary-search.ts'
import type { Steps } from '../../../state/steps.ts'
import type { Weights } from '../../../language/clustering/model.ts'
import { boundOf } from '../lowest.ts'
import { alikeLogit, linkOfAlike, pair } from '../pair.ts'
import type { RememberedMember } from '../changelog.ts'
import { PairTable } from './pair-table.ts'
import { areCross, isForeign, SECTIONS, termsIn } from '../packed-features.ts'
import { crossSketch, hamming, SKETCH_BITS, SKETCH_WORDS } from '../sketch.ts'
import { HASH_SHIFT, WEIGHT_BITS } from '../terms.ts'

interface ClusteredWindow {
  /** Index of each article. */
  readonly indexes: ReadonlyMap<RememberedMember, number>
  /** By the indexes of both articles: their similarity, regardless of the time gap. */
  readonly links: PairTable
}

type LinkFunction = (a: number, b: number) => number

/** The links of two articles of a window. */
export interface WindowLinks {
  /** Whether they report one event. */
  readonly event: LinkFunction
  /** Whether they share a subject: like `event`, regardless of the time gap. */
  readonly subject: LinkFunction
}

/**
 * Links of articles, each computed once. Links of a window are kept for the next one, since windows of consecutive days
 * share most of their articles. Links are symmetric.
 */
export class ClusteredLinks {
  private readonly weights: Pick<Weights, 'pair' | 'rebuild'>
  private last: ClusteredWindow = { indexes: new Map(), links: new PairTable() }

  constructor(weights: Pick<Weights, 'pair' | 'rebuild'>) {
    this.weights = weights
  }

  /** Links for the next window, by the indexes of its articles. */
  between(articles: readonly RememberedMember[]): WindowLinks {
    const before = this.last
    const links = new PairTable()
    this.last = { indexes: new Map(articles.map((article, i) => [article, i])), links }
    const earlier = articles.map((article) => before.indexes.get(article) ?? -1)
    const known = (a = -1, b = -1): number | undefined => (a < 0 || b < 0 ? undefined : before.links.get(a, b))
    const alike: LinkFunction = (a, b) => {
      const here = links.get(a, b)
      if (here !== undefined) return here
      const value = known(earlier[a], earlier[b]) ?? alikeOf(articles[a], articles[b], this.weights)
      links.set(a, b, value)
      return value
    }
    return {
      subject: (a, b) => subjectLink(alike(a, b), this.weights),
      event: (a, b) => eventLink(alike(a, b), [articles[a], articles[b]], this.weights),
    }
  }
}

/** The links of two articles, which are not kept. */
export function linksOf(one: RememberedMember, other: RememberedMember, weights: Pick<Weights, 'pair' | 'rebuild'>) {
  const alike = alikeOf(one, other, weights)
  return { event: eventLink(alike, [one, other], weights), subject: subjectLink(alike, weights) }
}

/** The link of two articles that cannot be compared. */
const INCOMPARABLE = -Infinity

const subjectLink = (alike: number, { rebuild }: Pick<Weights, 'rebuild'>): number =>
  alike === INCOMPARABLE ? rebuild.far : alike

function eventLink(
  alike: number,
  [one, other]: readonly [RememberedMember | undefined, RememberedMember | undefined],
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): number {
  if (one === undefined || other === undefined || alike === INCOMPARABLE) return weights.rebuild.far
  return linkOfAlike(alike, [one.features, other.features], weights)
}

/** Articles with vectors of different encoders cannot be compared. They count as unrelated. */
export const areComparable = (a: RememberedMember, b: RememberedMember): boolean =>
  a.features.encoder === b.features.encoder

function alikeOf(
  a: RememberedMember | undefined,
  b: RememberedMember | undefined,
  { pair: weights }: Pick<Weights, 'pair'>,
): number {
  if (a === undefined || b === undefined || !areComparable(a, b)) return INCOMPARABLE
  return alikeLogit(pair(a.features, b.features), weights)
}

interface Strong {
  readonly link: LinkFunction
  readonly threshold: number
}

type Pairs = (readonly [number, number])[]

/**
 * Pairs of articles whose link is above the threshold, the best of each article, for each link function and threshold.
 * Only articles that share keys are compared: per key the nearest in time, and of those found the ones that share the
 * rarest keys. The work is therefore linear in the number of articles, also on a single-subject day. Articles without a
 * rare word in common are not one event, except in other languages: an article that is not in English is compared with
 * the nearest of the window as well, by sketches of the vectors for that (some 20 ns for each other article).
 */
export function* strongLinks(
  { articles, searching }: StrongLinkSearch,
  criteria: readonly Strong[],
  { compared, posting_reach, links_kept }: Weights['rebuild'],
): Steps<Pairs[]> {
  const search = sharedKeys(articles, posting_reach)
  const across = acrossLanguages(articles, compared)
  const found = criteria.map((strong) => ({ ...strong, pairs: new Map<number, readonly [number, number]>() }))
  for (const a of searching) {
    yield
    const near = [...best(search(a), compared), ...across(a)]
    for (const { link, threshold, pairs } of found) {
      const strong = near
        .map(({ other }) => ({ other, value: link(a, other) }))
        .filter(({ value }) => value > threshold)
      for (const { other: b } of best(strong, links_kept)) {
        pairs.set(Math.min(a, b) * articles.length + Math.max(a, b), a < b ? [a, b] : [b, a])
      }
    }
  }
  return found.map(({ pairs }) => [...pairs.values()].sort(([a, b], [c, d]) => a - c || b - d))
}

interface StrongLinkSearch {
  readonly articles: readonly RememberedMember[]
  /** Indexes of those that are compared with all. */
  readonly searching: readonly number[]
}

interface FoundLink {
  readonly other: number
  readonly value: number
}

/** The highest values; ties by article order. */
const best = (found: FoundLink[], limit: number): FoundLink[] => topOf(found, limit, (x, y) => x.other - y.other)

/** The highest values; ties in an order of their own. */
export function topOf<Found extends { readonly value: number }>(
  found: Found[],
  limit: number,
  inOrder: (one: Found, other: Found) => number,
): Found[] {
  if (found.length <= limit) return found
  return found.sort((x, y) => y.value - x.value || inOrder(x, y)).slice(0, limit)
}

/** For an article: nearby articles that share keys with it, and the sum of the weights of these keys. */
function sharedKeys(articles: readonly RememberedMember[], reach: number): (article: number) => FoundLink[] {
  const postings = postingsOf(articles)
  const sums = new Float64Array(articles.length)
  return (article) => {
    const touched: number[] = []
    for (const term of keysOf(articles[article])) {
      const weight = term & WEIGHT_BITS
      for (const other of around(postings.get(term >>> HASH_SHIFT) ?? [], article, reach)) {
        if (sums[other] === 0) touched.push(other)
        sums[other] = (sums[other] ?? 0) + weight
      }
    }
    const found = touched.map((other) => ({ other, value: sums[other] ?? 0 }))
    for (const other of touched) sums[other] = 0
    return found.filter(({ other }) => other !== article)
  }
}

/** For an article that is not in English: those that are nearest by sketch across languages, and how near. */
function acrossLanguages(articles: readonly RememberedMember[], limit: number): (article: number) => FoundLink[] {
  if (!articles.some(({ features }) => isForeign(features))) return () => []
  const sketches = new Uint32Array(articles.length * SKETCH_WORDS)
  for (const [i, { features }] of articles.entries())
    crossSketch([features], { into: sketches, offset: i * SKETCH_WORDS })
  const distances = new Int32Array(articles.length)
  return (article) => {
    const features = articles[article]?.features
    if (features === undefined || !isForeign(features)) return []
    const own = sketches.subarray(article * SKETCH_WORDS, (article + 1) * SKETCH_WORDS)
    for (const [other, { features: theirs }] of articles.entries()) {
      const isComparable = other !== article && areCross(features, theirs)
      distances[other] = isComparable ? hamming(own, sketches, other * SKETCH_WORDS) : SKETCH_BITS + 1
    }
    return nearest(distances, limit)
  }
}

/** The `limit` lowest distances; ties by article order. */
function nearest(distances: Int32Array, limit: number): FoundLink[] {
  const bound = boundOf(distances, { limit, most: SKETCH_BITS })
  const found: FoundLink[] = []
  for (const [other, distance] of distances.entries()) if (distance <= bound) found.push({ other, value: -distance })
  return best(found, limit)
}

function postingsOf(articles: readonly RememberedMember[]): ReadonlyMap<number, readonly number[]> {
  const postings = new Map<number, number[]>()
  articles.forEach((member, article) => {
    for (const term of keysOf(member)) {
      const key = term >>> HASH_SHIFT
      const posting = postings.get(key)
      if (posting === undefined) postings.set(key, [article])
      else posting.push(article)
    }
  })
  return postings
}

const keysOf = (member: RememberedMember | undefined): Uint32Array =>
  member === undefined ? new Uint32Array() : termsIn(member.features, SECTIONS.keys)

/** The slice of an ascending list with up to `reach` entries on either side of a value. */
function around(posting: readonly number[], one: number, reach: number): readonly number[] {
  if (posting.length <= 2 * reach) return posting
  const from = countBefore(posting.length, (i) => (posting[i] ?? 0) < one)
  return posting.slice(Math.max(0, from - reach), from + reach + 1)
}
