import { expect, it } from 'vitest'
import { calibrationError } from './assignments.ts'

const forecasts = (probability: number, ...held: boolean[]) => held.map((one) => ({ probability, held: one }))

it('is nothing where as much comes true as was said, or nothing was said', () => {
  expect(calibrationError(forecasts(0.75, true, true, true, false))).toBe(0)
  expect(calibrationError([])).toBe(0)
})

it('weighs bins by their forecasts, and errors of one bin against each other', () => {
  const sure = forecasts(1, true, true, false) // overconfident by 1/3
  const unsure = forecasts(0.25, true) // underconfident by 3/4

  expect(calibrationError([...sure, ...unsure])).toBeCloseTo((1 + 0.75) / 4)
  expect(calibrationError([...forecasts(0.91, true), ...forecasts(0.99, true)])).toBeCloseTo(0.05)
})
