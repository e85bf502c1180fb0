import { expect, it } from 'vitest'
import { sized } from '../../../test/builders/sizes.ts'
import { benchMemory, benchSteady, benchSteps } from './detected.ts'

const ENTITIES = sized(100, 300)

it('calls at most one of a hundred steady entities spiking with support within 30 days', { timeout: 180_000 }, () => {
  const figure = benchSteady({ entities: ENTITIES, days: 30, budget: 200_000 })

  expect(figure.articles).toBeGreaterThan(20 * ENTITIES)
  expect(figure.false_share).toBeLessThanOrEqual(0.01)
})

it('tells a fivefold step once, most within three hours', { timeout: 180_000 }, () => {
  for (const { spacing, mentions_a_day, ...figure } of benchSteps(sized(3, 8))) {
    const name = `${spacing}, ${mentions_a_day} a day`
    expect(figure, name).toMatchObject({ more_than_once: 0, never: 0 })
    if (mentions_a_day === '50 to 200') expect(figure.within_3_hours, name).toBeGreaterThanOrEqual(0.8)
    expect(figure.median_hours, name).toBeLessThanOrEqual(spacing === 'even' ? 3.3 : 5)
  }
})

it('measures memory with names as there are in news', () => {
  const { articles, names } = benchMemory(500)

  expect(articles).toBe(500)
  expect(names).toBeGreaterThan(2_000)
})
