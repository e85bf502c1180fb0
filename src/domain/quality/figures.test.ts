import { expect, it } from 'vitest'
import { compared, type Figure, isFailure } from './figures.ts'

const aFigure = (given: Partial<Figure> = {}): Figure => ({
  name: 'ner/dev/a.bio.gz',
  measure: 'span_f1',
  value: 0.8,
  n: 100,
  ...given,
})
const verdictOf = (recorded: readonly Figure[], measured: readonly Figure[]) => {
  const comparisons = compared(recorded, measured)
  return { verdicts: comparisons.map(({ verdict }) => verdict), fails: comparisons.some(isFailure) }
}

it('refuses a figure that fell by more than one point', () => {
  expect(verdictOf([aFigure()], [aFigure({ value: 0.7899 })])).toEqual({ verdicts: ['dropped'], fails: true })
})

it.each([0.79, 0.8, 0.81, 1])('lets %d pass beside 0.8', (value) => {
  expect(verdictOf([aFigure()], [aFigure({ value })])).toEqual({ verdicts: ['held'], fails: false })
})

it.each([
  { measure: 'b_cubed_f1', value: 0.795, fails: false },
  { measure: 'b_cubed_f1', value: 0.7949, fails: true },
  { measure: 'macro_f1', value: 0.7949, fails: false },
])('lets stories fall by half a point only: $measure to $value', ({ measure, value, fails }) => {
  expect(verdictOf([aFigure({ measure })], [aFigure({ measure, value })]).fails).toBe(fails)
})

it('tells a figure that is new, and lets it pass', () => {
  const measured = [aFigure(), aFigure({ measure: 'macro_f1' })]

  expect(verdictOf([aFigure()], measured)).toEqual({ verdicts: ['held', 'new'], fails: false })
})

it('refuses when a recorded figure is not measured any more', () => {
  const recorded = [aFigure(), aFigure({ name: 'ner/dev/b.bio.gz' })]

  expect(compared(recorded, [aFigure()])[1]).toEqual({
    ...{ name: 'ner/dev/b.bio.gz', measure: 'span_f1' },
    ...{ baseline: 0.8, value: null, tolerance: 0.01, verdict: 'missing' },
  })
  expect(verdictOf(recorded, [aFigure()]).fails).toBe(true)
})

it('does not compare figures of different amounts', () => {
  expect(verdictOf([aFigure()], [aFigure({ value: 0.9, n: 99 })])).toEqual({ verdicts: ['other_n'], fails: true })
})
