import { expect, it } from 'vitest'
import { float, integer, moment } from './parameters.ts'

const messages = (parsed: { readonly error?: { readonly issues: readonly { readonly message: string }[] } }) =>
  parsed.error?.issues.map(({ message }) => message)

it.each(['1899-12-31', '2300-01-01T00:00:00Z', '2999-01-01'])(
  'names the years there are to who asks for %s',
  (given) => {
    expect(messages(moment().safeParse(given))).toEqual(['expected a moment of the years 1900 to 2299'])
  },
)

it.each(['yesterday', '2018-02-30', ''])('says that "%s" is no moment at all', (given) => {
  expect(messages(moment().safeParse(given))).toEqual(['expected an ISO 8601 timestamp or a date'])
})

it.each([16, 30, 400])('names the range to who sends a number of %i digits', (digits) => {
  const [many, negative] = ['9'.repeat(digits), `-${'9'.repeat(digits)}`]

  expect(messages(integer({ min: 1, max: 1_000 }).safeParse(many))).toEqual(['Too big: expected number to be <=1000'])
  expect(messages(integer({ min: 1, max: 1_000 }).safeParse(negative))).toEqual([
    'Too small: expected number to be >=1',
  ])
  expect(messages(float({ min: 0, max: 1 }).safeParse(many))).toEqual(['Too big: expected number to be <=1'])
})

it('takes a number only where it is written as one', () => {
  expect(messages(integer({ min: 1, max: 9 }).safeParse('3x'))).toEqual([expect.stringContaining('received string')])
  expect(integer({ min: 1, max: 9 }).parse('003')).toBe(3)
})
