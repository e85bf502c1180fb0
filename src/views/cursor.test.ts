import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cursorFields, cursors, InvalidCursor } from './cursor.ts'

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
        const place = where % (cursor.length - 1) // the last character may hold unused bits
        const other = cursor[place] === 'A' ? 'B' : 'A'

        expect(() => list.read(cursor.slice(0, place) + other + cursor.slice(place + 1), null)).toThrow(InvalidCursor)
      }),
    )
  })

  it('is refused when it is forged: the right checksum over anything else', () => {
    const json = fc
      .oneof(fc.jsonValue(), fc.record({ at: fc.jsonValue(), for: fc.string() }))
      .map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(fc.oneof(json, fc.string()), (body) => {
        expect(() => list.read(forged('clusters', body), null)).toThrow(InvalidCursor)
      }),
    )
  })

  it('is refused when a forged value is not one that a query takes', () => {
    const fields = z.object({ at: cursorFields.moment, seen: cursorFields.count, after: cursorFields.offset })
    const good = { at: 0, seen: 0, after: -1 }
    const strict = cursors('strict', fields)
    const read = (at: string): unknown =>
      strict.read(forged('strict', `{"at":${at},"for":${JSON.stringify(digest('null'))}}`), null)

    expect(read(JSON.stringify(good))).toEqual(good)
    for (const wrong of ['"at":1e300', '"at":1e999', '"seen":-1', '"seen":0.5', '"after":-2', '"after":1e16']) {
      expect(() => read(`${JSON.stringify(good).slice(0, -1)},${wrong}}`)).toThrow(InvalidCursor)
    }
  })

  it('is refused for another list and for other filters', () => {
    const at = { as_of: 1, key: [2, 'sto_a'] as [number, string] }
    const other = cursors('entities', z.object({ as_of: z.number() }))

    expect(() => other.read(list.write(at, null), null)).toThrow(InvalidCursor)
    expect(() => list.read(list.write(at, { topic: 'a' }), { topic: 'b' })).toThrow(InvalidCursor)
  })
})

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, 12)

/** A cursor forged with knowledge of the format. */
const forged = (list: string, body: string): string =>
  Buffer.from(digest(list + body) + body, 'utf8').toString('base64url')
