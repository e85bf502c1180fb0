import { expect, it } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

const AT = Date.UTC(2026, 0, 1)

it.each([
  [undefined, null],
  ['120', 120],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', null],
  ['', null],
])('reads Retry-After %j as %j seconds', (text, seconds) => {
  expect(retryAfterSeconds(text, AT)).toBe(seconds)
})
