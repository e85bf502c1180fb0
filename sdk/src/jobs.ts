import type { Api } from './client.ts'
import type { components } from './api.ts'
import { JobTimeout } from './errors.ts'
import { wait } from './transport.ts'

export type Job = components['schemas']['Job']

export interface Waiting {
  /** Milliseconds between two looks; 500 where nothing is said. */
  readonly everyMs?: number
  /** Milliseconds; 30,000 where nothing is said. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const DEFAULTS = { everyMs: 500, timeoutMs: 30_000 }

/** The job once it is `completed` or `failed`. Throws `JobTimeout`. */
export async function waitForJob(api: Api, jobId: string, options: Waiting = {}): Promise<Job> {
  const { everyMs, timeoutMs, signal } = { ...DEFAULTS, ...options }
  const until = performance.now() + timeoutMs
  const path = { job_id: jobId }
  for (;;) {
    const { data } = await api.GET('/layer0/v1/status/{job_id}', { params: { path }, signal: signal ?? null })
    if (data !== undefined && isFinished(data)) return data
    if (performance.now() + everyMs > until) throw new JobTimeout(jobId, timeoutMs)
    await wait(everyMs, signal)
  }
}

const isFinished = ({ status }: Job): boolean => status === 'completed' || status === 'failed'
