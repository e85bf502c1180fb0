import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Encoder } from '../../src/ports/encoder.ts'

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? 0

/** What every encoder must do, whoever computes. */
export function encoderContract(name: string, open: () => Promise<Encoder>): void {
  describe(`${name} keeps the encoder's contract`, () => {
    let encoder: Encoder
    beforeAll(async () => void (encoder = await open()))
    afterAll(async () => {
      await encoder.close()
    })

    it('names its model and its width', () => {
      expect(encoder.model).not.toBe('')
      expect(encoder.dim).toBe(384)
    })

    it('gives one unit vector a text, in the order of the texts', async () => {
      const texts = Array.from({ length: 75 }, (_, i) =>
        `Story number ${i} is about ${i % 2 ? 'rain' : 'banks'}. `.repeat((i % 7) + 1),
      )

      const vectors = await encoder.sentences(texts)
      const alone = await Promise.all([0, 31, 32, 74].map(async (i) => (await encoder.sentences([texts[i] ?? '']))[0]))

      expect(vectors).toHaveLength(texts.length)
      expect(vectors.every((vector) => vector instanceof Float32Array && vector.length === 384)).toBe(true)
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
      ;[0, 31, 32, 74].forEach((i, k) => expect(dot(vectors[i], alone[k])).toBeGreaterThan(0.9999))
    })

    it('puts like beside like', async () => {
      const [eat, bread, market] = await encoder.sentences([
        'A man is eating food.',
        'A man eats a piece of bread.',
        'The stock market crashed.',
      ])

      expect(dot(eat, bread)).toBeGreaterThan(dot(eat, market) + 0.3)
    })

    it('reads title and beginning of an article together, and no further', async () => {
      const body = 'The council voted to close the old bridge for repairs. '.repeat(30)
      const [bridge, longer, other] = await encoder.leads([
        { title: 'Bridge to close', body },
        { title: 'Bridge to close', body: body + 'Elephants dance on the moon. '.repeat(100) },
        { title: 'Shares fall', body: 'Banks lost a tenth of their value on Monday. '.repeat(30) },
      ])

      expect(dot(bridge, longer)).toBeGreaterThan(0.9999)
      expect(dot(bridge, other)).toBeLessThan(0.6)
    })

    it.each([
      ['an empty text', ''],
      ['emoji', '🎉👩‍👩‍👧'.repeat(50)],
      ['right-to-left text', 'قالت الحكومة يوم الثلاثاء إن المحادثات ستستأنف'],
      ['half a character', 'x'.repeat(639) + '🎉'],
      ['one endless word', 'x'.repeat(20_000)],
    ])('gives a unit vector for %s', async (_, text) => {
      const vectors = [...(await encoder.sentences([text])), ...(await encoder.leads([{ title: text, body: text }]))]

      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    })

    it('gives nothing for nothing', async () => {
      expect([await encoder.sentences([]), await encoder.leads([])]).toEqual([[], []])
    })
  })
}
