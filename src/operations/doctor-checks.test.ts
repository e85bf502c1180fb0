import { expect, it } from 'vitest'
import { isAtLeast, isSupportedNode } from './doctor-checks.ts'

it.each([
  ['20.19.0', '20.19', true],
  ['20.20.2', '20.19', true],
  ['22.0.0', '20.19', true],
  ['20.9.0', '20.19', false],
  ['17', '17', true],
  ['1.8.0', '17', false],
  ['3.10', '3.6', true],
])('%s is at least %s: %s', (found, minimum, expected) => {
  expect(isAtLeast(found, minimum)).toBe(expected)
})

it.each([
  ['20.18.9', false],
  ['20.19.0', true],
  ['21.7.0', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['23.1.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is supported: %s', (version, expected) => {
  expect(isSupportedNode(version)).toBe(expected)
})
