import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PairTable } from './pair-table.ts'

it('holds what a Map of the pairs holds, in either order, however many there are', () => {
  const index = fc.nat({ max: 60 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(index, index, fc.double({ noNaN: true })), { maxLength: 4_000, size: 'max' }),
      (entries) => {
        const [table, map] = [new PairTable(), new Map<string, number>()]
        for (const [a, b, value] of entries) {
          table.set(a, b, value)
          map.set([Math.min(a, b), Math.max(a, b)].join(), value)
        }

        for (let a = 0; a <= 60; a++) for (let b = a; b <= 60; b++) expect(table.get(b, a)).toBe(map.get([a, b].join()))
      },
    ),
    { numRuns: 20 },
  )
})
