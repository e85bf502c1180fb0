import { z } from 'zod'
import type { GraphRules } from '../../domain/graph/rules.ts'
import type { Store } from '../../ports/store.ts'
import { query } from '../../views/query.ts'
import { typeOf } from './zipf-stories.ts'

/** Two stories by number, the smaller first. */
export type PairOfNumbers = `${number} ${number}`

/** The number of pairs per query. With more, a server with 1.5 GB of memory would group them on disk. */
const PAIRS_AT_ONCE = 15_000_000
const ROWS_AT_ONCE = 100_000
const MAX_SECONDS = 60

/** Numbers instead of ids, sorted by entity: the best case for a self-join. */
const TABLE = `
  CREATE OR REPLACE TABLE bench_story_entities
  (
    namespace  LowCardinality(String),
    entity     UInt32,
    story      UInt32,
    weight     UInt8,
    total      UInt16  -- of the story
  )
  ENGINE = MergeTree
  ORDER BY (namespace, entity, story)`

const selfJoin = query({
  name: 'bench.graph_self_join',
  sql: `
    WITH
    ones AS (
      SELECT entity, story, weight, total FROM bench_story_entities
      WHERE namespace = {namespace: String} AND story % {parts: UInt32} = {part: UInt32}
    ),
    others AS (
      SELECT entity, story, total FROM bench_story_entities
      WHERE namespace = {namespace: String}
    )
    SELECT ones.story AS one, others.story AS other
    FROM others INNER JOIN ones ON ones.entity = others.entity
    WHERE ones.story < others.story
    GROUP BY one, other
    HAVING count() >= {least: UInt8} AND sum(weight) >= {confidence: Float64} * (any(ones.total) + any(others.total) - sum(weight))`,
  params: z.object({ parts: z.int(), part: z.int(), least: z.int(), confidence: z.number() }),
  row: z.object({ one: z.number(), other: z.number() }),
  maxSeconds: MAX_SECONDS,
})

/**
 * Finds the same pairs with a straightforward self-join of the inverted index in SQL, in as many parts as fit into
 * memory.
 */
export async function joinInSql(store: Store, sets: readonly (readonly number[])[], { weights, shared }: GraphRules) {
  const namespace = 'bench'
  await store.command(TABLE)
  const rows = sets.flatMap((set, story) => {
    const weighed = set.map((entity) => ({ namespace, entity, story, weight: weights[typeOf(entity)] }))
    const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
    return weighed.map((row) => ({ ...row, total }))
  })
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await store.insert('bench_story_entities', rows.slice(from, from + ROWS_AT_ONCE))
  }
  await store.command('OPTIMIZE TABLE bench_story_entities FINAL')

  const parts = Math.ceil(sets.length ** 2 / PAIRS_AT_ONCE)
  const pairs = new Set<PairOfNumbers>()
  const begun = performance.now()
  for (let part = 0; part < parts; part++) {
    const { least, confidence } = shared
    const found = await selfJoin(store)({ namespace, parts, part, least, confidence })
    for (const { one, other } of found) pairs.add(`${one} ${other}`)
  }
  const seconds = (performance.now() - begun) / 1000
  await store.command('DROP TABLE bench_story_entities')
  return { seconds, pairs }
}
