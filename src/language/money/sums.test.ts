import fc from 'fast-check'
import { expect, it } from 'vitest'
import { costOf } from '../../../test/builders/cpu.ts'
import { sums } from './sums.ts'

const found = (text: string): string[] =>
  sums(text, 0, text.length).map(({ start, end, name }) => `${text.slice(start, end)} = ${name}`)

it.each([
  ['It cost $4.5 million.', '$4.5 million = USD 4500000'],
  ['for €20', '€20 = EUR 20'],
  ['a £1,200,000 bill', '£1,200,000 = GBP 1200000'],
  ['paid 300 dollars', '300 dollars = USD 300'],
  ['Rs 20 crore', 'Rs 20 crore = INR 200000000'],
  ['Rs. 1,20,000', 'Rs. 1,20,000 = INR 120000'],
  ['₹2.5 lakh crore', '₹2.5 lakh crore = INR 2500000000000'],
  ['2.5bn euros', '2.5bn euros = EUR 2500000000'],
  ['US$3m', 'US$3m = USD 3000000'],
  ['HK$1,000', 'HK$1,000 = HKD 1000'],
  ['A$5', 'A$5 = AUD 5'],
  ['C$7.25', 'C$7.25 = CAD 7.25'],
  ['¥500', '¥500 = JPY 500'],
  ['₦30 billion', '₦30 billion = NGN 30000000000'],
  ['CHF 20m', 'CHF 20m = CHF 20000000'],
  ['50 cents', '50 cents = USD 0.5'],
  ['half a billion dollars', 'half a billion dollars = USD 500000000'],
  ['two hundred thousand euros', 'two hundred thousand euros = EUR 200000'],
  ['a million dollars', 'a million dollars = USD 1000000'],
  ['A hundred dollars', 'A hundred dollars = USD 100'],
  ['$1.5-2 million', '$1.5-2 million = USD 1500000'],
  ['$5 to $10 billion', '$5 to $10 billion = USD 5000000000'],
  ['a $15-an-hour wage', '$15 = USD 15'],
  ['the $4-million house', '$4-million = USD 4000000'],
  ['$4.1 million', '$4.1 million = USD 4100000'],
  ['$300K', '$300K = USD 300000'],
  ['$1.2T', '$1.2T = USD 1200000000000'],
  ['5 million USD', '5 million USD = USD 5000000'],
  ['three million pounds', 'three million pounds = GBP 3000000'],
  ['20 million won', '20 million won = KRW 20000000'],
  ['100 Canadian dollars', '100 Canadian dollars = CAD 100'],
  ['€1.200.000', '€1.200.000 = EUR 1200000'],
  ['€20,50', '€20,50 = EUR 20.5'],
  ['20 €', '20 € = EUR 20'],
])('%s', (text, expected) => {
  expect(found(text)).toEqual([expected])
})

it.each([
  'He weighs 300 pounds and had 300 won.',
  'millions of dollars, a few million dollars, the dollar',
  '2,000 people came with 48.5bn and $TSLA',
  'In 2016 5,000,000 votes, 50 centers, XUSD 5 and word$5',
  '$999999999999999 trillion',
])('finds no sum in: %s', (text) => {
  expect(found(text)).toEqual([])
})

it('finds each of several', () => {
  expect(found('$1 million, then $2 million to $3 million and 40 cents (50p)')).toEqual([
    '$1 million = USD 1000000',
    '$2 million = USD 2000000',
    '$3 million = USD 3000000',
    '40 cents = USD 0.4',
  ])
})

const PARTS =
  '$|€|US$|Rs |1|,000|.5| million|bn|-| to |two | hundred| dollars| cents| | pounds|half a|é|\n|CHF |¢'.split('|')

it('gives spans apart, in order, within bounds, with an amount, whatever the text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }), fc.nat(20), (parts, from) => {
      const text = parts.join('')
      const start = Math.min(from, text.length)
      let before = start
      for (const { start: at, end, money, name } of sums(text, start, text.length)) {
        expect(at).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(at)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(Number.isFinite(money.amount)).toBe(true)
        expect(name).toBe(`${money.currency} ${money.amount}`)
        before = end
      }
    }),
  )
})

it('takes time in proportion to the length of hostile text', () => {
  const units = [
    '$1,',
    '1 million ',
    '9',
    '1.000',
    '$1-',
    'half a ',
    'hundred ',
    '1,00',
    '$',
    ' ',
    'two million hundred ',
    '5 to ',
  ]
  const read = (text: string): unknown => sums(text, 0, text.length)
  for (const unit of units) {
    const { ms, limitMs } = costOf(unit, (text) => text, read)
    expect(ms, unit).toBeLessThan(limitMs)
  }
})
