import { beforeAll, describe, expect, it } from 'vitest'
import { topic } from '../../src/events/topic.ts'
import type { Codec } from '../../src/ports/log.ts'

/** An event with all values that are easy to encode wrongly. */
export interface Odd {
  readonly event_id: string
  readonly at: number
  readonly maybe: string | null
  readonly bytes: Buffer
  readonly names: Readonly<Record<string, string>>
  readonly parts: readonly { readonly n: number }[]
}

export const oddTopic = (name: string) => topic<Odd>(name, (odd) => odd.event_id)

export const oddSchema = JSON.stringify({
  type: 'record',
  name: 'Odd',
  namespace: 'story.tests',
  fields: [
    { name: 'event_id', type: 'string' },
    { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'maybe', type: ['null', 'string'], default: null },
    { name: 'bytes', type: 'bytes' },
    { name: 'names', type: { type: 'map', values: 'string' }, default: {} },
    {
      name: 'parts',
      type: {
        type: 'array',
        items: { type: 'record', name: 'Part', fields: [{ name: 'n', type: 'double' }] },
      },
    },
  ],
})

export const anOdd = (more: Partial<Odd> = {}): Odd => ({
  event_id: 'evt_1',
  at: 1_700_000_000_123,
  maybe: null,
  bytes: Buffer.from([0, 1, 255]),
  names: { a: 'b' },
  parts: [{ n: 0.5 }],
  ...more,
})

/** The contract of every codec. Its topic's schema is `oddSchema`. */
export function codecContract(kind: string, open: () => Promise<{ codec: Codec; name: string }>): void {
  describe(`the codec ${kind}`, () => {
    let codec: Codec
    let odds = oddTopic('')
    beforeAll(async () => {
      const opened = await open()
      codec = opened.codec
      odds = oddTopic(opened.name)
    })

    it('round-trips times as numbers, bare unions, Buffers, emoji and right-to-left text', async () => {
      const odd = anOdd({ maybe: '🙂 שלום \u0000' })

      const value = await codec.encode(odds, odd)

      expect(value[0]).toBe(0)
      const decoded = await codec.decode(odds, value)
      expect(
        decoded.kind === 'event' ? { ...decoded.event, parts: decoded.event.parts.map((p) => ({ ...p })) } : decoded,
      ).toEqual(odd)
    })

    it('encodes the same event as the same bytes', async () => {
      expect(await codec.encode(odds, anOdd())).toEqual(await codec.encode(odds, anOdd()))
    })

    it('rejects an event that the schema does not allow', async () => {
      const odd = Object.assign(anOdd(), { at: 'yesterday' })

      await expect(codec.encode(odds, odd)).rejects.toThrow(/does not fit its schema at at$/)
    })

    it('returns `malformed_avro` for bytes that are not Avro', async () => {
      const good = await codec.encode(odds, anOdd())
      const bad = [
        Buffer.alloc(0),
        Buffer.from('hello'),
        good.subarray(0, good.length - 3),
        Buffer.concat([good, Buffer.from([1])]),
        Buffer.concat([good.subarray(0, 5), Buffer.alloc(9, 0xff)]),
      ]

      const reasons = await Promise.all(bad.map((value) => codec.decode(odds, value)))

      expect(reasons.map((it) => (it.kind === 'malformed' ? it.reason : it.kind))).toEqual(
        bad.map(() => 'malformed_avro'),
      )
    })

    it('returns `unknown_schema` for an unregistered id', async () => {
      const value = Buffer.from(await codec.encode(odds, anOdd()))
      value.writeUInt32BE(999_999_937, 1)

      expect(await codec.decode(odds, value)).toMatchObject({ kind: 'malformed', reason: 'unknown_schema' })
    })
  })
}
