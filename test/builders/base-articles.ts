import type { Bases } from '../../src/bench/state/world.ts'
import { seeded } from '../../src/quality/seeded-random.ts'
import { realArticles } from './real-articles.ts'

const DIM = 384
/** Vectors of news vary in few directions: so many independent ones give the spread of real cosines. */
const DIRECTIONS = 60
/** The length of the part that all news has in common: two random articles have a cosine of .19. */
const COMMON = 0.44

/** Real texts with made-up vectors, whose cosines are distributed like those of real articles. No encoder needed. */
export function baseArticles(count: number): Bases {
  const random = seeded('base articles')
  const vector = (): Float32Array => {
    const own = Array.from({ length: DIRECTIONS }, () => random() + random() + random() + random() - 2)
    const length = Math.hypot(...own)
    const rest = Math.sqrt(1 - COMMON ** 2)
    return Float32Array.from({ length: DIM }, (_, i) => (i === 0 ? COMMON : (rest * (own[i - 1] ?? 0)) / length))
  }
  const articles = realArticles().slice(-count)
  return {
    model: 'made-up',
    articles: articles.map(({ title, text }) => ({ title, text, leadVector: vector(), titleVector: vector() })),
  }
}
