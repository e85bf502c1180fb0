import { fraction, mixPair } from './mixing.ts'

/** The vectors of a base article: float32[384], unit length. */
export interface BaseVectors {
  readonly leadVector: Float32Array
  readonly titleVector: Float32Array
}

/**
 * The parts of base articles in the vector of an event. Their squares add up to 1, so events are as similar to each
 * other as the base articles; no part is so large that two events with the same one would be taken for one event.
 */
const EVENT_PARTS = [0.65, 0.5, 0.42, 0.38] as const
/** The same for what an article says besides its event. */
const OWN_PARTS = [0.58, 0.58, 0.58] as const

/** How much of an article's vector is that of its event: by event from `least` to `most`, more often near `most`. */
const SHARED = { least: 0.28, most: 0.83, jitter: 0.08 } as const
/** Titles of one event are less similar than leads. */
const TITLE_SHARED_LESS = 0.13

export interface VectorSeeds {
  readonly event: number
  readonly own: number
}

/**
 * Vectors of generated articles: mixtures of the vectors of base articles, without their mean. So random articles are as
 * similar as random base articles. `SHARED` makes articles of one event as similar as those of one labelled story.
 */
export function vectorMixer(bases: readonly BaseVectors[]) {
  const leads = centre(bases.map(({ leadVector }) => leadVector))
  const titles = centre(bases.map(({ titleVector }) => titleVector))
  return ({ event, own }: VectorSeeds): BaseVectors => {
    const spread = SHARED.jitter * (2 * fraction(mixPair(own, 3)) - 1)
    const shared = SHARED.least + (SHARED.most - SHARED.least) * Math.sqrt(fraction(mixPair(event, 3))) + spread
    return {
      leadVector: mixture(leads, { event, own }, bounded(shared)),
      titleVector: mixture(titles, { event, own }, bounded(shared - TITLE_SHARED_LESS)),
    }
  }
}

const bounded = (share: number): number => Math.min(0.97, Math.max(0.02, share))

interface Centred {
  readonly mean: Float32Array
  readonly rest: readonly Float32Array[]
}

function centre(vectors: readonly Float32Array[]): Centred {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) add(mean, vector, 1 / vectors.length)
  return { mean, rest: vectors.map((vector) => vector.map((value, i) => value - (mean[i] ?? 0))) }
}

function mixture({ mean, rest }: Centred, { event, own }: VectorSeeds, shared: number): Float32Array {
  const sum = Float32Array.from(mean)
  const addParts = (parts: readonly number[], seed: number, share: number): void =>
    parts.forEach((part, i) => {
      const base = rest[mixPair(seed, 16 + i) % rest.length]
      if (base !== undefined) add(sum, base, part * Math.sqrt(share))
    })
  addParts(EVENT_PARTS, event, shared)
  addParts(OWN_PARTS, own, 1 - shared)
  let square = 0
  for (const value of sum) square += value * value
  const length = Math.sqrt(square) || 1
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) / length
  return sum
}

function add(sum: Float32Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + factor * (vector[i] ?? 0)
}
