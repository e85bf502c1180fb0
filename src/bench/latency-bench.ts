import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

export interface LatencyOptions {
  /** Origin of a running service. */
  readonly url: string
  /** Enough requests and polls a minute: enterprise; in turns, since a key has 600 status polls a minute. */
  readonly keys: readonly string[]
  /** Bodies of `POST /layer0/v1/process`, submitted in this order, from the start again when they run out. */
  readonly articles: readonly SubmittedBody[]
  /** Submissions a second. */
  readonly rate: number
  readonly seconds: number
}

export interface SubmittedBody {
  readonly text: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface LatencyFigure {
  readonly submitted: number
  readonly completed: number
  readonly failed: number
  /** Answers that were no 202, and jobs that were neither completed nor failed after 30 s. */
  readonly lost: number
  /** What was answered instead, one a lost article. */
  readonly lost_because: readonly string[]
  /** Milliseconds from when an article was due to be sent until a poll said `completed`. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

const POLL_EVERY_MS = 100
const GIVE_UP_MS = 30_000

type End =
  | { readonly status: 'completed'; readonly ms: number }
  | { readonly status: 'failed' }
  | { readonly status: 'lost'; readonly because: string }

/**
 * From POST to `completed`, as a polling client sees it. Articles are sent when they are due, whatever became of those
 * before, and a delay counts from then: a service that stands still is not asked less (Tene's coordinated omission).
 */
export async function benchLatency({ url, keys, articles, rate, seconds }: LatencyOptions): Promise<LatencyFigure> {
  const count = Math.max(1, Math.round(rate * seconds))
  const began = performance.now()
  const ends = await Promise.all(
    Array.from({ length: count }, async (_, i): Promise<End> => {
      const article = articles[i % articles.length]
      const key = keys[i % keys.length]
      if (article === undefined || key === undefined) throw new Error('latency needs articles and keys')
      const due = began + (i * 1000) / rate
      await setTimeout(Math.max(0, due - performance.now()))
      return follow(article, due, { url, key })
    }),
  )
  return figure(ends)
}

interface Service {
  readonly url: string
  readonly key: string
}

const Submitted = z.object({ job_id: z.string() })
const Polled = z.object({ status: z.enum(['queued', 'processing', 'completed', 'failed']) })

async function follow(article: SubmittedBody, due: number, service: Service): Promise<End> {
  const answer = await ask(service, '/layer0/v1/process', JSON.stringify(article))
  const job = Submitted.safeParse(answer)
  if (!job.success) return { status: 'lost', because: JSON.stringify(answer) }

  let last: unknown
  while (performance.now() - due < GIVE_UP_MS) {
    await setTimeout(POLL_EVERY_MS)
    last = await ask(service, `/layer0/v1/status/${job.data.job_id}`, null)
    const polled = Polled.safeParse(last)
    if (polled.data?.status === 'completed') return { status: 'completed', ms: performance.now() - due }
    if (polled.data?.status === 'failed') return { status: 'failed' }
  }
  return { status: 'lost', because: JSON.stringify(last) }
}

async function ask({ url, key }: Service, path: string, body: string | null): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, body === null ? { headers } : { method: 'POST', headers, body })
  return response.json()
}

function figure(ends: readonly End[]): LatencyFigure {
  const sorted = ends.flatMap((end) => (end.status === 'completed' ? [end.ms] : [])).sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
  const withStatus = (status: End['status']): number => ends.filter((end) => end.status === status).length
  return {
    submitted: ends.length,
    completed: sorted.length,
    failed: withStatus('failed'),
    lost: withStatus('lost'),
    lost_because: ends.flatMap((end) => (end.status === 'lost' ? [end.because] : [])),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  }
}
