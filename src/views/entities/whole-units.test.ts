import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../domain/days.ts'
import { wholeUnits } from './whole-units.ts'

const aTime = fc.oneof(
  fc.integer({ min: -100 * DAY_MS, max: 100 * DAY_MS }),
  fc.integer({ min: -100, max: 100 }).map((days) => days * DAY_MS),
  fc.integer({ min: -100, max: 100 }).map((hours) => hours * HOUR_MS - 1),
)

it('contains each whole hour of a window, and each whole day of these hours', () => {
  fc.assert(
    fc.property(aTime, aTime, (one, other) => {
      const [from, as_of] = [Math.min(one, other), Math.max(one, other)]
      const { hours, days } = wholeUnits({ from, as_of })

      for (const [unit, range, outer] of [
        [HOUR_MS, hours, { from: from + 1, until: as_of + 1 }],
        [DAY_MS, days, hours],
      ] as const) {
        expect(outer.from <= range.from && range.from <= range.until && range.until <= outer.until).toBe(true)
        const isEmpty = range.from === range.until
        expect(isEmpty || (range.from % unit === 0 && range.until % unit === 0)).toBe(true)
        const atFirst = Math.ceil(outer.from / unit) * unit
        const fits = atFirst + unit <= outer.until
        expect(isEmpty).toBe(!fits)
        if (fits) expect(range.from - outer.from < unit && outer.until - range.until < unit).toBe(true)
      }
    }),
  )
})
