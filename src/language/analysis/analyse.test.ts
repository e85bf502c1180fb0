import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aReading, anEncoderDouble } from '../../../test/builders/analyzed.ts'
import { entityId } from '../../events/ids.ts'
import { i8, vectors } from '../../events/vector.ts'
import { analyse, RETURNED_VECTORS } from './analyse.ts'
import { meanVector } from '../vectors.ts'

const reading = aReading()
const undated = (...texts: string[]) => texts.map((text) => ({ text, language: 'en', published: null }))
const one = async (text: string) => {
  const [analysis] = await analyse(reading, [{ text, language: 'en', published: null }])
  if (analysis === undefined) throw new Error('no analysis came')
  return { ...analysis.fields, sentenceVectors: analysis.sentenceVectors }
}

describe('an article', () => {
  it('has entities by canonical name with every mention', async () => {
    const text = 'President Donald Trump flew to the U.S. base. Mr. Trump praised the United States.'

    const { entities, locations } = await one(text)

    expect(
      entities.map(({ name, type, mentions }) => [type, name, mentions.map((m) => [m.surface, m.sentence])]),
    ).toEqual([
      [
        'PERSON',
        'Donald Trump',
        [
          ['Donald Trump', 0],
          ['Trump', 1],
        ],
      ],
      [
        'GPE',
        'United States',
        [
          ['U.S.', 0],
          ['United States', 1],
        ],
      ],
    ])
    expect(locations).toEqual(['United States'])
  })

  it('gives a mention the score of its sentence and the article the mean by length', async () => {
    const { sentences, entities, sentiment_score } = await one('Merkel lied. Obama won a great prize in Paris.')

    for (const { sentence, sentiment_score: score } of entities.flatMap(({ mentions }) => mentions)) {
      expect(score).toBe(sentences[sentence]?.sentiment_score)
    }
    const lengths = sentences.map(({ start, end }) => end - start)
    const mean = sentences.reduce((sum, s, i) => sum + s.sentiment_score * (lengths[i] ?? 0), 0)
    expect(sentiment_score).toBeCloseTo(mean / lengths.reduce((a, b) => a + b), 3)
  })

  it('stops at its caps and says so', async () => {
    const short = await one('Angela Merkel spoke.')
    const long = await one('Angela Merkel spoke. '.repeat(1_000))

    expect([short.truncated, short.analyzed_chars]).toEqual([false, 20])
    expect([long.truncated, long.sentences.length]).toEqual([true, 1_000])
    expect(long.sentenceVectors).toHaveLength(RETURNED_VECTORS)
    expect(long.analyzed_chars).toBeLessThan(8_000)
  })

  it('has an embedding of length 1 that is the mean of its sentences by length', async () => {
    const text = 'A short one. This sentence is quite a bit longer than that.'
    const { article_embedding, sentences } = await one(text)
    const alone = await reading.encoder.sentences(sentences.map(({ start, end }) => text.slice(start, end)))

    const [vector] = vectors(article_embedding)

    const mean = meanVector(
      alone,
      sentences.map(({ start, end }) => end - start),
      384,
    )
    expect(vectors(i8('mean', 384, [mean]))).toEqual([vector])
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1)
  })
})

it('asks the encoder once a text, for nothing twice, and keeps the order', async () => {
  const encoder = anEncoderDouble()

  const analyses = await analyse(aReading(encoder), undated('One here. Two here.', '', 'Three here.'))

  expect(encoder.calls).toEqual([['One here.', 'Two here.'], ['Three here.']])
  expect(analyses.map(({ fields }) => fields.sentences.length)).toEqual([2, 0, 1])
})

it('throws when the model reads nothing of a text', async () => {
  const reader = { ...reading.reader, read: async () => [] }

  await expect(analyse({ ...reading, reader }, undated('One here.'))).rejects.toThrow(
    'The model returned 0 results for 1 sentences',
  )
})

it('for any text: mentions are slices of it, ids follow from names, the same text gives the same answer', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('Angela Merkel ', 'Mr. Trump ', 'the U.S. ', '. ', '\n', 'GOP '),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const text = pieces.join('')

      const analysis = await one(text)

      for (const { entity_id, type, name, mentions } of analysis.entities) {
        expect(entity_id).toBe(entityId(type, name))
        for (const { surface, start, end, sentence } of mentions) {
          expect(text.slice(start, end)).toBe(surface)
          expect(analysis.sentences[sentence]?.start).toBeLessThanOrEqual(start)
          expect(analysis.sentences[sentence]?.end).toBeGreaterThanOrEqual(end)
        }
      }
      expect(await one(text)).toEqual(analysis)
    }),
    { numRuns: 60 },
  )
})
