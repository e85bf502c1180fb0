import { expect, it } from 'vitest'
import { consumerLags } from './standing.ts'

/** A log with one partition per topic. */
const aLog = (
  ends: Readonly<Record<string, number>>,
  { committed = 0, left = 0 }: { readonly committed?: number | null; readonly left?: number } = {},
) => {
  const read: string[] = []
  return {
    read,
    log: {
      ends: async (topic: string) => [ends[topic] ?? 0],
      committed: async () => [committed],
      read: async function* (topic: string) {
        read.push(topic)
        const record = { key: null, value: null, headers: {}, offset: 0, loggedAt: 0 }
        if (left > 0) yield [record as never]
      },
    },
  }
}
const READER = { name: 'clustered', group: 'clustered', topics: ['a', 'b'] }

it('counts what a reader has still to read of all its topics', async () => {
  const { log, read } = aLog({ a: 30, b: 50 }, { committed: 20 })

  expect(await consumerLags(log, [READER])).toEqual([{ name: 'clustered', waiting: 40 }])
  expect(read).toEqual([]) // too many to be markers only
})

it('counts all there is for one that has never read', async () => {
  expect(await consumerLags(aLog({ a: 9, b: 0 }, { committed: null }).log, [READER])).toMatchObject([{ waiting: 9 }])
})

it('takes the marks of transactions for nothing, and a single record for one', async () => {
  const marks = aLog({ a: 22 }, { committed: 20 })
  const records = aLog({ a: 22 }, { committed: 20, left: 1 })

  expect(await consumerLags(marks.log, [{ ...READER, topics: ['a'] }])).toMatchObject([{ waiting: 0 }])
  expect(await consumerLags(records.log, [{ ...READER, topics: ['a'] }])).toMatchObject([{ waiting: 2 }])
})
