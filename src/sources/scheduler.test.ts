import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { clockTicked } from '../events/settings.ts'
import { ClockApart } from '../state/settings/broker-clock.ts'
import { runScheduler, TICK_MS } from './scheduler.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const YEAR_MS = 365 * 86_400_000

/** A scheduler over some minutes of a broker's time; `skew` is how far its own clock is ahead then. */
async function scheduled({ namespaces, minutes = 1, skew = () => 0 }: SchedulerOptions) {
  let passed = 0
  const stop = new AbortController()
  const log = new MemoryLog({ now: () => NOON + passed })
  const sizes: number[] = []
  const counting = {
    produce: async (records: Parameters<MemoryLog['produce']>[0]) => {
      sizes.push(records.length)
      return log.produce(records)
    },
  }
  const clock = {
    now: () => NOON + passed + skew(passed),
    sleep: async (ms: number) => {
      await setImmediate()
      if (passed >= minutes * TICK_MS) stop.abort()
      passed += ms
    },
  }
  const codec = new PlainCodec()
  const ports = { log: counting, codec, clock, namespaces: () => Promise.resolve(namespaces) }
  const ended = await runScheduler(ports, stop.signal).catch((cause: unknown) => cause)
  const values = log.records(clockTicked.name).flatMap(({ value }) => (value === null ? [] : [value]))
  const ticks = await Promise.all(values.map((value) => codec.decode(clockTicked, value)))
  return { ended, sizes, ticks: ticks.flatMap((one) => (one.kind === 'event' ? [one.event] : [])) }
}

interface SchedulerOptions {
  readonly namespaces: readonly string[]
  readonly minutes?: number
  readonly skew?: (passed: number) => number
}

it('writes a tick for each namespace, once a minute', async () => {
  const { ticks } = await scheduled({ namespaces: ['shared', 'lab'], minutes: 2 })

  expect(ticks.map(({ namespace, tick_at }) => [namespace, (tick_at - NOON) / TICK_MS])).toEqual([
    ['shared', 1],
    ['lab', 1],
    ['shared', 2],
    ['lab', 2],
  ])
})

it('writes no tick with a clock that is a year ahead', async () => {
  const { ended, ticks } = await scheduled({ namespaces: ['shared'], skew: () => YEAR_MS })

  expect(ended).toBeInstanceOf(ClockApart)
  expect(ticks).toEqual([])
})

it('writes no tick with a clock that is set a year ahead while it runs', async () => {
  const { ended, ticks } = await scheduled({
    namespaces: ['shared'],
    minutes: 5,
    skew: (passed) => (passed >= 3 * TICK_MS ? YEAR_MS : 0),
  })

  expect(ended).toBeInstanceOf(ClockApart)
  expect(ticks).toHaveLength(2)
})

it('writes the ticks of many namespaces in bounded batches', async () => {
  const { sizes, ticks } = await scheduled({ namespaces: Array.from({ length: 1_200 }, (_, i) => `lab-${i}`) })

  expect(ticks).toHaveLength(1_200)
  expect(Math.max(...sizes)).toBe(500)
})
