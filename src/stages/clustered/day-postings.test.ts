import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DayPostings } from './day-postings.ts'
import { noSlots } from './slots.ts'

/** Of 24 bits: some with the same first bits, the smallest and the largest. */
const KEYS = [0, 1, 2 ** 23, 2 ** 24 - 2, 2 ** 24 - 1]
const change = fc.record({ which: fc.nat(4), slot: fc.nat(6), removed: fc.boolean(), searched: fc.boolean() })

it('gives the slots of a key, as often as they were added and not removed', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 2_500 }), (changes) => {
      const postings = new DayPostings()
      const expected = KEYS.map((): number[] => [])
      const found = (which: number): number[] => {
        const into = noSlots(4)
        postings.collect(KEYS[which] ?? 0, into)
        return [...into.buffer.subarray(0, into.length)].sort((a, b) => a - b)
      }
      for (const { which, slot, removed, searched } of changes) {
        const place = expected[which]?.indexOf(slot) ?? -1
        if (!removed) {
          postings.add(KEYS[which] ?? 0, slot)
          expected[which]?.push(slot)
        } else if (place >= 0) {
          postings.remove(KEYS[which] ?? 0, slot)
          expected[which]?.splice(place, 1)
        }
        if (searched) expect(found(which)).toEqual(expected[which]?.toSorted((a, b) => a - b))
      }

      expected.forEach((slots, which) => {
        expect(found(which)).toEqual(slots.toSorted((a, b) => a - b))
        expect(postings.atLeast(KEYS[which] ?? 0)).toBeLessThanOrEqual(slots.length)
        if (changes.every(({ removed }) => !removed)) expect(postings.atLeast(KEYS[which] ?? 0)).toBe(slots.length)
      })
    }),
    { numRuns: 50 },
  )
})
