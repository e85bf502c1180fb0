import { expect, it } from 'vitest'
import { eta } from './eta.ts'

it('tells how far, how fast and how long still', () => {
  expect(eta({ done: 2500, whole: 10_000, elapsedMs: 5000, of: 'records' })).toBe(
    '[######------------------]  25 % 2500 of 10000 records, 500 a second, some 15 s left',
  )
})

it('tells no end where the whole is not known, and none before anything is done', () => {
  expect(eta({ done: 10, whole: null, elapsedMs: 1000, of: 'records' })).toBe('10 records, 10 a second')
  expect(eta({ done: 0, whole: 10, elapsedMs: 0, of: 'records' })).toBe(
    '[------------------------]   0 % 0 of 10 records, 0 a second',
  )
})
