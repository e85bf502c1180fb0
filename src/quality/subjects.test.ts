import { expect, it } from 'vitest'
import { halvesOf, scoreSubjects, subjectLabels, type SubjectLabel } from './subjects.ts'

const label = (id: string, subject: string | null, event: string | null = null, week = 'w1'): SubjectLabel => ({
  ...{ id, week, event, subject },
})
const least = { min_articles: 3, min_stories: 2 }
const pages = (...lists: readonly (readonly [string, string[]])[]) =>
  new Map(lists.flatMap(([page, ids]) => ids.map((id) => [id, page] as const)))

it('counts the pairs of a page that are of one subject, and the pairs of large subjects on one page', () => {
  const labels = [label('a', 'vote'), label('b', 'vote', 'poll'), label('c', 'vote', 'poll'), label('d', null)]

  expect(scoreSubjects(labels, pages(['sub_1', ['a', 'b', 'd']]), least)).toEqual({
    precision: { value: 1 / 3, n: 3 },
    recall: { value: 1 / 3, n: 3 },
  })
})

it('expects no page of a subject that is too small for one, or of one event', () => {
  const small = [label('a', 'vote'), label('b', 'vote')]
  const oneEvent = ['a', 'b', 'c'].map((id) => label(id, 'vote', 'poll'))

  for (const labels of [small, oneEvent]) expect(scoreSubjects(labels, pages(), least).recall.n).toBe(0)
})

it('compares articles of one week only', () => {
  const labels = [label('a', 'vote', null, 'w1'), label('b', 'vote', null, 'w2')]

  expect(scoreSubjects(labels, pages(['sub_1', ['a', 'b']]), least).precision.n).toBe(0)
})

it('learns from the first of every four weeks, and measures with the second', () => {
  const labels = ['w4', 'w1', 'w3', 'w2', 'w5'].map((week) => label(week, null, null, week))
  const { learn, measure } = halvesOf(labels)

  expect([learn.map(({ id }) => id), measure.map(({ id }) => id)]).toEqual([['w1', 'w5'], ['w2']])
})

it('names the line that is no label', () => {
  expect(() => subjectLabels('{"id":"a"}')).toThrow('week')
})
