import { HOUR_MS } from '../../domain/days.ts'
import { describe, expect, it } from 'vitest'
import { cross, together } from './crossings.ts'
import type { Figures, Level } from './level.ts'

const FIGURES: Figures = {
  ...{ velocity: 5, baseline: 1, window_hours: 1, count: 5, origins: 5, low_support: false },
  ...{ p_value: null, sentiment_before: null, sentiment_after: null },
}
const level = (isHigh: boolean, isNews = isHigh): Level => ({ isHigh, crossed: () => (isNews ? FIGURES : null) })
const hours = (from: number, last: number) => ({ from: from * HOUR_MS, last: last * HOUR_MS })
const known = [hours(100, 110)]

describe('a crossing', () => {
  it('is told where none is near', () => {
    expect(cross([], 5, level(false, true))).toEqual({ crossings: [{ from: 5, last: 5 }], news: FIGURES })
    expect(cross(known, 135 * HOUR_MS, level(true)).news).toEqual(FIGURES)
    expect(cross(known, 75 * HOUR_MS, level(true)).news).toEqual(FIGURES)
    expect(cross(known, 300 * HOUR_MS, level(true, false))).toEqual({ crossings: known, news: null })
  })

  it.each([
    ['goes on', 120, 100, 120],
    ['goes on for a day', 134, 100, 134],
    ['began before', 80, 80, 110],
  ])('%s while it is high, and is not told again', (_, at, from, last) => {
    expect(cross(known, at * HOUR_MS, level(true))).toEqual({ crossings: [hours(from, last)], news: null })
  })

  it('is left as it is within it, within an hour of it, and where it is high no more', () => {
    for (const at of [105, 110.9, 99.2]) expect(cross(known, at * HOUR_MS, level(true)).crossings).toBe(known)
    expect(cross(known, 130 * HOUR_MS, level(false, true)).crossings).toBe(known)
  })

  it('is one of the last hundred', () => {
    const many = Array.from({ length: 100 }, (_, i) => hours(100 * i, 100 * i))

    expect(together(many, [hours(50, 60)])).toHaveLength(100)
    expect(together(many, [hours(50, 60)])[0]).toEqual(hours(50, 60))
  })

  it('of an old corpus is remembered beside a hundred later ones: it is told once', () => {
    const many = Array.from({ length: 100 }, (_, i) => hours(1_000 + 100 * i, 1_000 + 100 * i))

    const first = cross(many, 0, level(true))

    expect(first.news).toEqual(FIGURES)
    expect(cross(first.crossings, HOUR_MS, level(true)).news).toBeNull()
  })
})
