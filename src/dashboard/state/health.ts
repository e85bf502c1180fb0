import { computed, effect, signal } from '@preact/signals'
import type { ObservedCondition } from './condition.ts'
import { client, failing, reached } from './service.ts'
import { key } from './session.ts'

/** The number of requests in flight. */
export const requestsRunning = signal(0)

/** The number of requests in flight for longer than `SLOW_MS`. */
export const slowRequests = signal(0)

/** The reasons that `/health` gives for a degraded service; `null` if there are none. */
const degraded = signal<string | null>(null)

/** The time that the dates of the imported sample are relative to (ISO 8601); `null` without a sample. */
export const sampleAt = signal<string | null>(null)

export const observed = computed<ObservedCondition>(() => ({
  isReached: reached.value,
  isFailing: failing.value,
  slow: slowRequests.value,
  degraded: degraded.value,
}))

const POLL_MS = 2_000
/** `/health` itself waits 2 s for ClickHouse. */
const TIMEOUT_MS = 8_000

async function readHealth(): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { data } = await client.value.api.GET('/health', { signal })
  if (data === undefined) return
  sampleAt.value = data.sample_at
  degraded.value = data.status === 'ok' ? null : data.reasons.map(({ message }) => message).join('; ')
}

/** Reads `/health` now and every two seconds while there is a key and the page is visible. */
export function followTheHealth(): void {
  effect(() => {
    if (key.value === '') return undefined
    let isReading = false
    const read = async (): Promise<void> => {
      if (document.hidden || isReading) return
      isReading = true
      await readHealth().catch(() => undefined) // a failure is visible in `reached`
      isReading = false
    }
    void read()
    const timer = setInterval(() => void read(), POLL_MS)
    return () => clearInterval(timer)
  })
}
