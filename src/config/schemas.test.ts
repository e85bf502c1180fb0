import { describe, expect, it } from 'vitest'
import { schemaProblems } from './schemas.ts'

const schema = (...fields: readonly object[]): string =>
  JSON.stringify({ type: 'record', name: 'Event', doc: 'An event.', fields })

const id = { name: 'id', type: 'string', doc: 'Its id.' }
const note = { name: 'note', type: ['null', 'string'], default: null, doc: 'A word.' }

const problems = (text: string, ...history: readonly string[]) => schemaProblems({ topic: 't', text, history })

describe('schemaProblems', () => {
  it('is content with a recorded schema, whatever words its doc has now', () => {
    expect(problems(schema({ ...id, doc: 'Another word.' }), schema(id))).toEqual([])
  })

  it('wants every change recorded', () => {
    expect(problems(schema(id, note), schema(id))).toEqual([{ kind: 'unrecorded', topic: 't' }])
    expect(problems(schema(id))).toEqual([{ kind: 'unrecorded', topic: 't' }])
  })

  it('lets a field with a default come and go', () => {
    expect(problems(schema(id, note), schema(id), schema(id, note))).toEqual([])
    expect(problems(schema(id), schema(id, note), schema(id))).toEqual([])
  })

  it.each([
    ['a field without a default is added', schema(id, { name: 'more', type: 'int', doc: 'More.' })],
    ['a field without a default is taken away', schema(note)],
    ['a type is narrowed', schema({ ...id, type: 'int' })],
    ['a name changes', schema({ ...id, name: 'event_id' })],
  ])('stops a change when %s', (_, text) => {
    expect(problems(text, schema(id)).map(({ kind }) => kind)).toContain('incompatible')
  })

  it('looks at every released version, not the last one only', () => {
    const found = problems(schema(id, note), schema({ ...id, type: 'int' }), schema(id, note))

    expect(found).toMatchObject([
      { kind: 'incompatible', version: 1 },
      { kind: 'incompatible', version: 1 },
    ])
  })

  it('names a field without a doc, however deep', () => {
    const inner = { type: 'record', name: 'Inner', doc: 'Inside.', fields: [{ name: 'x', type: 'int' }] }
    const text = schema({ name: 'list', type: { type: 'array', items: ['null', inner] }, doc: 'A list.' })

    expect(problems(text, text)).toEqual([{ kind: 'undocumented', topic: 't', field: 'Inner.x' }])
  })
})
