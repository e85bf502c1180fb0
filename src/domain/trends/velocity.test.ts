import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ENTITY_VELOCITY_SQL,
  entityVelocity as velocityOf,
  type EntityVelocity,
  type History,
  storyVelocity as velocityOfCounts,
  type StoryVelocity,
  hasLowSupport,
  momentum,
  scale,
} from './velocity.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)

/** From its mentions on each of the days before. */
const historyOf = (prior: readonly number[]): History => ({
  mentions: sum(prior),
  days: prior.length,
  days_of_history: prior.filter((one) => one > 0).length,
})

/** Where nothing is said, of as many independent sources as it takes. */
const entityVelocity = (mentions: number, prior: readonly number[], origins = 3): EntityVelocity =>
  velocityOf({ mentions, origins }, historyOf(prior))

const aWeek = fc.array(fc.nat(60), { minLength: 1, maxLength: 7 })
const anEntity = fc.record({ mentions: fc.nat(200), origins: fc.nat(6), prior: aWeek })

describe('the velocity of an entity', () => {
  it('is today over the mean of the days before, those without a mention included', () => {
    expect(entityVelocity(60, [10, 0, 20, 0, 0, 0, 40])).toEqual({ velocity: 6, baseline: 10, days_of_history: 3 })
    expect(entityVelocity(12, [2, 1, 3])).toEqual({ velocity: 6, baseline: 2, days_of_history: 3 })
    expect(entityVelocity(0, [20, 40, 30], 0)).toEqual({ velocity: 0, baseline: 30, days_of_history: 3 })
    expect(entityVelocity(3, [4, 2])).toEqual({ velocity: 1, baseline: 3, days_of_history: 2 })
  })

  it('is 1 where there is no history', () => {
    expect(entityVelocity(40, [0, 0, 0])).toEqual({ velocity: 1, baseline: 0, days_of_history: 0 })
    expect(entityVelocity(40, [])).toEqual({ velocity: 1, baseline: 0, days_of_history: 0 })
  })

  it('is 1 for what never changes', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 7 }), fc.nat(6), (mentions, days, origins) => {
        expect(entityVelocity(mentions, Array<number>(days).fill(mentions), origins).velocity).toBe(1)
      }),
    )
  })

  it('with ten mentions, three sources and three days of history is the ratio itself', () => {
    const supported = fc.record({
      mentions: fc.integer({ min: 10, max: 1000 }),
      origins: fc.integer({ min: 3, max: 50 }),
      prior: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 3, maxLength: 7 }),
    })
    fc.assert(
      fc.property(supported, ({ mentions, origins, prior }) => {
        const { mentions: before, days } = historyOf(prior)
        expect(entityVelocity(mentions, prior, origins).velocity).toBe((mentions * days) / before)
      }),
    )
  })

  it('with less is what a sample would have whose missing part comes at the usual rate', () => {
    // 5 of 10 mentions: 5 of a baseline of 3 / 7, and 5 at the usual rate
    expect(entityVelocity(5, [1, 1, 1, 0, 0, 0, 0]).velocity).toBeCloseTo(10 / (3 / 7 + 5), 12)
    // 1 of 3 sources: 30 mentions, and 60 at the usual rate
    expect(entityVelocity(30, [5, 5, 5], 1).velocity).toBeCloseTo(90 / 65, 12)
    // a fall of 4 that were to be expected, of 10
    expect(entityVelocity(0, [4, 4, 4], 0).velocity).toBeCloseTo(0.6, 12)
  })

  it('with little of one kind has a bound, however small the baseline', () => {
    fc.assert(
      fc.property(anEntity, ({ mentions, origins, prior }) => {
        const { velocity, days_of_history } = entityVelocity(mentions, prior, origins)
        if (mentions <= 5) expect(velocity).toBeLessThan(2)
        if (Math.min(origins, days_of_history) === 1) expect(velocity).toBeLessThan(1.5)
        if (Math.min(origins, days_of_history) === 2) expect(velocity).toBeLessThan(3)
      }),
    )
  })

  it('of one to five mentions is below that of any entity that doubled with support', () => {
    const few = fc.record({ mentions: fc.integer({ min: 1, max: 5 }), origins: fc.nat(5), prior: aWeek })
    const doubled = fc
      .array(fc.integer({ min: 1, max: 50 }), { minLength: 3, maxLength: 7 })
      .map((prior) => ({ prior, mentions: Math.max(10, Math.ceil((2 * sum(prior)) / prior.length)) }))
    fc.assert(
      fc.property(few, doubled, (one, other) => {
        expect(entityVelocity(one.mentions, one.prior, one.origins).velocity).toBeLessThan(
          entityVelocity(other.mentions, other.prior).velocity,
        )
      }),
    )
  })

  it('lies between the ratio and 1', () => {
    fc.assert(
      fc.property(anEntity, ({ mentions, origins, prior }) => {
        const { velocity, baseline } = entityVelocity(mentions, prior, origins)
        const ratio = baseline === 0 ? 1 : mentions / baseline
        expect(velocity).toBeGreaterThanOrEqual(Math.min(1, ratio) - 1e-9)
        expect(velocity).toBeLessThanOrEqual(Math.max(1, ratio) + 1e-9)
      }),
    )
  })

  it('never falls with another mention or another source', () => {
    fc.assert(
      fc.property(anEntity, ({ mentions, origins, prior }) => {
        const { velocity } = entityVelocity(mentions, prior, origins)
        expect(entityVelocity(mentions + 1, prior, origins).velocity).toBeGreaterThanOrEqual(velocity - 1e-12)
        expect(entityVelocity(mentions, prior, origins + 1).velocity).toBeGreaterThanOrEqual(velocity - 1e-12)
      }),
    )
  })

  it('of one that was never named by this time of day, though on these days, takes it as named once', () => {
    const history = { mentions: 0, days: 7, days_of_history: 4 }
    expect(velocityOf({ mentions: 12, origins: 3 }, history)).toEqual({
      ...{ velocity: 84, baseline: 1 / 7, days_of_history: 4 },
    })
    expect(velocityOf({ mentions: 1, origins: 1 }, history).velocity).toBeLessThan(1.11)
  })
})

