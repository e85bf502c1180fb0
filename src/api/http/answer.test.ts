import { expect, it } from 'vitest'
import { wantsGzip } from './answer.ts'

it.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['GZIP;Q=0.1', true],
  ['*', true],
  ['br;q=1.0, *;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['*;q=0', false],
  ['identity', false],
  ['br', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %s: gzip %s', (accepted, isAccepted) => {
  expect(wantsGzip(accepted, 2_000)).toBe(isAccepted)
})

it('compresses no small answer', () => {
  expect(wantsGzip('gzip', 1_023)).toBe(false)
  expect(wantsGzip('gzip', 1_024)).toBe(true)
})
