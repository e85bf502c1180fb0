import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { anErrand, ask, errandCodec, errands, running, errandsDone } from '../../test/builders/errands.ts'
import { aHandClock } from '../../test/builders/hand-clock.ts'
import { aDyingLog, anInstantClock, aRunning, type Death } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import type { Log } from '../ports/log.ts'
import type { Effect } from './shapes.ts'
import type { Errand } from '../../test/builders/errands.ts'
import { runEffect } from './run-effect.ts'

const START = 1_700_000_000_000
const DAY_MS = 86_400_000

/** A log, a manual clock, and a function that starts an effect on them. */
function aWorld() {
  const clock = aHandClock(START)
  const memoryLog = new MemoryLog({ now: () => clock.now() })
  const start = (effect: Effect<Errand>, log: Log = memoryLog) =>
    runEffect(effect, { ...aRunning({ memoryLog, log, clock }), codec: errandCodec })
  return { clock, log: memoryLog, start }
}

/** Resolves once all pending work is done. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 50; i++) await setImmediate()
}

/** Attempts that stay open until they are released. */
function held() {
  const open = new Map<string, (outcome: 'done' | 'failed') => void>()
  return {
    open,
    tries: ({ input }: { readonly input: { readonly event: Errand } }): Promise<'done' | 'failed'> =>
      new Promise((resolve) => open.set(input.event.id, resolve)),
  }
}

const always = (outcome: 'done' | 'failed') => () => Promise.resolve(outcome)
const many = (count: number, more: Partial<Errand> = {}) =>
  Array.from({ length: count }, (_, i) => anErrand(`${more.who ?? 'ann'}-${i}`, more))

it('attempts what is due, records it, and has read for good what is done', async () => {
  const { clock, log, start } = aWorld()
  const effect = running(always('done'), clock)
  await ask(log, [anErrand('bread'), anErrand('milk')])

  const consumer = await start(effect)

  await vi.waitFor(async () => {
    expect(await errandsDone(log)).toEqual(['bread asked', 'milk asked', 'bread done', 'milk done'])
  }, soon)
  await consumer.stop()
  expect(await log.committed('running', errands.name)).toEqual([4])
})

it('waits until something is due, tries again what failed when it is, and waits without doing anything', async () => {
  const { clock, log, start } = aWorld()
  const outcomes = ['failed', 'done'] as const
  const effect = running(({ input }) => Promise.resolve(outcomes[input.event.attempt] ?? 'done'), clock)
  const sleep = vi.spyOn(clock, 'sleep')
  await ask(log, [anErrand('later', { due: START + 5000 })])
  const consumer = await start(effect)

  await settled()
  expect([effect.tried, sleep.mock.calls.map(([ms]) => ms)]).toEqual([[], [5000, 500]]) // nothing was committed since
  clock.pass(5000)
  await settled()
  expect(effect.tried).toEqual(['later'])
  clock.pass(999)
  await settled()
  expect(effect.tried).toEqual(['later'])
  clock.pass(1 + 25) // a lane that failed waits this long
  await settled()

  expect(await errandsDone(log)).toEqual(['later asked', 'later failed', 'later done'])
  await consumer.stop()
})

it('never lets one lane wait for another, and attempts four of a lane at once', async () => {
  const { clock, log, start } = aWorld()
  const { open, tries } = held()
  const effect = running(async (task) => (task.input.event.who === 'ann' ? tries(task) : 'done'), clock)
  await ask(log, [...many(10, { who: 'ann' }), ...many(10, { who: 'ben' })])

  const consumer = await start(effect)

  await vi.waitFor(async () => {
    expect((await errandsDone(log)).filter((one) => one.endsWith('done'))).toHaveLength(10)
  }, soon)
  expect([...open.keys()]).toEqual(['ann-0', 'ann-1', 'ann-2', 'ann-3'])
  open.get('ann-1')?.('done')
  await settled()
  expect([...open.keys()].at(-1)).toBe('ann-4')
  for (const let_go of open.values()) let_go('done')
  await consumer.stop()
})

it('attempts one at a time of a lane where as many in a row went badly, and four again once one went well', async () => {
  const { clock, log, start } = aWorld()
  const { open, tries } = held()
  const effect = running(tries, { ...clock, waitMs: 1e9 })
  await ask(log, many(20))
  const consumer = await start(effect)
  await settled()

  for (let i = 0; i < 7; i++) {
    open.get(`ann-${i}`)?.('failed')
    await settled()
  }
  const whileItFails = [...open.keys()].slice(7) // those started before the fourth failure have ended
  open.get('ann-7')?.('done')
  await settled()

  expect([whileItFails, [...open.keys()].slice(8)]).toEqual([['ann-7'], ['ann-8', 'ann-9', 'ann-10', 'ann-11']])
  for (const let_go of open.values()) let_go('done')
  await consumer.stop()
})

