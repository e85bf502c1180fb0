import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRemembered, encodeRemembered } from './remembered-items.ts'

describe('remembered items', () => {
  const bytes = (count: number) =>
    fc.uint8Array({ minLength: count, maxLength: count }).map((array) => Buffer.from(array).toString('hex'))
  const page = fc.option(bytes(8).filter((hex) => !/^0+$/.test(hex)))

  it('survive encoding', () => {
    const item = fc.record({ id: bytes(8), page, digest: bytes(4), edits: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const encoded = encodeRemembered(items)

        expect(decodeRemembered(encoded)).toEqual(items)
        expect(encoded).toHaveLength(1 + 21 * items.length)
      }),
    )
  })

  it('are not read in an unknown format', () => {
    expect(() => decodeRemembered(Buffer.alloc(0))).toThrow('unknown format')
    expect(() => decodeRemembered(Buffer.from([2]))).toThrow('unknown format')
    expect(() => decodeRemembered(Buffer.alloc(20, 1))).toThrow('unknown format')
  })
})
