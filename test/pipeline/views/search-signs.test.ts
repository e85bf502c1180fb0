import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { Row } from '../../../src/ports/store.ts'
import { f32, bf16, vectors } from '../../../src/events/vector.ts'
import { byVector, nearestArticles } from '../../../src/views/articles/nearest.ts'
import { instant } from '../../../src/views/instant.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { A_NOON } from '../../builders/api.ts'
import { VIEWS_DATABASE } from '../../engines.ts'

const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })

beforeAll(() => migrate(store, { replicated: false }))
afterAll(() => store.close())

const DIM = 384
/** Articles about each topic: far more than the rows whose distances a search computes. */
const ARTICLES = 4_000
const TOPICS = 40

let seed = 7
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const direction = (): Float32Array => Float32Array.from({ length: DIM }, () => random() + random() + random() - 1.5)

/** Vectors of news lie around those of its topics. */
const topics = Array.from({ length: TOPICS }, direction)
const aVector = (topic: number): Float32Array => {
  const own = direction()
  return (topics[topic] ?? own).map((value, i) => value + (own[i] ?? 0))
}

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

it('finds the nearest articles although it computes the distances of few', async () => {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  const stored = Array.from({ length: ARTICLES }, (_, i) => bf16('test:mix', DIM, [aVector(i % TOPICS)]))
  await store.insert(
    'article_vectors',
    stored.map((vector, i) => aRow(namespace, `art_${i}`, vector.data)),
  )

  const known = stored.map((vector, i) => ({
    article_id: `art_${i}`,
    vector: vectors(vector)[0] ?? new Float32Array(),
  }))
  let found = 0
  for (let topic = 0; topic < TOPICS; topic++) {
    const query = vectors(f32('test:mix', aVector(topic)))[0] ?? new Float32Array()
    const exact = known
      .map(({ article_id, vector }) => ({ article_id, near: cosine(vector, query) }))
      .sort((a, b) => b.near - a.near)
      .slice(0, 10)
    const search = { namespace, as_of: A_NOON, min_quality: 0, limit: 10 }
    const ids = new Set((await nearestArticles(store, search, [byVector(query)])).map(({ article_id }) => article_id))
    found += exact.filter(({ article_id }) => ids.has(article_id)).length
  }

  expect(found / (10 * TOPICS)).toBeGreaterThanOrEqual(0.98)
})

const aRow = (namespace: string, article_id: string, vector: Uint8Array): Row => ({
  ...{ namespace, article_id, content_hash: 'one', occurred_at: instant(A_NOON - 1_000), dated: true },
  ...{ title: null, url: null, source: null, published_date: null, quality_score: 0.7, language: 'en' },
  ...{ vector, cross_vector: new Uint8Array(), _log_at: instant(A_NOON), _partition: 0, _offset: 1 },
})
