import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import { seeded } from '../../quality/seeded-random.ts'
import type { Features } from '../../stages/clustered/features.ts'
import type { ClusteredTerms } from '../../stages/clustered/terms.ts'

/** An article in the form that the state stores: its features and the fingerprint of its text. */
export interface CopiesRemembered {
  readonly features: Features
  readonly print: Fingerprint
}

/** The difference between a derived article and its original. */
interface CopiesChange {
  /**
   * Determines which terms are replaced and how vectors are rotated. Articles that are changed with one seed remain as
   * similar to each other as before.
   */
  readonly seed: string
  /** The share of terms that are replaced by others, 0 to 1. */
  readonly renamed: number
  /** The angle by which vectors are rotated about the mean vector of all news, in radians. */
  readonly turned: number
}

/** Derives articles of another world, or of another outlet in the same world, depending on the size of the change. */
export function changer({ seed, renamed, turned }: CopiesChange, mu: Float32Array) {
  const random = seeded(seed)
  const salt = Math.floor(random() * 2 ** 32)
  const planes = shuffled(mu.length, random)
  const map = (hash: number): number => {
    const mixed = stirred(hash ^ salt)
    return mixed < renamed * 2 ** 32 ? stirred(mixed ^ 0x5bd1e995) : hash
  }
  const terms = (given: ClusteredTerms): ClusteredTerms => renamedTerms(given, map)
  const vector = (given: Float32Array): Float32Array => rotated(given, { mu, planes, turned })
  return ({ features, print }: CopiesRemembered, time: number): CopiesRemembered => ({
    features: {
      ...features,
      time,
      lead: vector(features.lead),
      title: vector(features.title),
      bodyTerms: terms(features.bodyTerms),
      titleTerms: terms(features.titleTerms),
      entityTerms: terms(features.entityTerms),
      keys: terms(features.keys),
      evidence: Object.fromEntries(Object.entries(features.evidence).map(([kind, given]) => [kind, terms(given)])),
    },
    print: {
      hash: `${print.hash}:${seed}`,
      shingles: print.shingles.map((hash) => stirred(hash ^ salt)).sort(),
      bands: print.bands.map((key) => stirred(key ^ salt) | 0),
    },
  })
}

function renamedTerms({ hashes, weights }: ClusteredTerms, map: (hash: number) => number): ClusteredTerms {
  const order = Array.from(hashes, (hash, i) => ({ hash: map(hash), i })).sort((a, b) => a.hash - b.hash)
  return {
    hashes: Uint32Array.from(order, ({ hash }) => hash),
    weights: Float32Array.from(order, ({ i }) => weights[i] ?? 0),
  }
}

interface CopiesTurn {
  readonly mu: Float32Array
  /** Vector components, two per plane. */
  readonly planes: readonly number[]
  readonly turned: number
}

/**
 * Rotates a vector in every plane, about the mean: what all news has in common is preserved. The result has unit
 * length.
 */
function rotated(vector: Float32Array, { mu, planes, turned }: CopiesTurn): Float32Array {
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)]
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
  const places = Array.from({ length: count }, (_, i) => ({ i, at: random() }))
  return places.sort((a, b) => a.at - b.at).map(({ i }) => i)
}

/** Mixes the bits of a 32-bit number: the finaliser of MurmurHash3. */
function stirred(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
