import { describe, expect, it } from 'vitest'
import {
  ago,
  counted,
  country,
  languageName,
  daysOf,
  decimal,
  hostOf,
  lasted,
  momentOf,
  movedArticles,
  pace,
  percent,
  safeAddress,
  stays,
  usually,
} from './format.ts'

const NOW = Date.parse('2018-12-16T12:00:00Z')

describe('numbers and moments in words', () => {
  it.each([
    ['2018-12-16T11:59:30Z', 'just now'],
    ['2018-12-16T11:55:00Z', '5 min ago'],
    ['2018-12-16T09:00:00Z', '3 h ago'],
    ['2018-12-15T11:00:00Z', '1 day ago'],
    ['2018-12-01T11:00:00Z', '15 days ago'],
    ['2018-10-01T11:00:00Z', '1 Oct 2018'],
    ['2018-12-16T12:00:09Z', 'just now'],
  ])('%s was %s', (iso, words) => {
    expect(ago(iso, NOW)).toBe(words)
  })

  it('says how long something lasted', () => {
    expect(lasted('2018-12-16T12:00:00Z', '2018-12-16T12:00:20Z')).toBe('less than a minute')
    expect(lasted('2018-12-16T12:00:00Z', '2018-12-17T13:00:00Z')).toBe('1 day')
  })

  it('counts, rounds and names', () => {
    expect([counted(1, 'article'), counted(1_234, 'article'), counted(0, 'story', 'stories')]).toEqual([
      '1 article',
      '1,234 articles',
      '0 stories',
    ])
    expect([percent(0.876), decimal(-5.49025), decimal(2)]).toEqual(['88 %', '−5.49', '2'])
    expect([country('NO'), country('?')]).toEqual(['Norway', '?'])
    expect([languageName('ar'), languageName('?')]).toEqual(['Arabic', '?'])
    expect(daysOf('2018-12-14T08:05:00.000Z', '2018-12-16T08:05:00.000Z')).toBe('14 Dec 2018 to 16 Dec 2018')
    expect(daysOf('2018-12-16T08:05:00.000Z', '2018-12-16T09:05:00.000Z')).toBe('16 Dec 2018')
    expect(momentOf('2018-12-16T08:05:00.000Z')).toBe('16 Dec 2018, 08:05 UTC')
    expect([hostOf('https://www.example.com/a'), hostOf('no address')]).toEqual(['example.com', 'no address'])
  })

  it('follows no address that could run anything', () => {
    expect(
      ['https://a.example', 'HTTP://a.example', 'javascript:alert(1)', 'data:text/html,x', null].map(safeAddress),
    ).toEqual(['https://a.example', 'HTTP://a.example', undefined, undefined, undefined])
  })
})

it.each([
  [1, 'very likely to stay (100 %)'],
  [0.998, 'very likely to stay (99 %)'],
  [0.87, 'likely to stay (87 %)'],
  [0.6, 'may move (60 %)'],
  [0.2, 'likely to move (20 %)'],
  [0, 'likely to move (0 %)'],
])('says how sure it is that an article stays: %s', (confidence, words) => {
  expect(stays(confidence)).toBe(words)
})

it('says how much faster than usual, and what is usual', () => {
  const trend = { velocity: 2.5, baseline: 1.25, days_of_history: 3 }

  expect([pace(trend), usually(trend, ' a day')]).toEqual(['2.5 ×', 'usually 1.25 a day'])
  expect(pace({ velocity: 12.4, days_of_history: 3 })).toBe('12 ×')
})

it('calls new what has no baseline, not 1 × of nothing', () => {
  const trend = { velocity: 1, baseline: 0, days_of_history: 0 }

  expect([pace(trend), usually(trend)]).toEqual(['new', 'not seen before'])
})

it.each([
  ['nothing named', 2, undefined, '2 articles'],
  ['one article', 1, [{ article_id: 'art_1', title: 'Strike ends' }], '“\u2068Strike ends\u2069”'],
  [
    'one without a headline, of many',
    4,
    [
      { article_id: 'art_1', title: 'Strike ends' },
      { article_id: 'art_2', title: null },
    ],
    '“\u2068Strike ends\u2069”, “\u2068art_2\u2069” and 2 more',
  ],
])('names the articles that moved: %s', (_, articles, moved, words) => {
  expect(movedArticles({ articles, ...(moved === undefined ? {} : { moved }) })).toBe(words)
})
