import type { Features } from './features.ts'
import type { Weights } from '../../language/clustering/model.ts'
import { FEATURES, pair, pairLogit, type PairKind, type ArticlePair } from './pair.ts'

/** How an article stands to a story: the mean of its pairs with the members, by kind, and the best of them. */
export interface ClusteredLink {
  /** Members of the story in memory. */
  readonly size: number
  readonly means: Readonly<Partial<Record<PairKind, Mean>>>
  readonly best: ArticlePair
}

export interface Mean {
  readonly pairs: number
  /** In the order of `FEATURES`. */
  readonly values: readonly number[]
}

export interface LinkScore {
  readonly mean_link: number
  readonly max_link: number
  readonly size_penalty: number
  /** Rounded to a millionth, so that it is the same wherever it is added up. */
  readonly score: number
}

/** Compares an article with members of one story; `size` is that of the whole story. Null: no member to compare. */
export function link(
  article: Features,
  { members, size }: { readonly members: readonly Features[]; readonly size: number },
  weights: Weights['pair'],
): ClusteredLink | null {
  const sums: Record<PairKind, { pairs: number; values: number[] }> = {
    body: { pairs: 0, values: FEATURES.body.map(() => 0) },
    headline: { pairs: 0, values: FEATURES.headline.map(() => 0) },
  }
  let best: ArticlePair | null = null
  let highest = -Infinity
  for (const member of members) {
    const next = pair(article, member)
    const sum = sums[next.kind]
    sum.pairs += 1
    for (let i = 0; i < next.values.length; i++) sum.values[i] = (sum.values[i] ?? 0) + (next.values[i] ?? 0)
    const logit = pairLogit(next, weights)
    if (logit <= highest) continue
    highest = logit
    best = next
  }
  return best === null
    ? null
    : { size, means: { ...mean('body', sums.body), ...mean('headline', sums.headline) }, best }
}

const mean = (kind: PairKind, { pairs, values }: Mean): ClusteredLink['means'] =>
  pairs === 0 ? {} : { [kind]: { pairs, values: values.map((sum) => sum / pairs) } }

/** The mean of the pair logits follows from the mean of the features, since the logit is linear in them. */
export function linkScore(
  { size, means, best }: ClusteredLink,
  { pair: weights, join }: Pick<Weights, 'pair' | 'join'>,
): LinkScore {
  let pairs = 0
  let sum = 0
  for (const kind of ['body', 'headline'] as const) {
    const part = means[kind]
    if (part === undefined) continue
    pairs += part.pairs
    sum += part.pairs * pairLogit({ kind, values: part.values }, weights)
  }
  const mean_link = sum / pairs
  const max_link = pairLogit(best, weights)
  const size_penalty = join.size_weight * Math.log(Math.min(size, join.size_cap))
  const score = join.mean_share * mean_link + join.max_share * max_link - size_penalty
  return { mean_link, max_link, size_penalty, score: Math.round(score * 1e6) / 1e6 }
}
