import { expect, it } from 'vitest'
import { placeOf } from './place-of.ts'

it('finds a name whatever its case and its blanks', () => {
  expect(placeOf('tata  motors', 'Shares of Tata Motors fall')).toEqual({ start: 10, end: 21 })
})

it('prefers whole words to a part of one', () => {
  expect(placeOf('ITC', 'Pitch: ITC gains')).toEqual({ start: 7, end: 10 })
  expect(placeOf('ITC', 'Pitch only')).toEqual({ start: 1, end: 4 })
})

it('takes every mark of a name for itself', () => {
  expect(placeOf('M&M (A+)', 'Why M&M (A+) rose')).toEqual({ start: 4, end: 12 })
})

it('says so when a name is not there', () => {
  expect(placeOf('Infosys', 'Sensex up')).toBeUndefined()
  expect(placeOf(' ', 'Sensex up')).toBeUndefined()
})
