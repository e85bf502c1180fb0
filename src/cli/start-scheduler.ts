import { KeyBook } from '../api/keys/key-book.ts'
import { SHARED } from '../events/intake-rules.ts'
import { runScheduler } from '../sources/scheduler.ts'
import { insist } from '../runtime/retry.ts'
import type { Started } from './started.ts'

/** Time passes while the process lives. */
export function startScheduler({ running, lifecycle }: Started): void {
  const { clock, log, codec, logger, limits } = running
  const stop = new AbortController()
  const keys = new KeyBook()
  const namespaces = async (): Promise<readonly string[]> => {
    await keys.catchUp({ log, codec })
    return [...new Set([SHARED, ...keys.all().map(({ namespace }) => namespace)])]
  }
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
