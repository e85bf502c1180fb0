import { expect, it } from 'vitest'
import { amounts } from './amounts.ts'

const found = (text: string): string[] =>
  amounts(text, 0, text.length).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)

it.each<[string, string[]]>([
  ['On Tuesday, May 3, 2016, it cost $4.5 million.', ['DATE Tuesday, May 3, 2016', 'MONEY $4.5 million']],
  ['She may march in 2018 for €20.', ['DATE 2018', 'MONEY €20']],
  ['By 14 July 1789 they paid 300 dollars.', ['DATE 14 July 1789', 'MONEY 300 dollars']],
  ['since 2,000 people came with 48.5bn', []],
  ['On 2016-05-03 a £1,200,000 bill', ['DATE 2016-05-03', 'MONEY £1,200,000']],
])('%s', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

it('is linear in the length of hostile text', () => {
  const hostile = ['$1,'.repeat(60_000), 'May 1 '.repeat(30_000), '9'.repeat(200_000)]

  for (const text of hostile) {
    const began = process.cpuUsage()
    amounts(text, 0, text.length)
    expect(process.cpuUsage(began).user).toBeLessThan(3_000_000)
  }
})
