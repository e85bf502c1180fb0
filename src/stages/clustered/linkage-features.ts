import type { Features } from './features.ts'
import type { RebuildWeights, Weights } from '../../language/clustering/model.ts'
import { FEATURES, isUnlike, KINDS, named, pair, pairLogit, unnamed } from './pair.ts'

/**
 * The link of two groups as named numbers: `pairs` of their articles, `far_pairs` of them whose vectors cannot be compared,
 * `unlike_pairs` that are clearly of two events (left out where there are none), `within`, the mean link inside the looser
 * group, `size`, the articles of both groups together (each left out where the groups are not held to it), and for each kind of other pair `<kind>.pairs` and
 * `<kind>.<feature>`, the mean over its pairs.
 */
export function toLinkageFeatures(
  known: readonly (readonly [Features, Features])[],
  { pairs, within, size }: HeldBy & { readonly pairs: number },
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): Record<string, number> {
  const compared = known.map(([a, b]) => pair(a, b))
  const alike = compared.filter((found) => !isUnlike(found, weights))
  const unlike_pairs = compared.length - alike.length
  const features: Record<string, number> = {
    pairs,
    far_pairs: pairs - known.length,
    ...(unlike_pairs === 0 ? {} : { unlike_pairs }),
    ...recorded('within', leastOf(within)),
    ...recorded('size', size),
  }
  for (const found of alike) {
    add(features, `${found.kind}.pairs`, 1)
    for (const [name, value] of Object.entries(named(found))) add(features, `${found.kind}.${name}`, value)
  }
  for (const kind of KINDS) {
    const count = features[`${kind}.pairs`]
    if (count === undefined) continue
    for (const name of FEATURES[kind]) features[`${kind}.${name}`] = (features[`${kind}.${name}`] ?? 0) / count
  }
  return features
}

const recorded = (name: string, value: number | null): Record<string, number> =>
  value === null ? {} : { [name]: value }

function add(features: Record<string, number>, name: string, value: number): void {
  features[name] = (features[name] ?? 0) + value
}

/** What two groups are measured by beside the links between them. */
interface HeldBy {
  readonly within: LinkageFeaturesWithin
  /** Articles of both together; `null` when the size of one of them does not count. */
  readonly size: number | null
}

/** Mean link of the own pairs of each of two groups; `null` for a single article or when cohesion does not count. */
type LinkageFeaturesWithin = readonly [number | null, number | null]

const leastOf = ([one, other]: LinkageFeaturesWithin): number | null =>
  one === null || other === null ? null : Math.min(one, other)

/**
 * How well two groups go together, by the mean link between them: where both hold together better by themselves than
 * with each other (the looser one counts, up to `cohesion_most`), a share of the difference is taken off. One article by
 * itself holds together no better. `size_share` is taken off for each e-fold of their size from `size_from` to `size_most`: of
 * a subject that everybody writes on, articles are alike that report different events.
 */
export function bond(
  between: number,
  { within, size }: HeldBy,
  { cohesion_share, cohesion_most, size_share, size_from, size_most }: BondWeights,
): number {
  const least = leastOf(within)
  const excess = least === null ? 0 : Math.max(0, Math.min(least, cohesion_most) - between)
  const folds = size === null ? 0 : Math.log(Math.min(Math.max(size, size_from), size_most) / size_from)
  return Math.round((between - cohesion_share * excess - size_share * folds) * 1e6) / 1e6
}

/** What the bond of two groups is worked out with. */
export type BondWeights = Pick<
  RebuildWeights,
  'cohesion_share' | 'cohesion_most' | 'size_share' | 'size_from' | 'size_most'
>

/** The bond of two groups: their mean link follows from the means of the features, the logit being linear. */
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
