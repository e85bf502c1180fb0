import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { askCli } from '../wiring/up/service.ts'
import type { OwnService } from './own-service.ts'
import type { BenchPart, BenchResult, BenchSetting } from './part.ts'
import { nearestRank } from './rounds.ts'

/** Articles per second: half of what two cores can process including all polls, and half of what they can import. */
const RATES = [4, 6] as const
const SECONDS = 60
/** Used in turn: each key allows 600 polls of job status per minute. */
const KEYS = 6

export const latency: BenchPart = {
  about: `time from POST to completed (polling), ${RATES.join(' and ')} articles per second for ${SECONDS} s each`,
  inService: measure,
}

async function measure({ articles }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const keys = await Promise.all(Array.from({ length: KEYS }, () => enterpriseKey(service)))
  const figures: ReturnType<typeof figure>[] = []
  for (const [i, rate] of RATES.entries()) {
    // each rate has its own articles if there are enough, since known articles cost less
    const bodies = [...articles.slice(i * SECONDS * rate), ...articles].map(asBody)
    const ends = await submitAll(bodies, rate, (n) => ({ url: service.url, key: keys[n % keys.length] ?? '' }))
    figures.push(figure(rate, ends))
  }
  return { figures, lines: figures.flatMap(table) }
}

/** Creates a key and waits until the service accepts it. */
async function enterpriseKey(service: OwnService): Promise<string> {
  const printed = await askCli(service, ['keys', 'create', '--tier', 'enterprise', '--json'])
  const { key } = JSON.parse(printed) as { readonly key: string }
  const known = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${service.url}/layer0/v1/status/none`, { headers })
    await response.arrayBuffer()
    return response.status !== 401
  }
  while (!(await known())) await setTimeout(50)
  return key
}

/** The body of `POST /layer0/v1/process`. */
const asBody = ({ text, title, url, source, published_date }: BenchSetting['articles'][number]): string =>
  JSON.stringify({
    text,
    metadata: {
      ...(title !== null && { title }),
      ...(url !== null && { url }),
      ...(source !== null && { source }),
      ...(published_date !== null && { published_date: new Date(published_date).toISOString() }),
    },
  })

const POLL_EVERY_MS = 100
const GIVE_UP_MS = 30_000

type End =
  | { readonly status: 'completed'; readonly ms: number }
  | { readonly status: 'failed' }
  | { readonly status: 'lost'; readonly because: string }

/**
 * Measures the time from POST to `completed`, as a polling client observes it. Articles are sent at fixed times,
 * regardless of earlier ones, and delays are measured from these times: a stalled service does not receive less load
 * (coordinated omission, Gil Tene).
 */
function submitAll(bodies: readonly string[], rate: number, to: (n: number) => LatencyCaller): Promise<readonly End[]> {
  const began = performance.now()
  return Promise.all(
    Array.from({ length: rate * SECONDS }, async (_, i): Promise<End> => {
      const due = began + (i * 1000) / rate
      await setTimeout(Math.max(0, due - performance.now()))
      return follow(bodies[i % bodies.length] ?? '', due, to(i))
    }),
  )
}

interface LatencyCaller {
  readonly url: string
  readonly key: string
}

const Submitted = z.object({ job_id: z.string() })
const Polled = z.object({ status: z.enum(['queued', 'processing', 'completed', 'failed']) })

async function follow(body: string, due: number, caller: LatencyCaller): Promise<End> {
  const answer = await ask(caller, '/layer0/v1/process', body)
  const job = Submitted.safeParse(answer)
  if (!job.success) return { status: 'lost', because: JSON.stringify(answer) }

  let last: unknown
  while (performance.now() - due < GIVE_UP_MS) {
    await setTimeout(POLL_EVERY_MS)
    last = await ask(caller, `/layer0/v1/status/${job.data.job_id}`, null)
    const polled = Polled.safeParse(last)
    if (polled.data?.status === 'completed') return { status: 'completed', ms: performance.now() - due }
    if (polled.data?.status === 'failed') return { status: 'failed' }
  }
  return { status: 'lost', because: JSON.stringify(last) }
}

async function ask({ url, key }: LatencyCaller, path: string, body: string | null): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, body === null ? { headers } : { method: 'POST', headers, body })
  return response.json()
}

function figure(rate: number, ends: readonly End[]) {
  const times = ends.flatMap((end) => (end.status === 'completed' ? [end.ms] : []))
  const lost_because = ends.flatMap((end) => (end.status === 'lost' ? [end.because] : []))
  return {
    /** Submissions per second. */
    rate,
    submitted: ends.length,
    completed: times.length,
    failed: ends.filter(({ status }) => status === 'failed').length,
    /** Responses other than 202, and jobs that were neither completed nor failed after 30 s. */
    lost: lost_because.length,
    /** The response received instead, one per lost article. */
    lost_because,
    // milliseconds from when an article was due to be sent until a poll returned `completed`
    p50: nearestRank(times, 0.5),
    p95: nearestRank(times, 0.95),
    p99: nearestRank(times, 0.99),
    max: nearestRank(times, 1),
  }
}

const table = (f: ReturnType<typeof figure>): readonly string[] => [
  `  ${f.rate} a second: submitted ${f.submitted}   completed ${f.completed}   failed ${f.failed}   lost ${f.lost}`,
  ...f.lost_because.map((answer) => `    ${answer}`),
  `  ms   p50 ${f.p50.toFixed(0)}   p95 ${f.p95.toFixed(0)}   p99 ${f.p99.toFixed(0)}   max ${f.max.toFixed(0)}`,
]
