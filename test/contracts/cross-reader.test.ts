import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type LanguageModels, onnxModels } from '../../src/adapters/onnx/language-models.ts'
import { spansOfTags } from '../../src/language/recogniser/tags.ts'
import { readWords } from '../../src/language/recogniser/words.ts'
import { sentences } from '../../src/language/sentences.ts'
import { dot } from '../../src/language/vectors.ts'
import { readerContract } from './reader.ts'

const { model } = inject('engines')

readerContract('onnx, other languages', async () => {
  const models = await onnxModels({ ...model, processes: 2 })
  return { ...models, reader: models.crossReader }
})

describe('the reader of other languages', () => {
  let models: LanguageModels
  beforeAll(async () => void (models = await onnxModels({ ...model, processes: 2 })))
  afterAll(() => models.close())

  const read = async (text: string) => {
    const all = readWords(text, sentences(text))
    const readings = await models.crossReader.read(all)
    const names = readings.flatMap(({ tags }, i) =>
      spansOfTags(tags).map(({ type, start, end }) => {
        const { starts = [], ends = [] } = all[i]?.words ?? {}
        return `${type} ${text.slice(starts[start], ends[end - 1])}`
      }),
    )
    return { readings, names }
  }

  it.each([
    [
      'Bundeskanzlerin Angela Merkel traf Emmanuel Macron in Paris.',
      ['PER Angela Merkel', 'PER Emmanuel Macron', 'LOC Paris'],
    ],
    ['O presidente Luiz Inácio Lula da Silva visitou Lisboa.', ['PER Luiz Inácio Lula da Silva', 'LOC Lisboa']],
    ['Владимир Путин прибыл в Берлин.', ['PER Владимир Путин', 'LOC Берлин']],
    ['习近平访问了法国。', ['PER 习近平', 'LOC 法国']],
  ])('finds the names in: %s', async (text, names) => {
    expect((await read(text)).names).toEqual(names)
  })

  it('reads an article alone as among others, and twice the same', async () => {
    const text = 'Angela Merkel sprach in Berlin. Der Präsident antwortete ihr.'
    const [alone, again] = await Promise.all([read(text), read(text), read('Η κυβέρνηση στην Αθήνα παραιτήθηκε.')])

    expect(again.readings.map(({ vector, tags }) => ({ vector, tags }))).toEqual(
      alone.readings.map(({ vector, tags }) => ({ vector, tags })),
    )
  })

  it('gives sentences that say the same near vectors, in different languages', async () => {
    const none = new Float32Array()
    const [one = none, same = none, other = none] = await Promise.all(
      [
        'Die Regierung in Berlin ist zurückgetreten.',
        'El gobierno de Berlín ha dimitido.',
        'La selección ganó el partido de fútbol.',
      ].map(async (text) => (await read(text)).readings[0]?.vector),
    )

    expect(dot(one, same)).toBeGreaterThan(dot(one, other))
  })

  it('has a sentiment for the sentence and for a target', async () => {
    const text = 'Der brutale Angriff auf Aleppo war ein schreckliches Verbrechen.'
    const { readings } = await read(text)
    const { sentence, targets } = readings[0]?.sentiment([{ start: 24, end: 30 }]) ?? { sentence: 0, targets: [0] }

    expect(sentence).toBeLessThan(0)
    expect(targets).toHaveLength(1)
  })
})
