import { expect, it } from 'vitest'
import { eachOnce, type Neighbour } from './neighbours.ts'

const related = (id: string, confidence: number, type: Neighbour['relationship']['type'] = 'shared_entities') => ({
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

  expect(eachOnce(found, 'sto_own').map(({ id, relationship }) => [id, relationship.confidence])).toEqual([
    ['sto_a', 0.9],
    ['sto_b', 0.7],
  ])
})
