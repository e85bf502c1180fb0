import type { Clock } from '../../ports/clock.ts'
import type { Log, OutRecord } from '../../ports/log.ts'

/** A process writes no timestamps while its clock and the broker's differ by more than this. */
export const MOST_APART_MS = 60_000

/** How long a measurement is valid. A clock that was changed meanwhile is detected by the next measurement. */
const HOLDS_MS = 90_000

export class ClockApart extends Error {
  override readonly name = 'ClockApart'
}

export interface BrokerClockPorts {
  readonly log: Pick<Log, 'produce'>
  readonly clock: Pick<Clock, 'now'>
}

/** Compares this process's clock with the broker's: the time at which the log takes a record that was just produced. */
export class BrokerClock {
  private readonly ports: BrokerClockPorts
  private measuredAt = -Infinity

  constructor(ports: BrokerClockPorts) {
    this.ports = ports
  }

  /**
   * Throws `ClockApart`. Unless a measurement is still valid, measures with a record without a value, which every
   * reader skips.
   */
  async check({ topic, key }: Pick<OutRecord, 'topic' | 'key'>): Promise<void> {
    const age = this.ports.clock.now() - this.measuredAt
    if (age < 0 || age > HOLDS_MS) await this.produce([{ topic, key, value: null }])
  }

  /** Throws `ClockApart` after the records were written. */
  async produce(records: readonly OutRecord[]): Promise<void> {
    const { log, clock } = this.ports
    const before = clock.now()
    const loggedAt = await log.produce(records)
    const now = clock.now()
    this.measuredAt = -Infinity
    if (loggedAt <= 0) return
    if (apart({ before, now, loggedAt }) > MOST_APART_MS) throw new ClockApart(clockMessage(now, loggedAt))
    this.measuredAt = now
  }
}

/** A lower bound in milliseconds: a slow response is not a clock difference. */
const apart = ({ before, now, loggedAt }: Readonly<Record<'before' | 'now' | 'loggedAt', number>>): number =>
  Math.max(before - loggedAt, loggedAt - now, 0)

const clockMessage = (now: number, loggedAt: number): string =>
  `this machine's clock says ${iso(now)}, the broker's says ${iso(loggedAt)}: they are more than a minute apart. ` +
  'Synchronise the wrong one (NTP, `timedatectl set-ntp true`), then try again'

const iso = (ms: number): string => new Date(ms).toISOString()
