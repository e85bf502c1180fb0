import { expect, it } from 'vitest'
import { type LabelledArticle, VARIANTS } from './labelled-articles.ts'

const DAY_MS = 86_400_000

const article = (over: Partial<LabelledArticle>): LabelledArticle => ({
  id: 'a',
  title: 'A title',
  text: `A title\n${'word '.repeat(200)}`,
  url: null,
  source: null,
  published: 0,
  story: null,
  language: 'en',
  ...over,
})

it('cuts to title and 300 characters, or to the title, and leaves what has no title', () => {
  const untitled = article({ title: null, text: 'Only a text' })

  expect(VARIANTS.lead([article({})])[0]?.text).toBe(`A title\n${'word '.repeat(60)}`)
  expect(VARIANTS.headline([article({}), untitled]).map(({ text }) => text)).toEqual(['A title', 'Only a text'])
})

it('lays four parts of the span over each other, in date order, and leaves undated articles first', () => {
  const days = [0, 1, 2, 3, 4, 5, 6, 7].map((day) => article({ id: `${day}`, published: day * DAY_MS }))
  const folded = VARIANTS.dense([article({ id: 'undated', published: null }), ...days])

  expect(folded.map(({ id }) => id)).toEqual(['undated', '0', '2', '4', '6', '1', '3', '5', '7'])
  expect(new Set(folded.map(({ published }) => published))).toEqual(new Set([null, 0, DAY_MS]))
})
