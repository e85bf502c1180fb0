import { loadConfig } from '../config/config.ts'
import { chosenStore } from '../config/stores.ts'
import { projectPath } from '../config/project-path.ts'
import { openSecrets } from '../engines/secrets.ts'
import { askCli } from '../wiring/up/service.ts'
import type { OwnService } from './own-service.ts'
import type { BenchPart, BenchSetting } from './part.ts'
import { quantile } from './rounds.ts'

export const analysts: BenchPart = {
  about: 'latency of the REST API while an analyst runs queries continuously, and alone',
  inService: async (setting, service) => {
    const figures = await measure(setting, service)
    return { figures, lines: table(figures) }
  },
}

interface RunawayFigure {
  readonly what: string
  /** ClickHouse's code for the limit that ended the query; otherwise the beginning of the response. */
  readonly ended_by: string
  readonly times: number
  /** The longest run, in milliseconds. */
  readonly longest: number
}

/** Each would run for hours or exhaust the memory. */
const RUNAWAYS = [
  [
    'pairs of a million and ten million',
    'SELECT sum(a.number * b.number) FROM numbers(1000000) a CROSS JOIN numbers(10000000) b',
  ],
  [
    'triples of mentions',
    'SELECT count() FROM mentions a CROSS JOIN mentions b CROSS JOIN mentions c WHERE a.start + b.start = c.end',
  ],
  ['all numbers as text at once', 'SELECT groupArray(toString(number)) FROM numbers(49000000)'],
  ['more rows than can be read', 'SELECT sum(number) FROM numbers(1000000000000)'],
] as const

const READS = [
  '/v1/clusters?time_range=30d&limit=20',
  '/v1/stories?time_range=7d&limit=20',
  '/v1/entities?time_range=30d&limit=20',
  '/v1/trends/entities?limit=20',
  '/layer0/v1/search?query=earthquake&limit=10',
]

const ROUNDS = 4
const ROUND_MS = 15_000
const WARM_UP = 10
/** Between two runs of a query: a person does not retry faster. */
const PAUSE_MS = 500

/**
 * Latency of the REST API, alone and while four runaway queries are run continuously as the analyst. Rounds of both
 * kinds alternate, so that other load on the machine affects both.
 */
async function measure({ wiring: { out } }: BenchSetting, service: OwnService) {
  out.progress('importing the sample ...')
  await askCli(service, ['import', 'jsonl', projectPath('samples/ecbplus.jsonl.gz'), '--wait'])
  const read = reader(service)
  for (let i = 0; i < WARM_UP; i++) await read()
  const [idle, beside]: [number[], number[]] = [[], []]
  const ends = new Map<string, RunawayFigure>()
  for (let round = 1; round <= ROUNDS; round++) {
    out.progress(`round ${round} of ${ROUNDS}: alone, then beside ${RUNAWAYS.length} queries without end ...`)
    idle.push(...(await readFor(ROUND_MS, read)))
    beside.push(...(await besideRunaways(service, ends, () => readFor(ROUND_MS, read))))
  }
  const [alone, disturbed] = [latencies(idle), latencies(beside)]
  return {
    idle: alone,
    beside_runaways: disturbed,
    /** Ratio of the p99 latencies. */
    ratio: disturbed.p99 / alone.p99,
    runaways: [...ends.values()],
  }
}

/** Sends the next of the requests, each with a different `as_of`, so that none is answered from the cache. */
function reader({ url, key }: OwnService): () => Promise<number> {
  const from = performance.timeOrigin + performance.now()
  let count = 0
  return async () => {
    const moment = new Date(from + count).toISOString()
    const path = READS[count++ % READS.length] ?? ''
    const begun = performance.now()
    const answer = await fetch(`${url}${path}&as_of=${moment}`, { headers: { authorization: `Bearer ${key}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`)
    return performance.now() - begun
  }
}

async function readFor(ms: number, read: () => Promise<number>): Promise<readonly number[]> {
  const times: number[] = []
  const until = performance.now() + ms
  while (performance.now() < until) times.push(await read())
  return times
}

async function besideRunaways<Result>(
  service: OwnService,
  ends: Map<string, RunawayFigure>,
  use: () => Promise<Result>,
): Promise<Result> {
  const ask = analyst(service)
  const measuring = new AbortController()
  const running = RUNAWAYS.map(async ([what, sql]) => {
    while (!measuring.signal.aborted) {
      const begun = performance.now()
      const ended_by = await ask(sql)
      const previous = ends.get(`${what} ${ended_by}`)
      const longest = Math.max(previous?.longest ?? 0, performance.now() - begun)
      ends.set(`${what} ${ended_by}`, { what, ended_by, times: (previous?.times ?? 0) + 1, longest })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })
  try {
    return await use()
  } finally {
    measuring.abort()
    await Promise.all(running)
  }
}

/** Runs a query as the analyst. Returns what ended it. */
function analyst({ environment, home }: OwnService): (sql: string) => Promise<string> {
  const { url } = chosenStore(loadConfig(environment), undefined)
  const password = openSecrets(home).random('clickhouse_analyst_password')
  const headers = { 'X-ClickHouse-User': 'analyst', 'X-ClickHouse-Key': password }
  return async (body) => {
    const answer = await fetch(`${url}/?database=analyst&wait_end_of_query=1`, { method: 'POST', headers, body })
    const text = await answer.text()
    return /\(([A-Z_]{5,})\)/.exec(text)?.[1] ?? text.slice(0, 60)
  }
}

/** Latencies in milliseconds. */
const latencies = (times: readonly number[]) => ({
  requests: times.length,
  p50: quantile(times, 0.5) ?? 0,
  p99: quantile(times, 0.99) ?? 0,
})

const latencyLine = ({ requests, p50, p99 }: ReturnType<typeof latencies>): string =>
  `p50 ${p50.toFixed(0).padStart(5)} ms   p99 ${p99.toFixed(0).padStart(5)} ms   (${requests} requests)`

const table = (f: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  `  REST alone                 ${latencyLine(f.idle)}`,
  `  beside queries without end ${latencyLine(f.beside_runaways)}   ${f.ratio.toFixed(2)} times the p99`,
  ...f.runaways.map(
    ({ what, ended_by, times, longest }) =>
      `    ${what.padEnd(36)} ${ended_by} ${times} times, after ${(longest / 1000).toFixed(1)} s at most`,
  ),
]
