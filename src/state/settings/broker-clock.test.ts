import { expect, it } from 'vitest'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { BrokerClock, ClockApart } from './broker-clock.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const YEAR_MS = 365 * 86_400_000
const PROBE = { topic: 'clock.ticked', key: 'lab' }

const aBrokerClock = (ownTime: () => number) => {
  const log = new MemoryLog({ now: () => NOON })
  return { log, broker: new BrokerClock({ log, clock: { now: ownTime } }) }
}

it.each([
  ['a year ahead', NOON + YEAR_MS],
  ['a year behind', NOON - YEAR_MS],
  ['61 s ahead', NOON + 61_000],
])('a clock that is %s is refused, with both times and what to do', async (_, now) => {
  const { broker } = aBrokerClock(() => now)

  const refused = broker.check(PROBE)

  await expect(refused).rejects.toThrow(ClockApart)
  await expect(refused).rejects.toThrow(
    `clock says ${new Date(now).toISOString()}, the broker's says 2026-11-23T12:00:00.000Z`,
  )
  await expect(refused).rejects.toThrow('Synchronise')
})

it('a clock within a minute passes, and is not measured again while the measurement holds', async () => {
  const { broker, log } = aBrokerClock(() => NOON + 59_000)

  await broker.check(PROBE)
  await broker.check(PROBE)

  expect(log.records('clock.ticked').map(({ value }) => value)).toEqual([null])
})

it('a clock that was set since the last measurement is measured again', async () => {
  let now = NOON
  const { broker } = aBrokerClock(() => now)
  await broker.check(PROBE)

  now += YEAR_MS

  await expect(broker.check(PROBE)).rejects.toThrow(ClockApart)
})
