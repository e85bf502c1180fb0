import type { ClientApi } from './client.ts'
import type { components } from './api.ts'
import { JobTimeout } from './errors.ts'
import { wait } from './transport.ts'

export type Job = components['schemas']['Job']

export interface WaitForJobOptions {
  /** Milliseconds between two polls. Default: 500. */
  readonly everyMs?: number
  /** Milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const DEFAULTS = { everyMs: 500, timeoutMs: 30_000 }

/**
 * Resolves with the job once it is `completed` or `failed`. Throws `JobTimeout`, or the signal's reason if it aborts.
 */
export async function waitForJob(api: ClientApi, jobId: string, options: WaitForJobOptions = {}): Promise<Job> {
  const { everyMs, timeoutMs, signal } = { ...DEFAULTS, ...options }
  const late = AbortSignal.timeout(timeoutMs)
  try {
    return await finished(api, jobId, {
      everyMs,
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    })
  } catch (cause) {
    throw late.aborted && signal?.aborted !== true ? new JobTimeout(jobId, timeoutMs) : cause
  }
}

async function finished(
  api: ClientApi,
  jobId: string,
  { everyMs, signal }: Required<Omit<WaitForJobOptions, 'timeoutMs'>>,
): Promise<Job> {
  const params = { path: { job_id: jobId } }
  for (;;) {
    const { data } = await api.GET('/layer0/v1/status/{job_id}', { params, signal })
    if (data?.status === 'completed' || data?.status === 'failed') return data
    await wait(everyMs, signal)
  }
}
