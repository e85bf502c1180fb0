import { runScheduler } from '../sources/scheduler.ts'
import { insist } from '../runtime/retry.ts'
import type { Started } from './started.ts'

/** Time passes while the process lives. */
export function startScheduler({ running, lifecycle }: Started): void {
  const { clock, log, codec, logger, limits } = running
  const stop = new AbortController()
  const namespaces = (): readonly string[] => ['shared']
  const scheduling = insist('tick', async () => await runScheduler({ log, codec, clock, namespaces }, stop.signal), {
    clock,
    limits,
    signal: stop.signal,
    stillOurs: () => Promise.resolve(true),
    onFailure: ({ cause, waitMs }) => {
      logger.warn({ err: cause, waitMs }, 'tick failed')
    },
  })
  scheduling.catch(running.onCrash)
  lifecycle.opened('scheduler', async () => {
    stop.abort()
    await scheduling
  })
}
