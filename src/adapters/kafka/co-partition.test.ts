import { expect, it } from 'vitest'
import { assignCoPartitioned } from './co-partition.ts'

it('gives partition p of every topic to one member, every partition to somebody', () => {
  const topics = { a: [0, 1, 2], b: [0, 1, 2], c: [0] }

  const assigned = assignCoPartitioned(['y', 'x'], topics)

  expect(Object.fromEntries(assigned)).toEqual({ x: { a: [0, 2], b: [0, 2], c: [0] }, y: { a: [1], b: [1] } })
})

it('leaves a member with nothing when there are more members than partitions', () => {
  expect(assignCoPartitioned(['x', 'y'], { a: [0] }).get('y')).toEqual({})
})
