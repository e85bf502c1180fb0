import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ms, type BenchPart } from '../part.ts'
import { median } from '../rounds.ts'
import { load } from './load.ts'
import type { BenchCommand } from './http-server-process.ts'

export const http: BenchPart = {
  about: 'CPU per request for a list of stories (cached, 304, from the store), compared with bare node:http',
  alone: async ({ wiring: { out } }) => {
    const figures = await measure((line) => out.progress(line))
    return { figures, lines: table(figures) }
  },
}

/** Rounds are short and the kinds alternate, so that other load on the machine affects all kinds. */
const ROUNDS = 21
const ROUND_MS = 500
const WARM_UP_MS = 3_000
const CONNECTIONS = 32
/** Requests per second: half of what bare `node:http` can handle on one core. */
const RATE = 8_000
/** An uncached response costs about ten times as much. */
const UNCACHED_RATE = 1_000
const LIST = '/v1/clusters?time_range=7d&limit=20&sort=relevance'

const fromSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(`./http-server-process.${fromSource ? 'ts' : 'js'}`, import.meta.url))

/**
 * Runs the API and bare `node:http` in one process each and sends requests to them in turn. Measures the CPU time of
 * the serving process in microseconds per request, as the median of the rounds.
 */
async function measure(onProgress: (line: string) => void) {
  const [full, bare] = [new Server(), new Server()]
  try {
    const api = await full.serve({ kind: 'serve' })
    const sent = await fetch(`http://127.0.0.1:${api.port}${LIST}`, {
      headers: { authorization: `Bearer ${api.key}`, 'accept-encoding': 'identity' },
    })
    if (sent.status !== 200) throw new Error(`the list was answered with ${sent.status}`)
    const body = await sent.text()
    const { port } = await bare.serve({ kind: 'serve bare', headers: ownHeaders(sent.headers), body })
    const etag = sent.headers.get('etag') ?? ''
    const to = { port: api.port, key: api.key }
    const kinds = {
      bare: { server: bare, status: '200', request: constant(request({ port, key: api.key })), port },
      cached: { server: full, status: '200', request: constant(request(to)), port: api.port },
      gzip: { server: full, status: '200', request: constant(request(to, 'accept-encoding: gzip')), port: api.port },
      unchanged: {
        ...{ server: full, status: '304', port: api.port },
        request: constant(request(to, `if-none-match: ${etag}`)),
      },
      uncached: {
        ...{ server: full, status: '200', port: api.port },
        rate: UNCACHED_RATE,
        request: (n: number) => request({ ...to, path: `${LIST}&page=${1 + (n % 5)}&n=${n}` }),
      },
    }
    const us = { bare: [], cached: [], gzip: [], unchanged: [], uncached: [] } as Record<keyof typeof kinds, number[]>
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, kind] of Object.entries(kinds)) {
        const cost = await costOf(kind, round < 0 ? WARM_UP_MS : ROUND_MS)
        if (round >= 0) us[name as keyof typeof kinds].push(cost)
      }
      if (round % 5 === 0) onProgress(`round ${round + 1} of ${ROUNDS}`)
    }
    return {
      body_bytes: Buffer.byteLength(body),
      bare_us: median(us.bare),
      /** API key, rate limit, tier, validation, body, headers, ETag, and a log line. */
      cached_us: median(us.cached),
      cached_over_bare: median(us.cached) / median(us.bare),
      cached_gzip_us: median(us.gzip),
      unchanged_us: median(us.unchanged),
      /** Rows read, validated, serialised as JSON, hashed and cached. Excludes the time of the store. */
      uncached_us: median(us.uncached),
    }
  } finally {
    full.end()
    bare.end()
  }
}

interface HttpBenchKind {
  readonly server: Server
  readonly port: number
  readonly status: string
  readonly request: (n: number) => string
  readonly rate?: number
}

async function costOf({ server, port, status, request, rate = RATE }: HttpBenchKind, ms: number): Promise<number> {
  const before = await server.usage()
  const { requests, statuses } = await load({ port, request, connections: CONNECTIONS, rate, ms })
  const after = await server.usage()
  if (statuses.get(status) !== requests) throw new Error(`not every answer was ${status}: ${[...statuses].join(' ')}`)
  return (after - before) / requests
}

const constant = (text: string) => (): string => text

interface BenchRequest {
  readonly port: number
  readonly key: string
  readonly path?: string
}

const request = ({ port, key, path = LIST }: BenchRequest, ...headers: readonly string[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${key}`,
    'user-agent: story-bench',
    'accept: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n')

/** Without the headers that Node.js adds by itself. */
const ownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)))

/** `key`: a key of the Enterprise tier; empty if none is needed. */
const Serving = z.object({ kind: z.literal('serving'), port: z.number(), key: z.string() })
/** CPU time so far, in microseconds. */
const Usage = z.object({ kind: z.literal('usage'), us: z.number() })
export type ServerMessage = z.infer<typeof Serving | typeof Usage>

/** A server process. Its log is discarded. */
class Server {
  private readonly process: ChildProcess = fork(program, {
    execArgv: fromSource ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

  private readonly ended = new AbortController()

  constructor() {
    this.process.once('exit', () => this.ended.abort(new Error('a server of the bench has ended')))
  }

  async serve(command: BenchCommand): Promise<z.infer<typeof Serving>> {
    return Serving.parse(await this.ask(command))
  }

  async usage(): Promise<number> {
    return Usage.parse(await this.ask({ kind: 'usage' })).us
  }

  end(): void {
    if (this.process.connected) this.process.disconnect()
  }

  private async ask(command: BenchCommand): Promise<unknown> {
    const received = once(this.process, 'message', { signal: this.ended.signal })
    this.process.send(command)
    const [message] = (await received) as unknown[]
    return message
  }
}

const table = (f: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  `  the same ${f.body_bytes} bytes and headers, microseconds a request`,
  `  bare node:http               ${ms(f.bare_us)}`,
  `  cached                       ${ms(f.cached_us)}   ${f.cached_over_bare.toFixed(2)} times as much`,
  `  cached, with gzip            ${ms(f.cached_gzip_us)}`,
  `  unchanged (304)              ${ms(f.unchanged_us)}`,
  `  uncached (without the store) ${ms(f.uncached_us)}`,
]
