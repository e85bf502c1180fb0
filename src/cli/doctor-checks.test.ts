import { expect, it } from 'vitest'
import { isAtLeast } from './doctor-checks.ts'

it.each([
  ['20.19.0', '20.19', true],
  ['20.20.2', '20.19', true],
  ['22.0.0', '20.19', true],
  ['20.9.0', '20.19', false],
  ['17', '17', true],
  ['1.8.0', '17', false],
  ['3.10', '3.6', true],
])('%s is at least %s: %s', (found, wanted, expected) => {
  expect(isAtLeast(found, wanted)).toBe(expected)
})
