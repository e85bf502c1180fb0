import { expect, it } from 'vitest'
import { timedParts } from './consume-parts.ts'

it('finds the size that takes the wanted time, growing at most fourfold a step', () => {
  const size = timedParts({ partMs: 1000, partRecords: 500 })
  const sizes = [16, 64, 256].map((records) => {
    const now = size.next()
    size.took(records, records) // one millisecond per record
    return now
  })

  expect([...sizes, size.next()]).toEqual([16, 64, 256, 500])
})

it('goes down to one record at a time when records are slow', () => {
  const size = timedParts({ partMs: 1000, partRecords: 500 })

  size.took(16, 160_000)

  expect(size.next()).toBe(1)
})
