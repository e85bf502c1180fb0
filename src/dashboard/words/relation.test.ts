import { expect, it } from 'vitest'
import { relationOf, uniqueStories, type RelatedStory } from './relation.ts'

const names = new Map([
  ['ent_a', 'Angela Merkel'],
  ['ent_b', 'Port Authority'],
])

it('says whether a chapter is earlier or later, and which entities both mention', () => {
  const step = {
    ...{ source: 'sto_old', target: 'sto_new', type: 'evolved_into' as const },
    shared_entities: ['ent_a', 'ent_b'],
  }

  expect(relationOf(step, 'sto_old', names)).toBe(
    'A later chapter: its articles continue what this story reports; both mention Angela Merkel and Port Authority.',
  )
  expect(relationOf(step, 'sto_new', names)).toBe(
    'An earlier chapter: this story continues what its articles report; both mention Angela Merkel and Port Authority.',
  )
})

it('counts entities whose names are not known, and leaves out what is not there', () => {
  const shared = (ids: readonly string[]) =>
    relationOf({ source: 'sto_a', target: 'sto_b', type: 'shared_entities', shared_entities: [...ids] }, 'sto_a', names)

  expect(shared(['ent_a', 'ent_x', 'ent_y'])).toContain('both mention Angela Merkel and 2 more.')
  expect(shared(['ent_x', 'ent_y'])).toContain('both mention 2 shared entities.')
  expect(shared([])).toBe('About the same people, organisations or places.')
})

it('says which of two was split from the other', () => {
  const split = { source: 'sto_new', target: 'sto_left', type: 'split_from' as const, shared_entities: [] }

  expect(relationOf(split, 'sto_new', names)).toBe('This story was split from it.')
  expect(relationOf(split, 'sto_left', names)).toBe('It was split from this story.')
})

const related = (id: string, confidence: number, type: RelatedStory['relationship']['type'] = 'shared_entities') => ({
  id,
  title: id,
  why: 'About the same.',
  relationship: {
    source: 'sto_own',
    target: id,
    type,
    directed: false,
    confidence,
    shared_entities: [],
    since: '2018-10-01T00:00:00.000Z',
  },
})

it('lists a story once under its merged ids, by its surest relationship, and never the story itself', () => {
  const found = [
    related('sto_a', 0.5),
    related('sto_b', 0.7),
    related('sto_a', 0.9, 'merged_with'),
    related('sto_own', 1, 'merged_with'),
  ]

  expect(uniqueStories(found, 'sto_own').map(({ id, relationship }) => [id, relationship.confidence])).toEqual([
    ['sto_a', 0.9],
    ['sto_b', 0.7],
  ])
})
