import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Budget, nextMonth, NO_BUDGET } from './budget.ts'

const HOUR_MS = 3_600_000
const CADENCE_MS = 6 * HOUR_MS
const NOVEMBER = Date.UTC(2026, 10, 1)

const aBudget = (postsPerMonth: number) => new Budget({ postsPerMonth, least: 10, cadenceMs: CADENCE_MS })

describe('a budget of posts', () => {
  it('is of the UTC month: what was read before counts no more', () => {
    const budget = aBudget(100)
    budget.count(Date.UTC(2026, 10, 30, 23, 59, 59, 999), 100)

    expect(budget.isUsedUp(Date.UTC(2026, 10, 30, 23, 59, 59, 999))).toBe(true)
    expect(budget.isUsedUp(Date.UTC(2026, 11, 1))).toBe(false)
    expect(nextMonth(Date.UTC(2026, 11, 31, 23))).toBe(Date.UTC(2027, 0, 1))
  })

  it('is used up when less is left than the platform gives at once', () => {
    const budget = aBudget(100)
    budget.count(NOVEMBER, 91)

    expect(budget.isUsedUp(NOVEMBER)).toBe(true)
  })

  it('goes on from what was told, in whatever order', () => {
    const costs = [
      [NOVEMBER - 1, 99],
      [NOVEMBER, 5],
      [NOVEMBER + 2, 9],
      [NOVEMBER + 1, 7],
    ] as const
    fc.assert(
      fc.property(fc.shuffledSubarray([...costs], { minLength: costs.length }), (order) => {
        const budget = aBudget(100)
        for (const [at, posts] of order) budget.restore(at, posts)
        expect(budget.readIn(NOVEMBER + 3)).toBe(9)
      }),
    )
  })

  it('has no end where there is none', () => {
    const budget = new Budget({ ...NO_BUDGET, cadenceMs: CADENCE_MS })
    budget.startRound(NOVEMBER)

    expect(budget.startSearch(50)).toBe(true)
    expect(budget.left()).toBe(Infinity)
    expect(budget.startLookUp()).toBe(true)
    expect(budget.isUsedUp(NOVEMBER)).toBe(false)
  })

  it('leaves to searches that are still to come all but what is kept for looking again', () => {
    const budget = aBudget(12_000) // 120 rounds: 100 each, twice that at once, a quarter kept
    budget.startRound(NOVEMBER)
    expect(budget.startLookUp(2)).toBe(true)
    expect(budget.left()).toBe(50)
    budget.count(NOVEMBER, 30)
    expect(budget.startLookUp(2)).toBe(true)
    expect(budget.left()).toBe(20)
    budget.count(NOVEMBER, 20)
    expect(budget.startLookUp(2)).toBe(false)

    expect(budget.startSearch(1)).toBe(true)
    expect(budget.left()).toBe(150)
  })

  it('lasts for the month though every look takes all it may, and little of it is left at the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 20_000 }), fc.integer({ min: 1, max: 60 }), (posts, stories) => {
        const budget = aBudget(posts)
        const days = new Map<number, number>()
        for (let at = NOVEMBER; at < nextMonth(NOVEMBER); at += CADENCE_MS) {
          budget.startRound(at)
          let spent = 0
          for (let left = stories; left > 0 && budget.startSearch(left); left--) {
            spent += budget.left()
            budget.count(at, budget.left())
          }
          if (budget.startLookUp()) {
            spent += budget.left()
            budget.count(at, budget.left())
          }
          days.set(
            Math.floor((at - NOVEMBER) / (5 * 24 * HOUR_MS)),
            (days.get(Math.floor((at - NOVEMBER) / (5 * 24 * HOUR_MS))) ?? 0) + spent,
          )
        }
        expect(budget.readIn(NOVEMBER)).toBeLessThanOrEqual(posts)
        expect(budget.readIn(NOVEMBER)).toBeGreaterThanOrEqual(Math.min(posts, posts * 0.9 - 10))
        // five of thirty days may have twice their sixth, and a page
        expect(days.get(0) ?? 0).toBeLessThanOrEqual(posts / 3 + 40)
      }),
    )
  })
})
