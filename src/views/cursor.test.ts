import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cursors, InvalidCursor } from './cursor.ts'

const list = cursors('clusters', z.object({ as_of: z.number(), key: z.tuple([z.number(), z.string()]) }))
const position = fc.record({
  as_of: fc.integer(),
  key: fc.tuple(
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.string(),
  ),
})

describe('a cursor', () => {
  it('comes back as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(position, fc.jsonValue(), (at, filters) => {
        expect(list.read(list.write(at, filters), filters)).toEqual(at)
      }),
    )
  })

  it('can stand in an address as it is', () => {
    fc.assert(
      fc.property(position, (at) => {
        expect(list.write(at, null)).toMatch(/^[\w-]+$/)
      }),
    )
  })

  it('is refused when it is anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => list.read(text, null)).toThrow(InvalidCursor)
      }),
    )
  })

  it('is refused when one character was changed', () => {
    fc.assert(
      fc.property(position, fc.nat(), (at, where) => {
        const cursor = list.write(at, null)
        const place = where % (cursor.length - 1) // the last character may hold bits that mean nothing
        const other = cursor[place] === 'A' ? 'B' : 'A'

        expect(() => list.read(cursor.slice(0, place) + other + cursor.slice(place + 1), null)).toThrow(InvalidCursor)
      }),
    )
  })

  it('is refused for another list and for other filters', () => {
    const at = { as_of: 1, key: [2, 'sto_a'] as [number, string] }
    const other = cursors('entities', z.object({ as_of: z.number() }))

    expect(() => other.read(list.write(at, null), null)).toThrow(InvalidCursor)
    expect(() => list.read(list.write(at, { topic: 'a' }), { topic: 'b' })).toThrow(InvalidCursor)
  })
})
