import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLegal } from '../../src/language/recogniser/tags.ts'
import { readWords } from '../../src/language/recogniser/words.ts'
import { sentences as sentencesOf } from '../../src/language/sentences.ts'
import type { Reader, SentenceReading } from '../../src/ports/reader.ts'

interface OpenReader {
  readonly reader: Reader
  readonly close: () => Promise<void>
}

const read = (text: string) => readWords(text, sentencesOf(text))
const alone = (text: string) => readWords(text, [{ start: 0, end: text.length }])
const plain = ({ tags, vector, sentiment }: SentenceReading) => ({ tags, vector, sentiment: sentiment([]) })

const PRAISE = 'Smith was praised for the brave rescue, but Jones disgraced the whole town.'
const SMITH = { start: 0, end: 5 }
const JONES = { start: 44, end: 49 }

/** The contract of every reader. */
export function readerContract(name: string, open: () => Promise<OpenReader>): void {
  describe(`${name} fulfils the reader's contract`, () => {
    let opened: OpenReader
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())

    const one = async (text: string): Promise<SentenceReading> => {
      const [reading] = await opened.reader.read(alone(text))
      if (reading === undefined) throw new Error('nothing was read')
      return reading
    }

    it('names its models and its dimension', () => {
      const { models, dim } = opened.reader
      for (const model of Object.values(models)) expect(model).not.toBe('')
      expect(dim).toBe(384)
    })

    it.each([
      ['an article', `${PRAISE} Banks lost a tenth of their value. Angela Merkel spoke in Berlin. `.repeat(6)],
      ['emoji', '🎉👩‍👩‍👧'.repeat(50)],
      ['right-to-left text', 'قالت الحكومة يوم الثلاثاء إن المحادثات ستستأنف'],
      ['half a character', 'x'.repeat(639) + '🎉'],
      ['one endless word', 'x'.repeat(20_000)],
      ['what looks like marks of the model', '[SEP] [CLS] came. [UNK] went.'],
    ])('returns a legal tag for each word, a unit vector and a sentiment for each sentence of %s', async (_, text) => {
      const sentences = read(text)

      const readings = await opened.reader.read(sentences)

      expect(readings).toHaveLength(sentences.length)
      readings.forEach(({ tags, vector, sentiment }, i) => {
        expect(tags).toHaveLength(sentences[i]?.words.texts.length ?? -1)
        tags.forEach((tag, word) => expect(isLegal(tags[word - 1] ?? 0, tag)).toBe(true))
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
        expect(Math.abs(sentiment([]).sentence)).toBeLessThanOrEqual(1)
      })
    })

    it('returns the same for the same article, whatever else it reads at the time', async () => {
      const article = read(`${PRAISE} It rained in Paris. Nobody was hurt. `.repeat(8))
      const others = Array.from({ length: 12 }, (_, i) => read(`Article ${i} is about rain. ${PRAISE}`.repeat(i + 1)))

      const [first, ...rest] = await Promise.all([article, ...others, article].map((each) => opened.reader.read(each)))

      expect(rest.at(-1)?.map(plain)).toEqual(first?.map(plain))
      expect((await opened.reader.read(article)).map(plain)).toEqual(first?.map(plain))
    })

    it('scores each target in the order of the request, from -1 to 1', async () => {
      const { sentiment } = await one(PRAISE)
      const { sentence, targets } = sentiment([SMITH, JONES, SMITH])

      expect(targets).toHaveLength(3)
      expect(targets[2]).toBe(targets[0])
      expect(sentiment([JONES]).targets).toEqual([targets[1]])
      for (const score of [sentence, ...targets]) expect(Math.abs(score)).toBeLessThanOrEqual(1)
    })

    it('scores a target outside the sentence like the sentence', async () => {
      const { sentence, targets } = (await one(PRAISE)).sentiment([{ start: 4_000, end: 4_010 }])

      expect(targets).toEqual([sentence])
    })

    it('distinguishes praise from blame', async () => {
      const praise = await one('Her brave rescue was an outstanding success.')
      const blame = await one('The disastrous attack was a corrupt and shameful failure.')

      expect(praise.sentiment([]).sentence).toBeGreaterThan(0.15)
      expect(blame.sentiment([]).sentence).toBeLessThan(-0.15)
    })

    it('places similar sentences near each other', async () => {
      const [eat, bread, market] = await Promise.all(
        ['A man is eating food.', 'A man eats a piece of bread.', 'The stock market crashed.'].map(one),
      )
      const dot = (a: SentenceReading | undefined, b: SentenceReading | undefined): number =>
        a?.vector.reduce((sum, value, i) => sum + value * (b?.vector[i] ?? 0), 0) ?? 0

      expect(dot(eat, bread)).toBeGreaterThan(dot(eat, market) + 0.2)
    })

    it('returns nothing for no sentences', async () => {
      expect(await opened.reader.read([])).toEqual([])
    })
  })
}
