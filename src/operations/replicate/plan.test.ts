import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PlacedPartition } from '../../adapters/kafka/replicas.ts'
import { replicatedPartitions } from './plan.ts'

const onOneBroker = (count: number): PlacedPartition[] =>
  Array.from({ length: count }, (_, partition) => ({ topic: 'articles.ingested', partition, replicas: [1] }))

const counted = (brokers: readonly number[]) =>
  [1, 2, 3].map((broker) => brokers.filter((one) => one === broker).length)

it('copies every partition of one broker to three, and spreads the leaders', () => {
  const planned = replicatedPartitions({ brokers: [1, 2, 3], partitions: onOneBroker(12) }, 3)

  expect(planned.map(({ replicas }) => replicas.toSorted())).toEqual(Array(12).fill([1, 2, 3]))
  expect(counted(planned.map(({ replicas }) => replicas[0] ?? 0))).toEqual([4, 4, 4])
})

it('spreads the second copies over the new brokers', () => {
  const planned = replicatedPartitions({ brokers: [1, 2, 3], partitions: onOneBroker(12) }, 2)

  expect(counted(planned.flatMap(({ replicas }) => replicas))).toEqual([12, 6, 6])
})

it('refuses more copies than brokers', () => {
  expect(() => replicatedPartitions({ brokers: [1, 2], partitions: onOneBroker(1) }, 3)).toThrow(
    '--replicas 3 needs as many brokers, and the cluster has 2',
  )
})

const aPartition = fc.record({
  topic: fc.constantFrom('a', 'b'),
  partition: fc.nat(50),
  replicas: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
})

it('keeps each copy, adds no more than asked for, and has nothing to do afterwards', () => {
  fc.assert(
    fc.property(fc.array(aPartition), fc.integer({ min: 1, max: 5 }), (partitions, copies) => {
      const brokers = [1, 2, 3, 4, 5]
      const planned = replicatedPartitions({ brokers, partitions }, copies)
      const before = partitions.filter(({ replicas }) => replicas.length < copies)

      expect(planned).toHaveLength(before.length)
      for (const [i, { replicas }] of planned.entries()) {
        expect(new Set(replicas).size).toBe(copies)
        expect(replicas).toEqual(expect.arrayContaining([...(before[i]?.replicas ?? [])]))
      }
      expect(replicatedPartitions({ brokers, partitions: planned }, copies)).toEqual([])
    }),
  )
})
