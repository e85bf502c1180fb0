import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DayPostings } from './day-postings.ts'

const change = fc.record({ key: fc.nat(4), slot: fc.nat(6), removed: fc.boolean(), searched: fc.boolean() })

it('gives the slots of a key, as often as they were added and not removed', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 1_500 }), (changes) => {
      const postings = new DayPostings()
      const expected = Array.from({ length: 5 }, (): number[] => [])
      const found = (key: number): number[] => {
        const slots: number[] = []
        postings.collect(key, slots, Infinity)
        return slots.sort((a, b) => a - b)
      }
      for (const { key, slot, removed, searched } of changes) {
        const place = expected[key]?.indexOf(slot) ?? -1
        if (!removed) {
          postings.add(key, slot)
          expected[key]?.push(slot)
        } else if (place >= 0) {
          postings.remove(key, slot)
          expected[key]?.splice(place, 1)
        }
        if (searched) expect(found(key)).toEqual(expected[key]?.toSorted((a, b) => a - b))
      }

      expected.forEach((slots, key) => {
        expect(found(key)).toEqual(slots.toSorted((a, b) => a - b))
      })
    }),
    { numRuns: 50 },
  )
})

it('stops at the limit', () => {
  const postings = new DayPostings()
  for (let slot = 0; slot < 1_000; slot++) postings.add(7, slot)
  const slots: number[] = []
  postings.collect(7, slots, 10)

  expect(slots).toHaveLength(10)
})
