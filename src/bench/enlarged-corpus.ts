import type { ArticleScored } from '../events/articles.ts'
import { articleId, contentHash } from '../events/ids.ts'
import { f32, i8, vectors } from '../events/vector.ts'

/** The linear congruential generator of Knuth and Numerical Recipes: the same seed produces the same corpus. */
const randomFrom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const NOISES = 512

/** The sum of four uniform numbers approximates a normal distribution with standard deviation 1. */
function noises(dim: number): readonly Float32Array[] {
  const random = randomFrom(7)
  const normal = (): number => (random() + random() + random() + random() - 2) * Math.sqrt(3)
  return Array.from({ length: NOISES }, () => Float32Array.from({ length: dim }, normal))
}

/** Keeps the cosine of a copy and its original at about 0.71 to 0.93, as between neighbours in one topic. */
const SPREAD = { min: 0.02, max: 0.05 }

export type Corpus = (index: number) => ArticleScored

/**
 * The real articles, followed by copies of them whose article and token vectors are shifted by seeded noise. This gives
 * realistic neighbourhoods at any size.
 */
export function enlargedCorpus(real: readonly ArticleScored[], namespace: string): Corpus {
  const dim = real[0]?.embedding.dim ?? 0
  const pool = noises(dim)
  const originals = real.map((event) => ({
    event,
    own: vectors(event.embedding),
    tokens: vectors(event.token_vectors),
  }))

  return (index) => {
    const original = originals[index % originals.length]
    if (original === undefined) throw new Error('There is no article to make a corpus of')
    const random = randomFrom(index + 1)
    const shifted = (vector: Float32Array): Float32Array => {
      if (index < originals.length) return vector
      const by = SPREAD.min + (SPREAD.max - SPREAD.min) * random()
      const noise = pool[Math.floor(random() * NOISES)] ?? vector
      return displaced(vector, { by, noise, turn: Math.floor(random() * dim) })
    }
    const { event, own, tokens } = original
    const url = `https://bench.example/${index}`
    return {
      ...event,
      namespace,
      article_id: articleId(namespace, url, ''),
      content_hash: contentHash(event.title, url),
      url,
      text: '',
      embedding: f32(event.embedding.model, shifted(own[0] ?? new Float32Array(dim))),
      token_vectors: i8(event.token_vectors.model, dim, tokens.map(shifted)),
    }
  }
}

interface Displacement {
  readonly by: number
  readonly noise: Float32Array
  /** The offset at which the noise is read. */
  readonly turn: number
}

/** Adds the noise and scales to unit length. */
function displaced(vector: Float32Array, { by, noise, turn }: Displacement): Float32Array {
  const out = new Float32Array(vector.length)
  let squares = 0
  for (let i = 0; i < out.length; i++) {
    const value = (vector[i] ?? 0) + by * (noise[(i + turn) % out.length] ?? 0)
    out[i] = value
    squares += value * value
  }
  const norm = Math.sqrt(squares)
  return out.map((value) => value / norm)
}
