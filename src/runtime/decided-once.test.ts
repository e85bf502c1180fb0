import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anInstantClock } from '../../test/builders/running.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { InLogOrder } from './in-log-order.ts'

const TOPICS = ['a', 'b', 'c']

/** A log in which records are logged one millisecond apart. */
async function aLog(topics: readonly string[]): Promise<MemoryLog> {
  let now = 0
  const log = new MemoryLog({ now: () => now, batchRecords: 2 })
  for (const topic of topics) {
    now += 1
    await log.produce([{ topic, key: null, value: null }])
  }
  return log
}

interface DecidedOnceDelivery {
  readonly topic: string
  /** Maximum number of records. */
  readonly count: number
}

/** The decisions if the log delivers these chunks first, and then the rest. */
async function decided(
  log: MemoryLog,
  deliveries: readonly DecidedOnceDelivery[],
  size: number,
): Promise<readonly number[]> {
  const order = new InLogOrder({ log, clock: anInstantClock(), topics: TOPICS, partition: 0, settleMs: 0 })
  const readUpTo = new Map<string, number>()
  const all: number[] = []
  for (const { topic, count } of [...deliveries, ...TOPICS.map((one) => ({ topic: one, count: Infinity }))]) {
    const records = log.records(topic).filter(({ offset }) => offset >= (readUpTo.get(topic) ?? 0))
    for await (const chunk of order.chunks({ topic, records: records.slice(0, count) }, readUpTo, size)) {
      all.push(...chunk.map(({ loggedAt }) => loggedAt))
      for (const record of chunk) readUpTo.set(record.topic, record.offset + 1)
    }
  }
  return all
}

it('what was read ahead for one part and is decided in the next is not read once more', async () => {
  const log = await aLog(['a', 'b', 'c', 'b'])

  expect(
    await decided(
      log,
      [
        { topic: 'a', count: 1 },
        { topic: 'b', count: 2 },
      ],
      10,
    ),
  ).toEqual([1, 2, 3, 4])
})

it('everything is decided once and in the order of the log, however it is delivered', async () => {
  const topic = fc.constantFrom(...TOPICS)
  const deliveries = fc.array(fc.record({ topic, count: fc.integer({ min: 1, max: 5 }) }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(topic, { maxLength: 20 }),
      deliveries,
      fc.integer({ min: 1, max: 6 }),
      async (topics, given, size) => {
        expect(await decided(await aLog(topics), given, size)).toEqual(topics.map((_, i) => i + 1))
      },
    ),
  )
})
