import { OffsetTaken, type Appender } from '../../ports/appender.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

export interface RetriedAppenderPorts {
  readonly log: Pick<Log, 'ends'>
  readonly clock: Pick<Clock, 'sleep'>
  readonly open: () => Promise<Appender>
}

const MAX_TRIES = 10
const WAIT_MS = 1_000

/**
 * An appender that survives a restart of a broker. A failed write may have succeeded, so the end of the partition says
 * whether it is repeated, by a new appender: the state of the failed one is unknown.
 */
export async function retriedAppender({ log, clock, open }: RetriedAppenderPorts): Promise<Appender> {
  let appender = await open()
  return {
    append: async (at, records) => {
      for (let tries = 1; ; tries++) {
        try {
          await appender.append(at, records)
          return
        } catch (cause) {
          if (cause instanceof OffsetTaken || tries === MAX_TRIES) throw cause
        }
        await clock.sleep(WAIT_MS)
        await appender.close().catch(() => undefined)
        appender = await open()
        const end = (await log.ends(at.topic))[at.partition] ?? 0
        if (end === at.offset + records.length) return
        if (end !== at.offset) throw new OffsetTaken(at)
      }
    },
    close: () => appender.close(),
  }
}
