import { expect, it } from 'vitest'
import { instant, instantOrNull } from './instant.ts'

it('writes milliseconds the way the store reads them', () => {
  expect(instant(Date.UTC(2018, 11, 31, 23, 59, 59, 7))).toBe('2018-12-31 23:59:59.007')
  expect(instantOrNull(null)).toBeNull()
})

it('keeps a date that no table can hold at the edge of what it can', () => {
  expect(instant(-1e15)).toBe('1900-01-01 00:00:00.000')
  expect(instant(1e15)).toBe('2299-12-31 23:59:59.999')
})