it('reads again after a crash exactly what was not finished, under the same id', async () => {
  const { clock, log, start } = aWorld()
  const { open, tries } = held()
  const first = running(async (task) => (task.input.event.id === 'slow' ? tries(task) : 'done'), clock)
  await ask(log, [anErrand('quick'), anErrand('slow'), anErrand('late', { due: START + 60_000 }), anErrand('last')])
  await start(first)
  await settled()
  clock.pass(500)
  await settled()
  expect(await log.committed('running', errands.name)).toEqual([1]) // the offset of 'slow'
  expect(log.records(errands.name)).toHaveLength(6)

  log.crash('running')
  const second = running(always('done'), clock)
  const consumer = await start(second)
  open.get('slow')?.('done') // the crashed one writes nothing
  await settled()
  clock.pass(60_000)
  await settled()

  expect(second.tried).toEqual(['slow', 'late'])
  expect(await errandsDone(log)).toEqual([
    ...['quick asked', 'slow asked', 'late asked', 'last asked', 'quick done', 'last done', 'slow done', 'late done'],
  ])
  await consumer.stop()
})

it('attempts nothing that it has not read on about to the end of the log', async () => {
  const clock = aHandClock(START)
  const log = new MemoryLog({ batchRecords: 2 })
  const effect = running(always('done'), clock)
  const done = { attempt: 1, due: null, outcome: 'done' }
  await ask(log, [
    anErrand('bread'),
    anErrand('milk'),
    anErrand('eggs'),
    anErrand('milk', done),
    anErrand('bread', done),
  ])

  const consumer = await runEffect(effect, { ...aRunning({ memoryLog: log, clock }), codec: errandCodec })
  await settled()

  expect(effect.tried).toEqual(['eggs'])
  await consumer.stop()
})

it('breaks off what it attempts, and records nothing, when a partition goes to another', async () => {
  const { clock, log, start } = aWorld()
  const broken: string[] = []
  const first = running(
    ({ input }, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          broken.push(input.event.id)
          reject(new Error('broken off'))
        })
      }),
    clock,
  )
  await ask(log, [anErrand('bread')])
  const one = await start(first)
  await settled()
  expect(first.tried).toEqual(['bread'])

  log.crash('running') // the first consumer sees its partition as revoked
  clock.pass(1000)
  await settled()

  expect([broken, await errandsDone(log)]).toEqual([['bread'], ['bread asked']])
  await one.stop()
})

it('records nothing of an attempt that ends after the partition has gone to another', async () => {
  const { clock, log, start } = aWorld()
  const { open, tries } = held()
  await ask(log, [anErrand('bread')])
  const one = await start(running(tries, clock))
  await settled()

  log.crash('running') // it has not been notified yet
  open.get('bread')?.('done')
  await settled()

  expect(await errandsDone(log)).toEqual(['bread asked'])
  clock.pass(1000)
  await one.stop()
})

it('begins nothing anew that is done, or got further, when its beginning is told again', async () => {
  const { clock, log, start } = aWorld()
  const effect = running(({ input }) => Promise.resolve(input.event.id === 'bread' ? 'done' : 'failed'), clock)
  await ask(log, [anErrand('bread'), anErrand('milk')])
  const consumer = await start(effect)
  await vi.waitFor(async () => {
    expect(await errandsDone(log)).toHaveLength(4)
  }, soon)

  await ask(log, [anErrand('bread'), anErrand('milk')])
  await settled()

  expect(effect.tried).toEqual(['bread', 'milk'])
  await consumer.stop()
  expect(await log.committed('running', errands.name)).toEqual([3]) // the offset of 'milk failed'
})

it('begins anew what is done when something is told of it that got further', async () => {
  const { clock, log, start } = aWorld()
  const effect = running(always('done'), clock)
  await ask(log, [anErrand('bread')])
  const consumer = await start(effect)
  await settled()

  await ask(log, [anErrand('bread', { attempt: 2 }), anErrand('bread', { attempt: 1 })])
  await settled()

  expect(effect.tried).toEqual(['bread', 'bread'])
  expect((await errandsDone(log)).filter((one) => one.endsWith('done'))).toHaveLength(2)
  await consumer.stop()
})

it('lets an effect write before it records that too many wait, until it succeeds', async () => {
  const { clock, log, start } = aWorld()
  const wrote: string[] = []
  let failures = 1
  const effect = running(always('done'), { ...clock, most: 1 })
  const later = { due: START + 60_000 }
  const careful: Effect<Errand> = {
    ...effect,
    tooMany: async (input) => {
      if (failures-- > 0) throw new Error('away')
      wrote.push(input.event.id)
      return Promise.resolve(effect.tooMany(input))
    },
  }
  await ask(log, many(2, later))

  const consumer = await start(careful)
  await settled()
  clock.pass(1_000)
  await settled()

  expect(wrote).toEqual(['ann-1'])
  expect(await errandsDone(log)).toEqual(['ann-0 asked', 'ann-1 asked', 'ann-1 too many'])
  await consumer.stop()
})

