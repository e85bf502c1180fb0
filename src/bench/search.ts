import pMap from 'p-map'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { withWiringOf, type OwnService } from './own-service.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'
import { scoredArticles } from './inputs.ts'
import { articlesScored, type ArticleScored } from '../events/articles.ts'
import { vectors } from '../events/vector.ts'
import type { Row, Store } from '../ports/store.ts'
import { byVector, nearestArticles, vectorParameter, nearestTokens } from '../views/articles/nearest.ts'
import { articleRows } from '../views/articles/project.ts'
import { query } from '../views/query.ts'
import { quantile, timed } from './rounds.ts'
import { enlargedCorpus, type Corpus } from './enlarged-corpus.ts'

const ARTICLES = 100_000
/** Their titles are the queries. These articles are not part of the searched corpus. */
const QUERIES = 100

export const search: BenchPart = {
  about: `article and token search over ${ARTICLES.toLocaleString('en')} articles, compared with a float32 scan (minutes)`,
  inService: measure,
}

const NAMESPACE = 'bench-search'
const LIMIT = 10
/** Articles per insert, as a view writes them under load. */
const PART = 500
/** The baseline is slow, so it runs fewer queries. */
const BASELINE_QUERIES = 20
const RECALL_QUERIES = 50

function measure({ articles, wiring: { out } }: BenchSetting, service: OwnService): Promise<BenchResult> {
  return withWiringOf(service, async (own) => {
    const titled = articles.filter(({ title }) => title !== null)
    const chosen = titled.slice(0, Math.min(QUERIES, Math.floor(titled.length / 2)))
    const others = articles.filter((article) => !chosen.includes(article))
    const figures = await benchSearch({
      store: await own.store(),
      real: await scoredArticles(others, own),
      queries: await (await own.encoder()).sentences(chosen.map(({ title }) => title ?? '')),
      onProgress: (line) => out.progress(line),
    })
    return { figures, lines: table(figures) }
  })
}

interface SearchBench {
  readonly store: Store
  /** Real scored articles, with their tokens. */
  readonly real: readonly ArticleScored[]
  /** Vectors of real queries, unit length. */
  readonly queries: readonly Float32Array[]
  readonly onProgress: (line: string) => void
}

async function benchSearch({ store, real, queries, onProgress }: SearchBench) {
  onProgress(`filling ${ARTICLES} articles ...`)
  const filled = await timed(() => fill(store, enlargedCorpus(real, NAMESPACE)))
  const { all, tokens } = filled.result

  onProgress(`${queries.length} queries, each shape one by one, two at a time and while articles arrive ...`)
  const as_of = Date.UTC(2100, 0)
  const search = { namespace: NAMESPACE, as_of, min_quality: 0, limit: LIMIT }
  const byArticle = (vector: Float32Array) => nearestArticles(store, search, [byVector(vector)])
  const byToken = (vector: Float32Array) => nearestTokens(store, search, vector)
  const article_search = await latencyOf(queries, 1, byArticle)
  const token_search = await latencyOf(queries, 1, byToken)
  const baseline = await latencyOf(queries.slice(0, BASELINE_QUERIES), 1, async (vector) => {
    await plainSearch(store)({ namespace: NAMESPACE, vector, limit: LIMIT })
  })
  return {
    ...{ articles: ARTICLES, tokens, fill_seconds: filled.ms / 1000 },
    /**
     * Ten results each: article search (shape A), token search (shape B), and float32 distances over the whole table
     * with FINAL.
     */
    ...{ article_search, token_search, baseline },
    article_search_two_at_a_time: await latencyOf(queries, 2, byArticle),
    token_search_two_at_a_time: await latencyOf(queries, 2, byToken),
    /** Recall of article search (shape A), compared with exact float32 distances. */
    recall_at_10: await recall(all, queries.slice(0, RECALL_QUERIES), byArticle),
    /** The p50 of the baseline divided by that of article search. */
    ratio: baseline.p50 / article_search.p50,
    ...(await whileInserting(store, enlargedCorpus(real, `${NAMESPACE}-arriving`), async () => ({
      article_search_while_inserting: await latencyOf(queries, 1, byArticle),
      token_search_while_inserting: await latencyOf(queries, 1, byToken),
    }))),
  }
}

const plainSearch = query({
  name: 'bench.plain_search',
  sql: `
    SELECT
      article_id, title, source,
      cosineDistance(embedding, reinterpret(base64Decode({vector: String}), 'Array(Float32)')) AS distance
    FROM articles FINAL
    WHERE namespace = {namespace: String}
    ORDER BY distance
    LIMIT {limit: UInt32}`,
  params: z.object({ vector: vectorParameter, limit: z.int() }),
  row: z.unknown(),
})

