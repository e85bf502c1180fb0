import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { composedReader, sentimentOfVectors, taggedBy, taggerOf } from '../../src/adapters/composed-reader.ts'
import { huggingFaceEncoder } from '../../src/adapters/hugging-face/encoder.ts'
import { type LanguageModels, onnxModels } from '../../src/adapters/onnx/language-models.ts'
import { quickTagger } from '../../src/language/recogniser/quick-tagger.ts'
import { TAGS } from '../../src/language/recogniser/tags.ts'
import { readWords } from '../../src/language/recogniser/words.ts'
import { sentences } from '../../src/language/sentences.ts'
import { quickFiles } from '../../src/wiring/stages.ts'
import { embedServer } from './embed-server.ts'
import { readerContract } from './reader.ts'

const { model } = inject('engines')

readerContract('onnx, one process', () => onnxModels({ ...model, processes: 1 }))
readerContract('onnx, two processes', () => onnxModels({ ...model, processes: 2 }))

describe('the ONNX reader', () => {
  let models: LanguageModels
  beforeAll(async () => void (models = await onnxModels({ ...model, processes: 1 })))
  afterAll(() => models.close())

  const article = 'Angela Merkel met Barack Obama in Berlin on Monday. The World Health Organization praised the two.'

  it('finds names of people, organisations and places', async () => {
    const read = readWords(article, sentences(article))
    const readings = await models.reader.read(read)
    const named = readings.flatMap(({ tags }, i) =>
      [...tags].flatMap((tag, word) => (tag === 0 ? [] : [`${read[i]?.words.texts[word] ?? ''} ${TAGS[tag] ?? ''}`])),
    )

    expect(named).toEqual([
      ...['Angela B-PER', 'Merkel I-PER', 'Barack B-PER', 'Obama I-PER', 'Berlin B-LOC'],
      ...['World B-ORG', 'Health I-ORG', 'Organization I-ORG'],
    ])
  })

  it('distinguishes the sentiment towards two targets of a sentence', async () => {
    const one = 'Smith was praised for the brave rescue, but Jones disgraced the whole town.'
    const [reading] = await models.reader.read(readWords(one, [{ start: 0, end: one.length }]))
    const [smith = 0, jones = 0] =
      reading?.sentiment([
        { start: 0, end: 5 },
        { start: 44, end: 49 },
      ]).targets ?? []

    expect(smith).toBeGreaterThan(jones)
  })

  it('reads the first 1,200 pieces of an article, in whole sentences', async () => {
    const rare = 'Qzx1vk wj2qpz xk3vbq zq4jwx. '.repeat(150) // some 16 pieces a sentence
    const long = readWords(rare, sentences(rare))

    const readings = await models.reader.read(long)

    expect(readings.length).toBeGreaterThan(30)
    expect(readings.length).toBeLessThan(long.length)
  })

  it('returns the same bytes from another process, and after a restart', async () => {
    const passage = { title: 'Merkel met Obama', sentences: [article], terms: [{ sentence: 0, start: 0, end: 13 }] }
    const bytes = async ({ reader, encoder }: LanguageModels) => ({
      readings: (await reader.read(readWords(article, sentences(article)))).map(({ tags, vector, sentiment }) => ({
        ...{ tags, vector, sentiment: sentiment([]) },
      })),
      vectors: await encoder.passages([passage]),
    })
    const another = await onnxModels({ ...model, processes: 1 })
    try {
      expect(await bytes(another)).toEqual(await bytes(models))
    } finally {
      await another.close()
    }
  })

  it('takes the tags of another tagger, and is one', async () => {
    const { model: name, files } = { model: 'quick', files: quickFiles() }
    const read = readWords(article, sentences(article))
    const quick = quickTagger(name, files)
    const tagged = taggedBy(quick, models.reader)

    expect(tagged.models).toEqual({ ...models.reader.models, recogniser: 'quick' })
    expect((await tagged.read(read)).map(({ tags }) => tags)).toEqual(await quick.tags(read))
    expect(await taggerOf(models.reader).tags(read)).toEqual((await models.reader.read(read)).map(({ tags }) => tags))
  })
})

describe('an endpoint', () => {
  let onnx: LanguageModels
  let server: Server
  beforeAll(async () => {
    onnx = await onnxModels({ ...model, processes: 1 })
    server = await embedServer(onnx.encoder)
  })
  afterAll(async () => {
    server.close()
    await onnx.close()
  })

  readerContract('hugging-face', () => {
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/embed`
    const reader = composedReader({
      tagger: quickTagger('quick', quickFiles()),
      encoder: huggingFaceEncoder({ url, token: undefined, model: 'minilm' }),
      sentiments: sentimentOfVectors(),
    })
    return Promise.resolve({ reader, close: () => Promise.resolve() })
  })
})
