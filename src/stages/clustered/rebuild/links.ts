import type { Weights } from '../model.ts'
import { pair, pairLogit } from '../pair.ts'
import type { RememberedMember } from '../remembered.ts'

/** Links of some articles, by their places: each is worked out once. */
export function linksBetween(
  articles: readonly RememberedMember[],
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): (a: number, b: number) => number {
  const known = new Map<number, number>()
  return (a, b) => {
    const key = Math.min(a, b) * articles.length + Math.max(a, b)
    const value = known.get(key) ?? linkOf(articles[a], articles[b], weights)
    known.set(key, value)
    return value
  }
}

/** Articles whose vectors are of two encoders cannot be compared: they count as far from each other. */
export const areComparable = (a: RememberedMember, b: RememberedMember): boolean =>
  a.features.encoder === b.features.encoder

function linkOf(
  a: RememberedMember | undefined,
  b: RememberedMember | undefined,
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): number {
  if (a === undefined || b === undefined || !areComparable(a, b)) return weights.rebuild.far
  return pairLogit(pair(a.features, b.features), weights.pair)
}

/**
 * Pairs of articles whose link is above the threshold. Only those are looked at that share keys (each with the 64 that
 * share the rarest), so that the work grows with what they share, not with the square of the articles.
 */
export function strongLinks(
  articles: readonly RememberedMember[],
  link: (a: number, b: number) => number,
  { compared, threshold }: Weights['rebuild'],
): (readonly [number, number])[] {
  const search = sharedKeys(articles, compared)
  const found = new Map<number, readonly [number, number]>()
  for (let a = 0; a < articles.length; a++) {
    for (const b of search(a)) {
      if (link(a, b) > threshold) found.set(Math.min(a, b) * articles.length + Math.max(a, b), a < b ? [a, b] : [b, a])
    }
  }
  return [...found.values()].sort(([a, b], [c, d]) => a - c || b - d)
}

/** By article: those with the highest sum of the weights of the keys they share, of equals the first. */
function sharedKeys(articles: readonly RememberedMember[], limit: number): (article: number) => number[] {
  const postings = new Map<number, number[]>()
  articles.forEach(({ features: { keys } }, article) => {
    for (const key of keys.hashes) {
      const posting = postings.get(key)
      if (posting === undefined) postings.set(key, [article])
      else posting.push(article)
    }
  })
  const sums = new Float64Array(articles.length)
  return (article) => {
    const touched: number[] = []
    const { hashes, weights } = articles[article]?.features.keys ?? { hashes: [], weights: [] }
    hashes.forEach((key: number, i: number) => {
      const weight = weights[i] ?? 0
      for (const other of postings.get(key) ?? []) {
        if (other === article || weight <= 0) continue
        if (sums[other] === 0) touched.push(other)
        sums[other] = (sums[other] ?? 0) + weight
      }
    })
    const found = touched.map((other) => ({ other, sum: sums[other] ?? 0 }))
    for (const other of touched) sums[other] = 0
    found.sort((x, y) => y.sum - x.sum || x.other - y.other)
    return found.slice(0, limit).map(({ other }) => other)
  }
}
