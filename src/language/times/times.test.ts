import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOf } from '../../../test/builders/cpu.ts'
import { times } from './times.ts'

/** A Thursday. */
const PUBLISHED = Date.UTC(2016, 5, 23, 9)

const found = (text: string, published: number | null = PUBLISHED): string[] =>
  times(text, { start: 0, end: text.length }, published).map(
    ({ start, end, name }) => `${text.slice(start, end)} = ${name}`,
  )

describe('dates by themselves', () => {
  it.each([
    ['On Tuesday, May 3, 2016, they met.', 'Tuesday, May 3, 2016 = 2016-05-03'],
    ['It began on 3 May 2015.', '3 May 2015 = 2015-05-03'],
    ['the 3rd of May, 2015', 'the 3rd of May, 2015 = 2015-05-03'],
    ['in May 2016', 'May 2016 = 2016-05'],
    ['at 2016-05-03', '2016-05-03 = 2016-05-03'],
    ['05/23/2016', '05/23/2016 = 2016-05-23'],
    ['23/05/2016', '23/05/2016 = 2016-05-23'],
    ['04/05/2016', '04/05/2016 = 04/05/2016'],
    ['Born in 1789, he', '1789 = 1789'],
    ['the 2016 election', '2016 = 2016'],
    ['between 2012-2016', '2012-2016 = 2012-01-01/2016-12-31'],
    ['in the 1990s', 'the 1990s = 1990-01-01/1999-12-31'],
    ['in the ’80s', 'the ’80s = 1980-01-01/1989-12-31'],
    ['of the 19th century', 'the 19th century = 1801-01-01/1900-12-31'],
    ['the first quarter of 2018', 'the first quarter of 2018 = 2018-01-01/2018-03-31'],
    ['in Q3 2015', 'Q3 2015 = 2015-07-01/2015-09-30'],
    ['the second half of 2015', 'the second half of 2015 = 2015-07-01/2015-12-31'],
    ['for fiscal year 2017', 'fiscal year 2017 = 2017'],
    ['the summer of 2015', 'the summer of 2015 = 2015-06-01/2015-08-31'],
    ['from Oct. 20-26, 2015', 'Oct. 20-26, 2015 = 2015-10-20/2015-10-26'],
    ['since Feb. 29, 2016', 'Feb. 29, 2016 = 2016-02-29'],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual([expected])
  })
})

describe('dates seen from the publication', () => {
  it.each([
    ['today', 'today = 2016-06-23'],
    ['“Yesterday morning it rained”', 'Yesterday morning = 2016-06-22'],
    ['last night', 'last night = 2016-06-22'],
    ['until tomorrow', 'tomorrow = 2016-06-24'],
    ['He said on Tuesday that it will end', 'Tuesday = 2016-06-21'],
    ['Thursday’s vote', 'Thursday = 2016-06-23'],
    ['He left Friday.', 'Friday = 2016-06-17'],
    ['They will vote on Friday.', 'Friday = 2016-06-24'],
    ['The Senate on Tuesday will vote', 'Tuesday = 2016-06-28'],
    ['It is scheduled for Monday', 'Monday = 2016-06-27'],
    ['last Thursday', 'last Thursday = 2016-06-16'],
    ['next Monday morning', 'next Monday morning = 2016-06-27'],
    ['this Sunday', 'this Sunday = 2016-06-26'],
    ['Trump Tuesday announced', 'Tuesday = 2016-06-21'],
    ['next week', 'next week = 2016-06-27/2016-07-03'],
    ['over the weekend', 'the weekend = 2016-06-18/2016-06-19'],
    ['last month', 'last month = 2016-05'],
    ['earlier this year', 'earlier this year = 2016'],
    ['last summer', 'last summer = 2015-06-01/2015-08-31'],
    ['next March', 'next March = 2017-03'],
    ['in May last year', 'May last year = 2015-05'],
    ['Two weeks ago', 'Two weeks ago = 2016-06-06/2016-06-12'],
    ['three days ago', 'three days ago = 2016-06-20'],
    ['a year ago', 'a year ago = 2015'],
    ['the past three days', 'the past three days = 2016-06-20/2016-06-23'],
    ['the next two months', 'the next two months = 2016-06-23/2016-08-23'],
    ['on May 3', 'May 3 = 2016-05-03'],
    ['on 14 July', '14 July = 2016-07-14'],
    ['on Nov. 8', 'Nov. 8 = 2015-11-08'],
    ['The election will be on Nov. 8', 'Nov. 8 = 2016-11-08'],
    ['Friday, Jan. 20', 'Friday, Jan. 20 = 2017-01-20'],
    ['in December', 'December = 2015-12'],
    ['since March', 'March = 2016-03'],
    ['after the Sept. 11 attacks', 'Sept. 11 = 2001-09-11'],
    ['the first quarter of this year', 'the first quarter of this year = 2016-01-01/2016-03-31'],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual([expected])
  })
})

