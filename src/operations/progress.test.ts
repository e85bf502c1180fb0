import { expect, it } from 'vitest'
import { eta } from './progress.ts'

it('prints progress, rate and remaining time', () => {
  expect(eta({ done: 2500, whole: 10_000, elapsedMs: 5000, of: 'records' })).toBe(
    '[######------------------]  25 % 2500 of 10000 records, 500/s, about 15 s left',
  )
})

it('prints no remaining time if the total is unknown or nothing is done yet', () => {
  expect(eta({ done: 10, whole: null, elapsedMs: 1000, of: 'records' })).toBe('10 records, 10/s')
  expect(eta({ done: 0, whole: 10, elapsedMs: 0, of: 'records' })).toBe(
    '[------------------------]   0 % 0 of 10 records, 0/s',
  )
})
