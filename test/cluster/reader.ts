import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../src/domain/message-of.ts'
import type { ClusterClient } from './client.ts'

/** Reads during a run, one a second, as clients do that have one address. */
export interface ClusterReads {
  readonly reads: number
  /** Those that got no answer in time, or one other than 200. */
  readonly failed: number
  /** Those that failed again when they were repeated, as long after as the answer asked for, or a second. */
  readonly failed_again: number
  /** Share of reads that did not fail. */
  readonly availability: number
  /** How many of those by status, or error. */
  readonly failures: Readonly<Record<string, number>>
  readonly longest_ms: number
}

const EVERY_MS = 1_000
const TIMEOUT_MS = 10_000
const RETRY_AFTER_MS = 1_000

/** Reads the newest stories until the signal aborts. A read that takes long does not delay the next. */
export async function readUntil({ url, key }: ClusterClient, signal: AbortSignal): Promise<ClusterReads> {
  const begun = performance.now()
  const reads: Promise<Read>[] = []
  while (!signal.aborted) {
    reads.push(read(`${url}/v1/clusters?time_range=30d&limit=5`, key))
    await sleep(Math.max(0, begun + reads.length * EVERY_MS - performance.now()))
  }
  const done = await Promise.all(reads)
  const failed = done.flatMap(({ failure }) => failure ?? [])
  const failures: Record<string, number> = {}
  for (const failure of failed) failures[failure] = (failures[failure] ?? 0) + 1
  return {
    reads: done.length,
    failed: failed.length,
    failed_again: done.filter(({ isFailedAgain }) => isFailedAgain).length,
    availability: 1 - failed.length / done.length,
    failures,
    longest_ms: Math.round(done.reduce((longest, { ms }) => Math.max(longest, ms), 0)),
  }
}

interface Read {
  /** Of the first attempt. */
  readonly ms: number
  /** The status with the beginning of the answer, or the error; `null` for 200. */
  readonly failure: string | null
  readonly isFailedAgain: boolean
}

async function read(url: string, key: string): Promise<Read> {
  const begun = performance.now()
  const { failure, retryAfterMs } = await attempt(url, key)
  const ms = performance.now() - begun
  if (failure === null) return { ms, failure, isFailedAgain: false }
  await sleep(retryAfterMs)
  return { ms, failure, isFailedAgain: (await attempt(url, key)).failure !== null }
}

type Attempt = Pick<Read, 'failure'> & { readonly retryAfterMs: number }

const attempt = (url: string, key: string): Promise<Attempt> =>
  answerOf(url, key).catch((cause: unknown) => ({ failure: messageOf(cause), retryAfterMs: RETRY_AFTER_MS }))

async function answerOf(url: string, key: string): Promise<Attempt> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await response.text()
  const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    failure: response.status === 200 ? null : `${response.status} ${text.slice(0, 200)}`,
    retryAfterMs: Number.isNaN(retryAfterS) ? RETRY_AFTER_MS : retryAfterS * 1_000,
  }
}