it.each([
  'Mrs May may march in a second.',
  'March on, said April and June.',
  'the Sunday Times, Black Friday, Super Tuesday, “Fox News Sunday” and Saturday Night Live',
  'USA Today and The Tonight Show',
  'in recent days, a few years ago, for 50 years, decades of war, the last day, a couple of weeks ago',
  '2,016 people, $2016, 2016 people, H.R. 2016, Room 2016, page 1984, No. 2016 and 555-2016',
  'a 2-1 win at 9 a.m., 10:30, 24/7 and 9/11',
  'May 3,000 flowers bloom; May 30 percent',
  'Feb. 30, 2016 and 2016-02-31',
  'Boko Haram secondly sunned itself monthly',
])('finds no date in: %s', (text) => {
  expect(found(text)).toEqual([])
})

it('leaves what cannot be resolved as it is written', () => {
  expect(found('On  Tuesday and May\n3, but not in 2015 or last week', null)).toEqual([
    'Tuesday = Tuesday',
    '2015 = 2015',
    'last week = last week',
  ])
  expect(times('Friday', { start: 0, end: 6 }, null)).toEqual([
    { type: 'DATE', start: 0, end: 6, name: 'Friday', time: null },
  ])
})

it('says the first and the last day', () => {
  expect(times('In Feb. 2016.', { start: 3, end: 13 }, null)).toEqual([
    { type: 'DATE', start: 3, end: 12, name: '2016-02', time: { start: '2016-02-01', end: '2016-02-29' } },
  ])
})

const WORDS =
  'Tuesday|Sunday,|May|Sept. |3|11,|2016|the |last|next|this| week|two | years| ago|1990s|first quarter of|fall|, | |.|will|\n|’s|é|-|/|today|30|past|Q2'.split(
    '|',
  )

it('gives spans apart, in order, within bounds, whole days in order, whatever the words', () => {
  const day = fc.option(fc.integer({ min: -2e12, max: 4e12 }))
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }), day, fc.nat(40), (words, published, from) => {
      const text = words.join(' ')
      const start = Math.min(from, text.length)
      let before = start
      for (const { start: at, end, time, name } of times(text, { start, end: text.length }, published)) {
        expect(at).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(at)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(name).not.toBe('')
        if (time !== null) expect(time.start <= time.end).toBe(true)
        before = end
      }
    }),
  )
})

it('takes time in proportion to the length of hostile text', () => {
  const units = [
    'May 1 ',
    'the first ',
    '2016-',
    'last ',
    '1,',
    'Tuesday ',
    'two weeks ',
    'x',
    ' ',
    'the past 9 ',
    "'9",
    '1/1/',
    'will be ',
  ]
  const read = (text: string): unknown => times(text, { start: 0, end: text.length }, PUBLISHED)
  for (const unit of units) {
    const { ms, limitMs } = costOf(unit, (text) => text, read)
    expect(ms, unit).toBeLessThan(limitMs)
  }
})

it.each(['999 decades ago', 'the next 999 decades', '900 centuries ago'])('%s is outside the calendar', (text) => {
  expect(found(text)).toEqual([])
})
