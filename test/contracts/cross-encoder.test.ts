import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { centred, readLanguageMeans } from '../../src/adapters/onnx/cross-encoder.ts'
import { type LanguageModels, onnxModels } from '../../src/adapters/onnx/language-models.ts'
import { dot } from '../../src/language/vectors.ts'
import { projectPath } from '../../src/config/project-path.ts'

const { model } = inject('engines')

const folder = projectPath('models/cross-language')

/** One sentence in four languages and another one, with their vectors as the source of the weights gives them. */
const recorded = JSON.parse(readFileSync(`${folder}/recorded.json`, 'utf8')) as { text: string; vector: number[] }[]
const LANGUAGES = ['en', 'de', 'ar', 'zh', 'en']
const texts = recorded.map(({ text }, i) => ({ text, language: LANGUAGES[i] ?? 'und' }))

describe('the cross-language encoder', () => {
  let models: LanguageModels
  beforeAll(async () => void (models = await onnxModels({ ...model, processes: 2 })))
  afterAll(() => models.close())

  it('has files with the recorded checksums', () => {
    const lines = readFileSync(`${folder}/checksums.sha256`, 'utf8').trimEnd().split('\n')
    const found = lines.map((line) => {
      const [, name = ''] = line.split('  ')
      return `${createHash('sha256')
        .update(readFileSync(`${folder}/${name}`))
        .digest('hex')}  ${name}`
    })

    expect(found).toEqual(lines)
  })

  it('puts a text near its translations and far from others', async () => {
    const [en, de, ar, zh, other] = await models.crossEncoder.encode(texts)
    const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
      dot(a ?? new Float32Array(), b ?? new Float32Array())

    for (const translation of [de, ar, zh]) expect(cosine(en, translation)).toBeGreaterThan(0.4)
    for (const text of [en, de, ar, zh]) expect(cosine(other, text)).toBeLessThan(0.3)
  })

  it('gives the vectors of the source, which has other rounding', async () => {
    const vectors = await models.crossEncoder.encode(texts)
    const { byLanguage, all } = readLanguageMeans()

    for (const [i, { vector }] of recorded.entries()) {
      const expected = centred(Float32Array.from(vector), byLanguage.get(LANGUAGES[i] ?? '') ?? all)
      expect(dot(vectors[i] ?? new Float32Array(), expected)).toBeGreaterThan(0.95)
    }
  })

  it('gives a text the same bytes alone and among others', async () => {
    const [, , ar] = await models.crossEncoder.encode(texts)

    expect(await models.crossEncoder.encode(texts.slice(2, 3))).toEqual([ar])
  })

  it('reads a text of any length, and none', async () => {
    const vectors = await models.crossEncoder.encode([
      { text: '', language: 'und' },
      { text: (texts[2]?.text ?? '').repeat(500), language: 'ar' },
    ])

    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
  })
})

it('has unit length less a mean, and zeros if nothing is left', () => {
  const vector = Float32Array.of(0.6, 0.8)

  expect([...centred(vector, Float32Array.of(0.6, 0))]).toEqual([0, 1])
  expect([...centred(vector, vector)]).toEqual([0, 0])
})
