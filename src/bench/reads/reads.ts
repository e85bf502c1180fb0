import { z } from 'zod'
import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { query } from '../../views/query.ts'
import type { BenchPart, BenchSetting } from '../part.ts'
import { nearestRank } from '../rounds.ts'
import { tableBytes, totalBytes } from '../stored-bytes.ts'
import { fillReads } from './fill.ts'
import { withReadsStore } from './home.ts'
import { withReadsApi, type ReadsApi } from './reads-api.ts'
import { recallAt10 } from './recall.ts'
import { BASE, FILLED } from './recombine.ts'
import { detailPaths, listPaths, pastPaths, searchPaths, type ReadPaths } from './routes.ts'

export const reads: BenchPart = {
  about: 'search, lists and details in a namespace of --articles articles, which are kept in the cache (minutes)',
  alone: async (setting) => {
    const figures = await measure(setting)
    return { figures, lines: table(figures) }
  },
}

async function measure(setting: BenchSetting) {
  const { wiring, requested: articles } = setting
  const onProgress = (line: string): void => wiring.out.progress(line)
  return withReadsStore(setting, async (store) => {
    const { endsAt } = await fillReads(store, { articles, now: wiring.clock.now(), onProgress })
    const measured = await withReadsApi({ store, wiring, now: endsAt }, (api) =>
      routeTimes({ api, store, endsAt }, onProgress),
    )
    const [counted] = await counts(store)({ namespace: FILLED })
    if (counted === undefined) throw new Error('the store counted nothing')
    return { ...counted, ...measured, bytes_per_article: totalBytes(await tableBytes(store)) / counted.articles }
  })
}

const counts = query({
  name: 'bench.counts',
  sql: `
    SELECT uniqExact(article_id) AS articles, uniqExact(cluster_id) AS stories
    FROM placements
    WHERE namespace = {namespace: String}`,
  params: z.object({}),
  row: z.object({ articles: z.number(), stories: z.number() }),
  maxSeconds: 60,
})

/** Titles of base articles: what the generated articles are about. */
const titles = query({
  name: 'bench.titles',
  sql: `
    SELECT DISTINCT assumeNotNull(title) AS title FROM articles
    WHERE namespace = {namespace: String} AND title != '' ORDER BY sipHash64(title) LIMIT 40`,
  params: z.object({}),
  row: z.object({ title: z.string() }),
})

interface FilledStore {
  readonly api: ReadsApi
  readonly store: Store
  /** End of its event times. */
  readonly endsAt: number
}

async function routeTimes({ api, store, endsAt }: FilledStore, onProgress: (line: string) => void) {
  const queries = (await titles(store)({ namespace: BASE })).map(({ title }) => title)
  const timesOf = async (paths: ReadPaths): Promise<RouteTimes> => {
    const times: [string, readonly number[]][] = []
    for (const [route, list] of Object.entries(paths)) {
      onProgress(`${route}, ${list.length} requests ...`)
      times.push([route, await timesOfRoute(api, list)])
    }
    return Object.fromEntries(times)
  }
  const search_a = await timesOf(searchPaths(queries, 'article'))
  const search_b = await timesOf(searchPaths(queries, 'token'))
  const vectors = await Promise.all(queries.map((text) => api.encode(text)))
  const recall_at_10 = await recallAt10(store, { namespace: FILLED, vectors })
  const [day, month] = [await timesOf(listPaths('24h')), await timesOf(listPaths('30d'))]
  const past = await timesOf(pastPaths(endsAt - 3 * DAY_MS))
  const details = await timesOf(await detailPaths(api.get))
  return {
    search_a_p95_ms: p95Of(search_a),
    search_b_p95_ms: p95Of(search_b),
    recall_at_10,
    lists_24h_p95_ms: p95Of(day),
    lists_30d_p95_ms: p95Of(month),
    routes: {
      lists_24h: summaries(day),
      lists_30d: summaries(month),
      past: summaries(past),
      details: summaries(details),
    },
  }
}

type RouteTimes = Readonly<Record<string, readonly number[]>>

/** Milliseconds of each request, one after another. The first one is not counted: it reads what no cache has. */
async function timesOfRoute(api: ReadsApi, paths: readonly string[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const path of [...paths.slice(0, 1), ...paths]) {
    const { status, ms, body } = await api.get(path)
    const isRefused = status === 503 || (status === 422 && isTooLarge(body))
    if (status >= 400 && !isRefused) throw new Error(`${path} got ${status}: ${JSON.stringify(body).slice(0, 300)}`)
    times.push(isRefused ? Math.max(ms, FAILED_MS) : ms)
  }
  return times.slice(1)
}

const isTooLarge = (body: unknown): boolean => z.object({ code: z.literal('query_too_large') }).safeParse(body).success

/** A read that the store ended, for its time or its memory, counts as its longest time. */
const FAILED_MS = 10_000

const p95Of = (times: RouteTimes): number => nearestRank(Object.values(times).flat(), 0.95)

const summaries = (times: RouteTimes) =>
  Object.fromEntries(
    Object.entries(times).map(([route, each]) => [
      route,
      { p50_ms: Math.round(nearestRank(each, 0.5)), p95_ms: Math.round(nearestRank(each, 0.95)) },
    ]),
  )

const ms = (value: number): string => `${value.toFixed(0).padStart(6)} ms`

const table = (f: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  `  ${f.articles.toLocaleString('en')} articles in ${f.stories.toLocaleString('en')} stories, ${(f.bytes_per_article / 1024).toFixed(1)} kB an article`,
  `  search for articles, p95     ${ms(f.search_a_p95_ms)}   recall@10 ${f.recall_at_10.toFixed(3)}`,
  `  search for tokens, p95       ${ms(f.search_b_p95_ms)}`,
  `  lists of 24 hours, p95       ${ms(f.lists_24h_p95_ms)}`,
  `  lists of 30 days, p95        ${ms(f.lists_30d_p95_ms)}`,
  ...Object.entries(f.routes).flatMap(([group, routes]) => [
    `  ${group}:`,
    ...Object.entries(routes).map(
      ([route, { p50_ms, p95_ms }]) => `    ${route.padEnd(34)} p50 ${ms(p50_ms)}   p95 ${ms(p95_ms)}`,
    ),
  ]),
]
