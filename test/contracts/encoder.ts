import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Encoder, Passage, PassageVectors } from '../../src/ports/encoder.ts'

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? 0

/** The contract of every encoder. */
export function encoderContract(name: string, open: () => Promise<Encoder>): void {
  describe(`${name} fulfils the encoder's contract`, () => {
    let encoder: Encoder
    beforeAll(async () => void (encoder = await open()))
    afterAll(async () => {
      await encoder.close()
    })

    it('has a model name and a dimension', () => {
      expect(encoder.model).not.toBe('')
      expect(encoder.dim).toBe(384)
      expect(encoder.kinds.article).toMatch(/^[\w-]+$/)
      expect(encoder.kinds.term).toMatch(/^[\w-]+$/)
    })

    it('returns one unit vector per text, in order', async () => {
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

    it('places similar texts near each other', async () => {
      const [eat, bread, market] = await encoder.sentences([
        'A man is eating food.',
        'A man eats a piece of bread.',
        'The stock market crashed.',
      ])

      expect(dot(eat, bread)).toBeGreaterThan(dot(eat, market) + 0.3)
    })

    it('reads title and beginning of an article together, up to its window', async () => {
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
    ])('returns a unit vector for %s', async (_, text) => {
      const vectors = [...(await encoder.sentences([text])), ...(await encoder.leads([{ title: text, body: text }]))]

      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    })

    it('returns nothing for no input', async () => {
      expect([await encoder.sentences([]), await encoder.leads([]), await encoder.passages([])]).toEqual([[], [], []])
    })

    describe('returns for a passage', () => {
      const sentences = ['The council voted to close the old bridge.', 'Ships will wait in the harbour for months.']
      const bridge: Passage = {
        title: 'Harbour bridge to close',
        sentences,
        terms: [
          { sentence: 1, start: 0, end: 5 },
          { sentence: -1, start: 0, end: 14 },
          { sentence: 0, start: 31, end: 41 },
        ],
      }
      const shares: Passage = { title: 'Shares fall', sentences: ['Banks lost a tenth of their value.'], terms: [] }
      const one = async (passage: Passage): Promise<PassageVectors> => {
        const [vectors] = await encoder.passages([passage])
        if (vectors === undefined) throw new Error('The encoder gave nothing')
        return vectors
      }
      const alone = async (text: string) => (await encoder.sentences([text]))[0]
      const leadOf = async ({ title, sentences: body }: Passage) =>
        (await encoder.leads([{ title, body: body.join(' ') }]))[0]

      it('the lead and the title, as encoded alone', async () => {
        const { title, lead } = await one(bridge)

        expect(dot(lead, await leadOf(bridge))).toBeGreaterThan(0.999999)
        expect(dot(title, await alone(bridge.title))).toBeGreaterThan(0.999999)
      })

      it('unit vectors, one per term in the order of the request, near the meaning of the term', async () => {
        const { title, lead, article, terms } = await one(bridge)
        const texts = await Promise.all(['Ships', 'Harbour bridge', 'old bridge'].map(alone))

        for (const vector of [title, lead, article, ...terms]) expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
        expect(terms).toHaveLength(3)
        const best = terms.map((term) => {
          const near = texts.map((text) => dot(term ?? undefined, text))
          return near.indexOf(Math.max(...near))
        })
        expect(best[0]).toBe(0)
        expect(best[1]).not.toBe(0)
        expect(best[2]).not.toBe(0)
        expect(dot(terms[0] ?? undefined, await alone(sentences[1] ?? ''))).toBeGreaterThan(
          dot(terms[0] ?? undefined, await alone('Banks lost a tenth of their value.')) + 0.1,
        )
      })

      it('an article vector that is near its own title and lead, and far from others', async () => {
        const [own, other] = [await one(bridge), await one(shares)]

        expect(dot(own.article, own.lead)).toBeGreaterThan(0.9)
        expect(dot(own.article, own.title)).toBeGreaterThan(0.7)
        expect(dot(own.article, other.article)).toBeLessThan(0.5)
      })

      it('the same, whatever else is in the call', async () => {
        const many = [shares, ...Array.from({ length: 20 }, () => bridge), shares]

        const together = await encoder.passages(many)

        expect(together).toHaveLength(22)
        const [first, last] = [await one(bridge), await one(shares)]
        expect(together[0]).toEqual(last)
        expect(together.slice(1, 21)).toEqual(Array.from({ length: 20 }, () => first))
      })

      it('the lead in place of a missing title', async () => {
        const untitled = await one({ ...bridge, title: '', terms: [] })

        expect(untitled.title).toEqual(untitled.lead)
        expect(dot(untitled.article, untitled.lead)).toBeGreaterThan(0.999999)
        expect(dot(untitled.lead, await leadOf({ ...bridge, title: '' }))).toBeGreaterThan(0.999999)
      })

      it('unit vectors also without sentences, and for an empty passage', async () => {
        for (const title of ['Only a headline', '']) {
          const { title: headline, lead, article, terms } = await one({ title, sentences: [], terms: [] })
          for (const vector of [headline, lead, article]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
          expect(terms).toEqual([])
        }
      })
    })
  })
}
