import { createRequire } from 'node:module'

interface RequestQueue {
  readonly pending: readonly unknown[]
  scheduleCheckPendingRequests(): void
}

const require = createRequire(import.meta.url)

/**
 * kafkajs 2.2.4 wakes every idle connection each millisecond: with nothing pending it still schedules the next look
 * (2 to 3.5 % of a core). A queue with nothing pending needs no look: the next request schedules one by itself.
 */
export function stopIdleSpin(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { readonly prototype: RequestQueue }
  const original = Reflect.get(
    prototype,
    'scheduleCheckPendingRequests',
  ) as RequestQueue['scheduleCheckPendingRequests']
  if (patched.has(original)) return
  const schedule = function (this: RequestQueue): void {
    if (this.pending.length > 0) original.call(this)
  }
  patched.add(schedule)
  prototype.scheduleCheckPendingRequests = schedule
}

const patched = new WeakSet<object>()
