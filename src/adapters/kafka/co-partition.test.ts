import { expect, it } from 'vitest'
import { assignCoPartitioned } from './co-partition.ts'

const aCandidate = (memberId: string, since = 1) => ({ memberId, since })

it('gives partition p of every topic to one member, every partition to somebody', () => {
  const topics = { a: [0, 1, 2], b: [0, 1, 2], c: [0] }

  const assigned = assignCoPartitioned([aCandidate('y'), aCandidate('x')], topics)

  expect(Object.fromEntries(assigned)).toEqual({ x: { a: [0, 2], b: [0, 2], c: [0] }, y: { a: [1], b: [1] } })
})

it('leaves the last who came with nothing when there are more members than partitions', () => {
  const assigned = assignCoPartitioned([aCandidate('a', 3), aCandidate('b', 1), aCandidate('c', 2)], { t: [0, 1] })

  expect(Object.fromEntries(assigned)).toEqual({ b: { t: [0] }, c: { t: [1] }, a: {} })
})
