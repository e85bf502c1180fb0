import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BadLine } from './labelled-file.ts'
import { byDensity, byHalf, checkArticles, judgedPairs, scorePairs } from './judged-pairs.ts'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f']

const line = (a: string, b: string, label: string): string => JSON.stringify({ a, b, label, why: 'both: a vote' })

it('counts pairs that stand in one story against those that report one event', () => {
  const pairs = judgedPairs(
    [line('1', '2', 'same'), line('1', '3', 'subject'), line('4', '5', 'same'), line('1', '4', 'different'), ''].join(
      '\n',
    ),
  )
  const stories = new Map([
    ['1', 'first'],
    ['2', 'first'],
    ['3', 'first'],
    ['4', 'of 4'],
    ['5', 'of 5'],
  ])

  expect(scorePairs(pairs, stories)).toEqual({ precision: 1 / 2, recall: 1 / 2, f1: 1 / 2, n: 4 })
})

it('leaves out what the reader was unsure of', () => {
  expect(judgedPairs(line('1', '2', 'unsure'))).toEqual([])
})

it('names an article that the file lacks', () => {
  expect(() => checkArticles(judgedPairs(line('1', '2', 'same')), new Set(['1']))).toThrow(
    'article 2 of the judged pairs is not in the file of articles',
  )
})

it.each([
  ['no JSON', '{', 'not JSON'],
  ['an unknown label', line('1', '2', 'alike'), 'label'],
  ['an article paired with itself', line('1', '1', 'same'), 'paired with itself'],
])('refuses %s and names the line', (_, bad, words) => {
  const read = () => judgedPairs(`${line('1', '2', 'same')}\n${bad}`)

  expect(read).toThrow(words)
  expect(read).toThrow(expect.objectContaining({ line: 2 }) as BadLine)
})

it('is between 0 and 1, and 1 where the stories are the judgement', () => {
  const ids = fc.constantFrom(...IDS)
  const given = fc.array(fc.tuple(ids, ids, fc.boolean()).filter(([a, b]) => a !== b))
  fc.assert(
    fc.property(given, fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }), (rows, stories) => {
      const storyOf = new Map(IDS.map((id, i) => [id, String(stories[i])]))
      const pairs = rows.map(([a, b, same]) => ({ a, b, same }))
      const { precision, recall, f1 } = scorePairs(pairs, storyOf)
      for (const value of [precision, recall, f1]) expect(value).toBeGreaterThanOrEqual(0)
      for (const value of [precision, recall, f1]) expect(value).toBeLessThanOrEqual(1)

      const judged = rows.map(([a, b]) => ({ a, b, same: storyOf.get(a) === storyOf.get(b) }))
      expect(scorePairs(judged, storyOf)).toMatchObject({ precision: 1, recall: 1, f1: 1 })
    }),
  )
})

it('measures the pairs of every other week and learns from the rest', () => {
  const published = new Map<string, number | null>([
    ['saturday', Date.UTC(2018, 8, 29)],
    ['sunday', Date.UTC(2018, 8, 30)],
    ['next saturday', Date.UTC(2018, 9, 6, 23)],
    ['next sunday', Date.UTC(2018, 9, 7)],
    ['undated', null],
  ])
  const pair = (a: string, b: string) => ({ a, b, same: true })
  const [over, within, after, undated] = [
    pair('saturday', 'sunday'),
    pair('next saturday', 'sunday'),
    pair('next saturday', 'next sunday'),
    pair('sunday', 'undated'),
  ]

  const { learn, measure } = byHalf([over, within, after, undated], published)

  expect([learn, measure].map((half) => [half.includes(over), half.includes(within)])).toEqual([
    [false, false],
    [true, true],
  ])
  expect(learn).toEqual([after, undated])
})

it('parts pairs by the density of their days', () => {
  const [first, second] = [Date.UTC(2016, 4, 1), Date.UTC(2016, 4, 2, 15)]
  const articles = [
    ...['a', 'b', 'c'].map((id) => ({ id, published: first })),
    ...['d', 'e', 'f'].map((id) => ({ id, published: id === 'f' ? null : second })),
  ]
  const pair = (a: string, b: string) => ({ a, b, same: true })
  const [one, between, other, undated] = [pair('a', 'b'), pair('d', 'a'), pair('d', 'e'), pair('f', 'f')]

  expect(byDensity([one, between, other, undated], articles)).toEqual({ busy: [one, between], quiet: [other] })
})
