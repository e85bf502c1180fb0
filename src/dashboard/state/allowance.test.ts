import { expect, it } from 'vitest'
import { allowanceOf, paceMs } from './allowance.ts'

const said = (left: number, perMinute: number) =>
  allowanceOf(
    new Headers({ ratelimit: `"default";r=${left};t=1`, 'ratelimit-policy': `"default";q=${perMinute};w=60` }),
  )

it('reads what is left from the headers of an answer', () => {
  expect(said(119, 120)).toEqual({ left: 119, perMinute: 120 })
  expect(allowanceOf(new Headers())).toBeNull()
})

it('reads a list as often as a second, and spends less than half of a small key on it', () => {
  expect(paceMs(said(12_000, 12_000))).toBe(1_000)
  expect(paceMs(said(120, 120))).toBe(1_250)
  expect(60_000 / paceMs(said(120, 120))).toBeLessThan(60)
})

it('slows down as the allowance ends', () => {
  const paces = [120, 59, 20, 0].map((left) => paceMs(said(left, 120)))

  expect(paces).toEqual([...paces].sort((a, b) => a - b))
  expect(paces.at(-1)).toBe(15_000)
})
