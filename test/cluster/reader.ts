import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../src/domain/message-of.ts'

/** Reads during a run, one after another, as a client does that has one address. */
export interface ClusterReads {
  readonly reads: number
  /** Those that got no answer, or one other than 200. */
  readonly failed: number
  /** How many of those by status, or error. */
  readonly failures: Readonly<Record<string, number>>
  readonly longest_ms: number
}

const EVERY_MS = 250
const TIMEOUT_MS = 30_000

/** Reads the newest stories until the signal aborts. */
export async function readUntil(url: string, key: string, signal: AbortSignal): Promise<ClusterReads> {
  let [reads, longest] = [0, 0]
  const failures: Record<string, number> = {}
  while (!signal.aborted) {
    const begun = performance.now()
    const failure = await failureOf(`${url}/v1/clusters?time_range=30d&limit=5`, key)
    reads++
    if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1
    longest = Math.max(longest, performance.now() - begun)
    await sleep(EVERY_MS)
  }
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0)
  return { reads, failed, failures, longest_ms: Math.round(longest) }
}

/** The status with the beginning of the answer, or the error; `null` for 200. */
async function failureOf(url: string, key: string): Promise<string | null> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    return response.status === 200 ? null : `${response.status} ${text.slice(0, 200)}`
  } catch (cause) {
    return messageOf(cause)
  }
}
