import { expect, it } from 'vitest'
import {
  detection,
  live,
  matched,
  moving,
  news,
  placed,
  reception,
  scored,
  transition,
} from '../../../test/builders/changed.ts'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { Change } from './change-schema.ts'

const { changes } = live([
  scored('a'),
  scored('a', 'second'),
  scored('b'),
  placed('x', 'a', { action: 'opened' }),
  placed('x', 'b'),
  moving('moved', ['x', 'y'], ['b']),
  moving('merged', ['y', 'x'], ['b']),
  moving('split', ['x', 'z'], ['b']),
  moving('settled', ['z', 'z'], ['b']),
  moving('corrected', ['z', 'x'], ['b'], { action: 'move' }),
  transition('x', [null, 'developing'], 1),
  reception('x', 2),
  detection('trend.detected', 'sto_x'),
  detection('entity.spike', 'ent_ada'),
  detection('sentiment.shift', 'ent_ada'),
  matched('x'),
  matched('x', { type: 'monitor.digest' }),
])

it('describes every line that the stage tells, of every type, field by field', () => {
  expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(CHANGE_TYPES))
  for (const line of changes) {
    const [type, data] = news(line)
    const change = { id: line.event_id, type, occurred_at: new Date(line.occurred_at).toISOString(), data }

    expect(Change.parse(change)).toEqual(change) // an unknown field would be missing
  }
})
