import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import { sampleShingles } from '../../language/near-duplicates/shingle-sample.ts'
import { seeded } from '../../quality/seeded-random.ts'
import type { Features } from '../../stages/clustered/features.ts'
import { packFeatures, unpackFeatures, type LooseFeatures } from '../../stages/clustered/packed-features.ts'
import type { ClusteredTerms } from '../../stages/clustered/terms.ts'

/** An article in the form that the state stores: its features and the fingerprint of its text. */
export interface StoredArticle {
  readonly features: Features
  readonly print: Fingerprint
}

/** The difference between a derived article and its original. */
interface ArticleChange {
  /**
   * Determines which terms are replaced and how vectors are rotated. Articles that are changed with one seed remain as
   * similar to each other as before.
   */
  readonly seed: string
  /** The share of terms that are replaced by others, 0 to 1. */
  readonly replacedShare: number
  /** The angle by which vectors are rotated about the mean vector of all news, in radians. */
  readonly angle: number
}

/** Derives articles about other events (a large change), or reports of the same event by another outlet (a small one). */
export function changer({ seed, replacedShare, angle }: ArticleChange, mu: Float32Array) {
  const random = seeded(seed)
  const salt = Math.floor(random() * 2 ** 32)
  const planes = shuffled(mu.length, random)
  const map = (hash: number): number => {
    const mixed = mixBits(hash ^ salt)
    return mixed < replacedShare * 2 ** 32 ? mixBits(mixed ^ 0x5bd1e995) : hash
  }
  const terms = (given: ClusteredTerms): ClusteredTerms => replacedTerms(given, map)
  const vector = (given: Float32Array): Float32Array => rotated(given, { mu, planes, angle })
  const changed = ({ lead, title, evidence, ...others }: LooseFeatures): LooseFeatures => ({
    lead: vector(lead),
    title: vector(title),
    cross: null,
    bodyTerms: terms(others.bodyTerms),
    titleTerms: terms(others.titleTerms),
    entityTerms: terms(others.entityTerms),
    keys: terms(others.keys),
    evidence: Object.fromEntries(Object.entries(evidence).map(([kind, given]) => [kind, terms(given)])),
  })
  return ({ features, print }: StoredArticle, time: number): StoredArticle => ({
    features: { ...features, time, ...packFeatures(changed(unpackFeatures(features))) },
    print: {
      hash: `${print.hash}:${seed}`,
      sample: sampleShingles(Uint32Array.from(print.sample.subarray(2), (hash) => mixBits(hash ^ salt)).sort()),
      bands: print.bands.map((key) => mixBits(key ^ salt) >>> 8),
    },
  })
}

function replacedTerms({ hashes, weights }: ClusteredTerms, map: (hash: number) => number): ClusteredTerms {
  const order = Array.from(hashes, (hash, i) => ({ hash: map(hash), i })).sort((a, b) => a.hash - b.hash)
  return {
    hashes: Uint32Array.from(order, ({ hash }) => hash),
    weights: Float32Array.from(order, ({ i }) => weights[i] ?? 0),
  }
}

interface Rotation {
  readonly mu: Float32Array
  /** Vector components, two per plane. */
  readonly planes: readonly number[]
  readonly angle: number
}

/**
 * Rotates a vector in every plane, about the mean: what all news has in common is preserved. The result has unit
 * length.
 */
function rotated(vector: Float32Array, { mu, planes, angle }: Rotation): Float32Array {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const out = new Float32Array(vector.length)
  const own = (i: number): number => (vector[i] ?? 0) - (mu[i] ?? 0)
  for (let at = 0; at + 1 < planes.length; at += 2) {
    const [i, j] = [planes[at] ?? 0, planes[at + 1] ?? 0]
    out[i] = (mu[i] ?? 0) + cos * own(i) - sin * own(j)
    out[j] = (mu[j] ?? 0) + sin * own(i) + cos * own(j)
  }
  let square = 0
  for (const value of out) square += value * value
  const length = Math.sqrt(square) || 1
  return out.map((value) => value / length)
}

function shuffled(count: number, random: () => number): number[] {
  const keys = Array.from({ length: count }, (_, i) => ({ i, at: random() }))
  return keys.sort((a, b) => a.at - b.at).map(({ i }) => i)
}

/** Mixes the bits of a 32-bit number: the finaliser of MurmurHash3. */
function mixBits(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
