import { expect, it } from 'vitest'
import { fromOf } from './reread.ts'

it('takes an offset or a moment to read from, and nothing else', () => {
  expect(fromOf('0')).toEqual({ offset: 0 })
  expect(fromOf('2016')).toEqual({ offset: 2016 })
  expect(fromOf('2016-05-03T12:00:00Z')).toEqual({ time: Date.UTC(2016, 4, 3, 12) })
  for (const wrong of ['-1', 'yesterday', '1.5', '']) expect(() => fromOf(wrong)).toThrow('--from')
})
