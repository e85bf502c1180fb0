import { expect, it } from 'vitest'
import { relationOf } from './relation.ts'

const names = new Map([
  ['ent_a', 'Angela Merkel'],
  ['ent_b', 'Port Authority'],
])

it('says whether a chapter is earlier or later, and what both name', () => {
  const step = {
    ...{ source: 'sto_old', target: 'sto_new', type: 'evolved_into' as const },
    shared_entities: ['ent_a', 'ent_b'],
  }

  expect(relationOf(step, 'sto_old', names)).toBe(
    'A later chapter: its articles and headlines go on with what this story reports; both name Angela Merkel and Port Authority.',
  )
  expect(relationOf(step, 'sto_new', names)).toBe(
    'An earlier chapter: this story goes on with what its articles and headlines report; both name Angela Merkel and Port Authority.',
  )
})

it('counts entities whose names are not known, and leaves out what is not there', () => {
  const shared = (ids: readonly string[]) =>
    relationOf({ source: 'sto_a', target: 'sto_b', type: 'shared_entities', shared_entities: [...ids] }, 'sto_a', names)

  expect(shared(['ent_a', 'ent_x', 'ent_y'])).toContain('both name Angela Merkel and 2 more.')
  expect(shared(['ent_x', 'ent_y'])).toContain('both name 2 same entities.')
  expect(shared([])).toBe('About the same people, organisations or places.')
})

it('says which of two was split from the other', () => {
  const split = { source: 'sto_new', target: 'sto_left', type: 'split_from' as const, shared_entities: [] }

  expect(relationOf(split, 'sto_new', names)).toBe('This story was split from it.')
  expect(relationOf(split, 'sto_left', names)).toBe('It was split from this story.')
})