interface Filled {
  readonly tokens: number
  readonly all: { readonly ids: readonly string[]; readonly vectors: readonly Float32Array[] }
}

/** One in this many articles has an older revision, as in a live system. */
const REVISED = 50

async function fill(store: Store, corpus: Corpus): Promise<Filled> {
  const ids: string[] = []
  const newest: Float32Array[] = []
  let tokens = 0
  for (let from = 0; from < ARTICLES; from += PART) {
    const events = Array.from({ length: Math.min(PART, ARTICLES - from) }, (_, i) => corpus(from + i))
    const older = events
      .filter((_, i) => (from + i) % REVISED === 0)
      .map((event) => ({ ...event, content_hash: `older ${event.content_hash}` }))
    await insert(store, older, from * 2)
    await insert(store, events, from * 2 + PART)
    for (const { article_id, embedding, tokens: list } of events) {
      ids.push(article_id)
      newest.push(...vectors(embedding))
      tokens += list.length
    }
  }
  return { tokens, all: { ids, vectors: newest } }
}

/** Inserts the rows that the view would write, with one insert per table. */
async function insert(store: Store, events: readonly ArticleScored[], firstOffset: number): Promise<void> {
  const tables = new Map<string, Row[]>()
  for (const [i, event] of events.entries()) {
    const place = { topic: articlesScored.name, partition: 0, offset: firstOffset + i }
    for (const { table, row } of articleRows({ event, topic: place.topic, place, loggedAt: event.occurred_at })) {
      const rows = tables.get(table) ?? []
      tables.set(table, rows)
      rows.push(row)
    }
  }
  for (const [table, rows] of tables) await store.insert(table, rows)
}

/** Wall time in milliseconds. */
async function latencyOf(
  queries: readonly Float32Array[],
  concurrency: number,
  ask: (vector: Float32Array) => Promise<unknown>,
) {
  const answers = await pMap(queries, (vector) => timed(() => ask(vector)), { concurrency })
  const times = answers.map(({ ms }) => ms)
  return { p50: quantile(times, 0.5) ?? 0, p95: quantile(times, 0.95) ?? 0 }
}

/** The share of the ten exact nearest neighbours that the search returned. */
async function recall(
  { ids, vectors: all }: Filled['all'],
  queries: readonly Float32Array[],
  ask: (vector: Float32Array) => Promise<readonly { readonly article_id: string }[]>,
): Promise<number> {
  let found = 0
  for (const vector of queries) {
    const cosines = Float64Array.from(all, (one) => one.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0))
    const exact = [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, LIMIT)
    const returned = new Set((await ask(vector)).map(({ article_id }) => article_id))
    found += exact.filter((index) => returned.has(ids[index] ?? '')).length
  }
  return found / (queries.length * LIMIT)
}

/** Articles per second: more than two cores can score. */
const ARRIVING_A_SECOND = 50

/** Inserts articles of another namespace while `measure` runs. */
async function whileInserting<Figures>(
  store: Store,
  corpus: Corpus,
  measure: () => Promise<Figures>,
): Promise<Figures> {
  let measuring = true
  const arriving = async (): Promise<void> => {
    for (let from = 0; measuring; from += ARRIVING_A_SECOND) {
      const events = Array.from({ length: ARRIVING_A_SECOND }, (_, i) => corpus(from + i))
      await insert(store, events, from)
      await setTimeout(1_000)
    }
  }
  const arrived = arriving()
  try {
    return await measure()
  } finally {
    measuring = false
    await arrived
  }
}

const latency = ({ p50, p95 }: Awaited<ReturnType<typeof latencyOf>>): string =>
  `p50 ${p50.toFixed(0).padStart(5)} ms   p95 ${p95.toFixed(0).padStart(5)} ms`

const table = (f: Awaited<ReturnType<typeof benchSearch>>): readonly string[] => [
  `  ${f.articles.toLocaleString('en')} articles, ${f.tokens.toLocaleString('en')} tokens (filled in ${f.fill_seconds.toFixed(0)} s)`,
  `  articles                     ${latency(f.article_search)}`,
  `  articles, two at a time      ${latency(f.article_search_two_at_a_time)}`,
  `  articles, while inserting    ${latency(f.article_search_while_inserting)}`,
  `  tokens                       ${latency(f.token_search)}`,
  `  tokens, two at a time        ${latency(f.token_search_two_at_a_time)}`,
  `  tokens, while inserting      ${latency(f.token_search_while_inserting)}`,
  `  plain float32 scan           ${latency(f.baseline)}   ${f.ratio.toFixed(1)} times as long (p50)`,
  `  recall@10 against exact      ${f.recall_at_10.toFixed(4)}`,
]