it('records of more than may wait that they are not done', async () => {
  const { clock, log, start } = aWorld()
  const effect = running(always('done'), { ...clock, most: 3 })
  const later = { due: START + 1000 }
  await ask(log, many(5, later)) // two over the limit at the start, one more later

  const consumer = await start(effect)
  await settled()
  await ask(log, [anErrand('one-more', later), anErrand('ben', { ...later, who: 'ben' })])
  await settled()
  clock.pass(1000)
  await settled()

  expect((await errandsDone(log)).filter((one) => one.endsWith('too many')).sort()).toEqual([
    'ann-3 too many',
    'ann-4 too many',
    'one-more too many',
  ])
  expect([...effect.tried].sort()).toEqual(['ann-0', 'ann-1', 'ann-2', 'ben'])
  await consumer.stop()
})

it('finishes what is in hand when it is stopped, and begins nothing more', async () => {
  const { clock, log, start } = aWorld()
  const { open, tries } = held()
  const effect = running(tries, clock)
  await ask(log, many(6))
  const consumer = await start(effect)
  await settled()

  const stopped = consumer.stop()
  for (const let_go of open.values()) let_go('done')
  await stopped

  expect([open.size, (await errandsDone(log)).filter((one) => one.endsWith('done')).length]).toEqual([4, 4])
})

it('tries again an attempt that throws, until it is one', async () => {
  const memoryLog = new MemoryLog()
  const clock = anInstantClock()
  let failures = 3
  const effect = running(async () => {
    if (failures-- > 0) throw new Error('away')
    return Promise.resolve('done')
  }, clock)
  await ask(memoryLog, [anErrand('bread')])

  const consumer = await runEffect(effect, { ...aRunning({ memoryLog, clock }), codec: errandCodec })

  await vi.waitFor(async () => {
    expect(await errandsDone(memoryLog)).toEqual(['bread asked', 'bread done'])
  }, soon)
  await consumer.stop()
})

it('forgets nothing and finishes everything, wherever it is killed, however often', async () => {
  const death = fc.record<Death>({
    call: fc.constantFrom('produce', 'commit'),
    nth: fc.integer({ min: 1, max: 6 }),
    when: fc.constantFrom('before', 'after'),
  })
  const failsFirst = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(death, { maxLength: 4 }), failsFirst, async (deaths, fails) => {
      const memoryLog = new MemoryLog({ batchRecords: 3 })
      const effects: { readonly tried: readonly string[] }[] = []
      const life = (log: Log) => {
        const clock = anInstantClock()
        const effect = running(
          ({ input: { event } }) => Promise.resolve(event.attempt < (fails[Number(event.id)] ?? 0) ? 'failed' : 'done'),
          clock,
        )
        effects.push(effect)
        return runEffect(effect, { ...aRunning({ memoryLog, log, clock }), codec: errandCodec })
      }
      await ask(
        memoryLog,
        fails.map((_, i) => anErrand(`${i}`, { who: `${i % 3}` })),
      )
      for (const one of deaths) {
        const mortal = aDyingLog(memoryLog, one)
        await life(mortal.log)
        await Promise.race([mortal.died, settled()])
        memoryLog.crash('running')
      }
      const last = await life(memoryLog)
      await vi.waitFor(async () => {
        expect(await memoryLog.committed('running', errands.name)).toEqual(await memoryLog.ends(errands.name))
      }, soon)
      await last.stop()

      const all = await errandsDone(memoryLog)
      for (const [i, least] of fails.entries()) {
        const history = all.filter((one) => one.startsWith(`${i} `))
        expect(history.at(-1)).toBe(`${i} done`)
        expect(history.filter((one) => one === `${i} failed`).length).toBeGreaterThanOrEqual(least)
      }
    }),
    { numRuns: 60 },
  )
})

it('gives an effect with state every event of the last days before it attempts, after a restart too', async () => {
  const { clock, log, start } = aWorld()
  const seen: string[] = []
  const stateful = (): Effect<Errand> => {
    const observed: string[] = []
    const state = {
      observe: ({ id, outcome }: Errand) => void observed.push(`${id} ${outcome}`),
      retentionMs: 2 * DAY_MS,
    }
    const tries = ({ input }: { readonly input: { readonly event: Errand } }) => {
      seen.push(`${input.event.id} after ${observed.join(', ')}`)
      return Promise.resolve('done' as const)
    }
    return { ...running(tries, clock), state }
  }
  const live = async (id: string): Promise<void> => {
    await ask(log, [anErrand(id)])
    const consumer = await start(stateful())
    await vi.waitFor(async () => expect(await errandsDone(log)).toContain(`${id} done`), soon)
    await settled()
    await consumer.stop()
    clock.pass(DAY_MS)
  }

  for (const id of ['bread', 'milk', 'eggs', 'salt', 'rice']) await live(id)

  expect(seen.slice(0, 3)).toEqual([
    'bread after bread asked',
    'milk after bread asked, bread done, milk asked',
    'eggs after bread asked, bread done, milk asked, milk done, eggs asked',
  ])
  expect(seen[4]).toBe('rice after milk asked, milk done, eggs asked, eggs done, salt asked, salt done, rice asked')
})
