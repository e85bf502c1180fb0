import { createRequire } from 'node:module'

interface RequestQueue {
  readonly pending: readonly unknown[]
  scheduleCheckPendingRequests: (this: RequestQueue) => void
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
  readonly prototype: RequestQueue
}
const original = prototype.scheduleCheckPendingRequests

/**
 * kafkajs 2.2.4 wakes every idle connection each millisecond: with nothing pending it still schedules the next check (2
 * to 3.5 % of a core). An empty queue needs no check, because the next request schedules one.
 */
export function stopIdleSpin(): void {
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) original.call(this)
  }
}
