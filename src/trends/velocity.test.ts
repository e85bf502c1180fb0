import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entityVelocity as velocityOf, type EntityVelocity } from './entity-velocity.ts'
import { momentum, scale } from './momentum.ts'
import { storyVelocity as velocityOfCounts, type StoryVelocity } from './story-velocity.ts'
import { hasLowSupport } from './support.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From its mentions on each of the days before. */
const entityVelocity = (mentions: number, prior: readonly number[]): EntityVelocity =>
  velocityOf(mentions, {
    mentions: prior.reduce((sum, one) => sum + one, 0),
    days: prior.length,
    days_of_history: prior.filter((one) => one > 0).length,
  })

describe('the velocity of an entity', () => {
  it('is today over the mean of the days before, those without a mention included', () => {
    expect(entityVelocity(6, [1, 0, 2, 0, 0, 0, 4])).toEqual({ velocity: 6, baseline: 1, days_of_history: 3 })
    expect(entityVelocity(3, [2, 4])).toEqual({ velocity: 1, baseline: 3, days_of_history: 2 })
    expect(entityVelocity(0, [2, 4])).toEqual({ velocity: 0, baseline: 3, days_of_history: 2 })
  })

  it('is 1 where there is no history', () => {
    expect(entityVelocity(40, [0, 0, 0])).toEqual({ velocity: 1, baseline: 0, days_of_history: 0 })
    expect(entityVelocity(40, [])).toEqual({ velocity: 1, baseline: 0, days_of_history: 0 })
  })

  it('is 1 for what never changes, and in proportion to today', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.array(fc.nat(50), { minLength: 1, maxLength: 7 }), (mentions, prior) => {
        expect(entityVelocity(mentions, Array<number>(prior.length).fill(mentions)).velocity).toBe(1)
        const { velocity, baseline } = entityVelocity(mentions, [...prior.slice(1), 1])
        expect(velocity * baseline).toBeCloseTo(mentions, 9)
        expect(entityVelocity(2 * mentions, [...prior.slice(1), 1]).velocity).toBe(2 * velocity)
      }),
    )
  })
})

/** From the event times of its articles: the window is what follows `at - windowMs`. */
function storyVelocity(times: readonly number[], at: number, windowMs: number): StoryVelocity {
  const begins = at - windowMs
  const before = times.filter((time) => time <= begins)
  return velocityOfCounts({
    count: times.length - before.length,
    previous: before.filter((time) => time > begins - windowMs).length,
    before: before.length,
    windows: (begins - Math.min(begins, ...before)) / windowMs,
  })
}

describe('the velocity of a story', () => {
  const at = Date.UTC(2018, 11, 31, 12)
  const ago = (...hours: readonly number[]) => hours.map((one) => at - one * HOUR_MS)

  it('is the number of its articles where it begins in the window', () => {
    expect(storyVelocity(ago(0, 1, 23.9), at, DAY_MS)).toEqual({ velocity: 3, baseline: 1, growth_rate: 3 })
  })

  it('is held against its articles a window before, one more than there were', () => {
    // Before the window: 3 in two days, of which 2 in the window before. (3 + 1) / (2 + 1) a window.
    const found = storyVelocity(ago(1, 2, 3, 4, 5, 30, 35, 72), at, DAY_MS)
    expect(found.baseline).toBeCloseTo(4 / 3, 12)
    expect(found.velocity).toBeCloseTo(15 / 4, 12)
    expect(found.growth_rate).toBe(1.5)
  })

  it('has a baseline of one article at least: a few after a long silence are no more than a few of a new story', () => {
    expect(storyVelocity(ago(1, 2, 3, 120), at, DAY_MS)).toEqual({ velocity: 3, baseline: 1, growth_rate: 3 })
    expect(storyVelocity(ago(0.1, 0.2, 0.3, 96), at, HOUR_MS)).toEqual({ velocity: 3, baseline: 1, growth_rate: 3 })
  })

  it('falls where there are fewer than in the window before', () => {
    expect(storyVelocity(ago(24), at, DAY_MS)).toMatchObject({ velocity: 0, growth_rate: -1 })
    expect(storyVelocity(ago(48), at, DAY_MS)).toMatchObject({ velocity: 0, growth_rate: 0 })
  })

  it('of a steady story nears 1, whatever the window', () => {
    const steady = Array.from({ length: 2400 }, (_, hour) => at - hour * HOUR_MS)
    expect(storyVelocity(steady, at, DAY_MS).velocity).toBeCloseTo(1, 1)
    expect(storyVelocity(steady, at, 6 * HOUR_MS).velocity).toBeCloseTo(1, 1)
  })

  it('rises with each article in the window and falls with each before it that does not make it older', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 240 }), { maxLength: 30 })
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 23 }), (hours, another) => {
        const times = ago(...hours)
        const { velocity } = storyVelocity(times, at, DAY_MS)
        expect(storyVelocity([...times, ...ago(another)], at, DAY_MS).velocity).toBeGreaterThan(velocity)
        expect(storyVelocity([...times, at - DAY_MS], at, DAY_MS).velocity).toBeLessThanOrEqual(velocity)
      }),
    )
  })
})

describe('words for a velocity', () => {
  it('begin at their threshold', () => {
    expect([0, 0.49, 0.5, 1.49, 1.5, 2.99, 3, 100].map(momentum)).toEqual([
      ...['falling', 'falling', 'stable', 'stable', 'rising', 'rising', 'spiking', 'spiking'],
    ])
    expect([0, 0.99, 1, 1.99, 2, 4.99, 5, 10, 10.01].map(scale)).toEqual([
      ...['declining', 'declining', 'stable', 'stable', 'rising', 'rising', 'spiking', 'spiking', 'viral'],
    ])
  })

  it('warn where less than three accounts or three days stand behind it', () => {
    expect(hasLowSupport({ origins: 3, days_of_history: 3 })).toBe(false)
    expect(hasLowSupport({ origins: 2, days_of_history: 7 })).toBe(true)
    expect(hasLowSupport({ origins: 9, days_of_history: 2 })).toBe(true)
  })
})