/** Evaluates the columns of `ENTITY_VELOCITY_SQL` in their order: what they use of ClickHouse's SQL reads like JavaScript. */
function velocityInSql(entity: { readonly mentions: number; readonly origins: number }, history: History) {
  const columns: Record<string, unknown> = {
    ...{ least: Math.min, greatest: Math.max },
    multiIf: (...args: readonly unknown[]) => (args[0] === true ? args[1] : args[2] === true ? args[3] : args[4]),
    ...{
      ...entity,
      by_this_time: history.mentions,
      days_of_history: history.days_of_history,
      prior_days: history.days,
    },
  }
  for (const [name, sql] of Object.entries(ENTITY_VELOCITY_SQL)) {
    const expression = sql
      .replaceAll(/\{(\w+): \w+\}/g, '$1')
      .replaceAll(' = ', ' === ')
      .replaceAll(' OR ', ' || ')
    columns[name] = runInNewContext(expression, columns)
  }
  return { velocity: Number(columns['velocity']), low_support: columns['low_support'] }
}

describe('the velocity of an entity in SQL', () => {
  it('is the one in TypeScript', () => {
    fc.assert(
      fc.property(anEntity, ({ mentions, origins, prior }) => {
        const history = historyOf(prior)
        const { velocity } = velocityOf({ mentions, origins }, history)
        const found = velocityInSql({ mentions, origins }, history)
        expect(found.velocity).toBeCloseTo(velocity, 9)
        expect(found.low_support).toBe(hasLowSupport({ origins, days_of_history: history.days_of_history }))
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
