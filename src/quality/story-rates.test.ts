import { expect, it } from 'vitest'
import { fragmentationRate, overMergeRate } from './story-rates.ts'

const grouped = (...pairs: readonly (readonly [gold: string, predicted: string])[]) =>
  pairs.map(([gold, predicted]) => ({ gold, predicted }))

const perfect = grouped(['x', '1'], ['x', '1'], ['y', '2'])
const merged = grouped(['x', '1'], ['x', '1'], ['y', '1'], ['z', '2'], ['z', '2'])
const torn = grouped(['x', '1'], ['x', '2'], ['y', '3'], ['y', '3'], ['z', '4'])

it('counts predicted stories of two and more that hold several gold stories', () => {
  expect(overMergeRate(perfect)).toEqual({ value: 0, n: 1 })
  expect(overMergeRate(merged)).toEqual({ value: 0.5, n: 2 })
  expect(overMergeRate(torn)).toEqual({ value: 0, n: 1 })
})

it('counts gold stories of two and more that are in several predicted ones', () => {
  expect(fragmentationRate(perfect)).toEqual({ value: 0, n: 1 })
  expect(fragmentationRate(merged)).toEqual({ value: 0, n: 2 })
  expect(fragmentationRate(torn)).toEqual({ value: 0.5, n: 2 })
})

it('finds nothing wrong where there is nothing', () => {
  expect(overMergeRate([])).toEqual({ value: 0, n: 0 })
  expect(fragmentationRate(grouped(['x', '1']))).toEqual({ value: 0, n: 0 })
})
