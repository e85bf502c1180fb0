import type { Features } from './features.ts'
import type { Weights } from './model.ts'
import { pair, pairLogit, type Kind } from './pair.ts'

const KINDS: readonly Kind[] = ['body', 'headline']

/**
 * The link of two groups as named numbers: `pairs` of their articles, `far_pairs` of them whose vectors cannot be compared, and for each kind of known pair `<kind>.pairs` and `<kind>.<feature>`, the mean over its pairs.
 */
export function toLinkageFeatures(
  known: readonly (readonly [Features, Features])[],
  pairs: number,
): Record<string, number> {
  const features: Record<string, number> = { pairs, far_pairs: pairs - known.length }
  for (const [a, b] of known) {
    const { kind, values } = pair(a, b)
    features[`${kind}.pairs`] = (features[`${kind}.pairs`] ?? 0) + 1
    for (const [name, value] of Object.entries(values)) add(features, `${kind}.${name}`, value)
  }
  for (const kind of KINDS) {
    const count = features[`${kind}.pairs`] ?? 0
    for (const name of namesOf(features, kind)) features[`${kind}.${name}`] = (features[`${kind}.${name}`] ?? 0) / count
  }
  return features
}

function add(features: Record<string, number>, name: string, value: number): void {
  features[name] = (features[name] ?? 0) + value
}

/** Mean link over all pairs, rounded to a millionth: it follows from the means of the features, the logit being linear. */
export function linkageScore(
  features: Readonly<Record<string, number>>,
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): number {
  let sum = (features['far_pairs'] ?? 0) * weights.rebuild.far
  for (const kind of KINDS) {
    const count = features[`${kind}.pairs`]
    if (count === undefined) continue
    const values = Object.fromEntries(namesOf(features, kind).map((name) => [name, features[`${kind}.${name}`] ?? 0]))
    sum += count * pairLogit({ kind, values }, weights.pair)
  }
  return Math.round((sum / (features['pairs'] ?? 1)) * 1e6) / 1e6
}

const namesOf = (features: Readonly<Record<string, number>>, kind: Kind): string[] =>
  Object.keys(features)
    .filter((name) => name.startsWith(`${kind}.`) && name !== `${kind}.pairs`)
    .map((name) => name.slice(kind.length + 1))
