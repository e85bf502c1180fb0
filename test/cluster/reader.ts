import { setTimeout as sleep } from 'node:timers/promises'

/** Reads during a run, one after another, as a client does that has one address. */
export interface ClusterReads {
  readonly reads: number
  /** Those that got no answer, or one other than 200. */
  readonly failed: number
  readonly longest_ms: number
}

const EVERY_MS = 250
const TIMEOUT_MS = 30_000

/** Reads the newest stories until the signal aborts. */
export async function readUntil(url: string, key: string, signal: AbortSignal): Promise<ClusterReads> {
  let [reads, failed, longest] = [0, 0, 0]
  while (!signal.aborted) {
    const begun = performance.now()
    const isRead = await isAnswered(`${url}/v1/clusters?time_range=30d&limit=5`, key)
    reads++
    if (!isRead) failed++
    longest = Math.max(longest, performance.now() - begun)
    await sleep(EVERY_MS)
  }
  return { reads, failed, longest_ms: Math.round(longest) }
}

async function isAnswered(url: string, key: string): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
