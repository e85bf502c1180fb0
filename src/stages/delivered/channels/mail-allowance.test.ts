import { expect, it } from 'vitest'
import { MailAllowance, nextDay } from './mail-allowance.ts'

const DAY = 86_400_000
const NOON = 20_000.5 * DAY

const takeMany = (allowance: MailAllowance, address: string, count: number, now = NOON): boolean =>
  Array.from({ length: count }, () => allowance.take(address, now)).every(Boolean)

it('allows a hundred a day and address, whatever its case', () => {
  const allowance = new MailAllowance()

  expect(takeMany(allowance, 'wren@example.com', 100)).toBe(true)
  expect(allowance.take('Wren@Example.com', NOON)).toBe(false)
  expect(allowance.take('robin@example.com', NOON)).toBe(true)
  expect(allowance.take('wren@example.com', nextDay(NOON) - 1)).toBe(false)
  expect(allowance.take('wren@example.com', nextDay(NOON))).toBe(true)
})

it('does not count what is given back', () => {
  const allowance = new MailAllowance()
  takeMany(allowance, 'wren@example.com', 100)

  allowance.giveBack('wren@example.com')
  allowance.giveBack('robin@example.com')

  expect(allowance.take('wren@example.com', NOON)).toBe(true)
  expect(allowance.take('wren@example.com', NOON)).toBe(false)
})

it('forgets the addresses that were counted first rather than growing without a bound', () => {
  const allowance = new MailAllowance()
  takeMany(allowance, 'wren@example.com', 100)

  for (let i = 0; i < 50_000; i++) allowance.take(`${i}@example.com`, NOON)

  expect(allowance.take('wren@example.com', NOON)).toBe(true)
})
