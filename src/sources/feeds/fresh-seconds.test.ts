import { expect, it } from 'vitest'
import { freshSeconds } from './fresh-seconds.ts'

const AT = Date.UTC(2026, 0, 1)
const inAMinute = 'Thu, 01 Jan 2026 00:01:00 GMT'

it.each([
  [{}, null],
  [{ 'cache-control': 'public, Max-Age=300' }, 300],
  [{ 'cache-control': 'max-age="60"', expires: '0' }, 60],
  [{ 'cache-control': 'max-age=300', age: '100' }, 200],
  [{ 'cache-control': 'max-age=300', age: '400' }, 0],
  [{ 'cache-control': 'no-cache, max-age=300' }, 0],
  [{ 'cache-control': 'no-store' }, 0],
  [{ 'cache-control': 's-maxage=300' }, null],
  [{ expires: inAMinute }, 60],
  [{ expires: inAMinute, date: 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
  [{ expires: '0' }, 0],
  [{ expires: '-1' }, 0],
  [{ expires: '3600' }, 0],
  [{ expires: 'never' }, 0],
])('reads the freshness of %j as %j seconds', (headers, seconds) => {
  expect(freshSeconds(headers, AT)).toBe(seconds)
})
