import type { Scheduler } from './scheduler.ts'

/** What code under simulation may take from the machine without a port, and that must follow from the seed too. */
export async function withSeededGlobals(scheduler: Scheduler, run: () => Promise<void>): Promise<void> {
  const before = { random: Math.random, setInterval: globalThis.setInterval, clearInterval: globalThis.clearInterval }
  const intervals = new Map<object, () => void>()
  const every = (work: () => void, ms = 0): object => {
    const handle = {}
    const actor = scheduler.current
    const ring = (): void => {
      if (!intervals.has(handle)) return
      work()
      intervals.set(handle, scheduler.after(ms, { actor, label: 'interval', go: ring }))
    }
    intervals.set(handle, scheduler.after(ms, { actor, label: 'interval', go: ring }))
    return handle
  }
  const end = (handle: object): void => {
    intervals.get(handle)?.()
    intervals.delete(handle)
  }
  const random = scheduler.random.fork()
  Math.random = () => random.next()
  Object.assign(globalThis, { setInterval: every, clearInterval: end })
  try {
    await run()
  } finally {
    Math.random = before.random
    Object.assign(globalThis, { setInterval: before.setInterval, clearInterval: before.clearInterval })
  }
}
