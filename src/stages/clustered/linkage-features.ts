import type { RebuildWeights, Weights } from '../../language/clustering/model.ts'
import { FEATURES, isUnlike, KINDS, pairLogit, unnamed, type ArticlePair, type PairKind } from './pair.ts'

/**
 * The link of two groups as named numbers: `pairs` (article pairs), `far_pairs` (pairs whose vectors cannot be
 * compared), `unlike_pairs` (pairs clearly of two events; omitted if there are none), `within` (mean link inside the
 * looser group) and `size` (articles in both groups together). `within` and `size` are omitted if they are not used for
 * these groups. For each kind of the other pairs there are `<kind>.pairs` and `<kind>.<feature>`, the mean over the
 * pairs.
 */
export function toLinkageFeatures(
  compared: readonly ArticlePair[],
  { pairs, within, size }: GroupProperties & { readonly pairs: number },
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): Record<string, number> {
  const alike = compared.filter((found) => !isUnlike(found, weights))
  const unlike_pairs = compared.length - alike.length
  const features: Record<string, number> = {
    pairs,
    far_pairs: pairs - compared.length,
    ...(unlike_pairs === 0 ? {} : { unlike_pairs }),
    ...recorded('within', lowerOf(within)),
    ...recorded('size', size),
  }
  for (const [kind, { pairs: count, values }] of sumsOf(alike)) {
    features[`${kind}.pairs`] = count
    for (const [i, name] of FEATURES[kind].entries()) features[`${kind}.${name}`] = (values[i] ?? 0) / count
  }
  return features
}

/** The sums of the values of each kind of pair, in the order in which the kinds occur. */
function sumsOf(pairs: readonly ArticlePair[]): Map<PairKind, { pairs: number; readonly values: Float64Array }> {
  const sums = new Map<PairKind, { pairs: number; readonly values: Float64Array }>()
  for (const { kind, values } of pairs) {
    const sum = sums.get(kind) ?? { pairs: 0, values: new Float64Array(values.length) }
    sums.set(kind, sum)
    sum.pairs++
    for (const [i, value] of values.entries()) sum.values[i] = (sum.values[i] ?? 0) + value
  }
  return sums
}

const recorded = (name: string, value: number | null): Record<string, number> =>
  value === null ? {} : { [name]: value }

/** Properties of two groups that change their bond. */
interface GroupProperties {
  readonly within: LinkageFeaturesWithin
  /** Articles in both groups together; `null` if the size of one of them is not used. */
  readonly size: number | null
}

/** Mean link within each of two groups; `null` for a single article, or if cohesion is not used. */
type LinkageFeaturesWithin = readonly [number | null, number | null]

const lowerOf = ([one, other]: LinkageFeaturesWithin): number | null =>
  one === null || other === null ? null : Math.min(one, other)

/**
 * The bond of two groups: their mean link, minus penalties. If both groups are more cohesive than the link between them
 * (the looser one counts, up to `cohesion_most`), `cohesion_share` of the difference is subtracted; a single article
 * has no cohesion. `size_share` is subtracted for each e-fold of their size from `size_from` to `size_most`, since
 * articles on a widely covered subject are similar even if they report different events.
 */
export function bond(
  between: number,
  { within, size }: GroupProperties,
  { cohesion_share, cohesion_most, size_share, size_from, size_most }: BondWeights,
): number {
  const lower = lowerOf(within)
  const excess = lower === null ? 0 : Math.max(0, Math.min(lower, cohesion_most) - between)
  const folds = size === null ? 0 : Math.log(Math.min(Math.max(size, size_from), size_most) / size_from)
  return Math.round((between - cohesion_share * excess - size_share * folds) * 1e6) / 1e6
}

/** The weights used to compute the bond of two groups. */
export type BondWeights = Pick<
  RebuildWeights,
  'cohesion_share' | 'cohesion_most' | 'size_share' | 'size_from' | 'size_most'
>

/**
 * The bond of two groups, from recorded features. The logit is linear, so the mean link can be computed from the mean
 * features.
 */
export function linkageScore(
  features: Readonly<Record<string, number>>,
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): number {
  const { far, unlike } = weights.rebuild
  let sum = (features['far_pairs'] ?? 0) * far + (features['unlike_pairs'] ?? 0) * unlike
  for (const kind of KINDS) {
    const count = features[`${kind}.pairs`]
    if (count === undefined) continue
    sum += count * pairLogit(unnamed(kind, features, `${kind}.`), weights.pair)
  }
  const between = Math.round((sum / (features['pairs'] ?? 1)) * 1e6) / 1e6
  const within = features['within'] ?? null
  return bond(between, { within: [within, within], size: features['size'] ?? null }, weights.rebuild)
}
