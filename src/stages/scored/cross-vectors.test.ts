import { expect, it } from 'vitest'
import { vectors } from '../../events/vector.ts'
import type { CrossEncoder, CrossText } from '../../ports/cross-encoder.ts'
import { crossVectorsOf } from './stage.ts'

/** A test double: counts its calls; a vector says how many characters its text has. */
function aCrossEncoderDouble() {
  const calls: (readonly CrossText[])[] = []
  const encoder: CrossEncoder = {
    model: 'cross-double',
    dim: 2,
    encode: (texts) => {
      calls.push(texts)
      return Promise.resolve(texts.map(({ text }) => Float32Array.of(1 / text.length, 1)))
    },
    close: () => Promise.resolve(),
  }
  return { encoder, calls }
}

const english = { language: 'en', passage: { title: 'Talks fail', sentences: ['They met.', 'They left.'] } }
const german = { language: 'de', passage: { title: 'Gespräche scheitern', sentences: ['Sie trafen sich.'] } }
const untitled = { language: 'fr', passage: { title: '', sentences: ['Ils se sont vus.', 'Puis rien.'] } }

it('encodes every title, and the beginning of articles that are not in English, in one call', async () => {
  const { encoder, calls } = aCrossEncoderDouble()
  const of = await crossVectorsOf(encoder, [english, german, untitled])

  expect(calls).toEqual([
    [
      { text: 'Talks fail', language: 'en' },
      { text: 'Gespräche scheitern', language: 'de' },
      { text: 'Ils se sont vus.', language: 'fr' },
      { text: 'Gespräche scheitern Sie trafen sich.', language: 'de' },
      { text: 'Ils se sont vus. Puis rien.', language: 'fr' },
    ],
  ])
  expect(of(german).cross_title_vector).toMatchObject({ model: 'cross-double:cross-title', dim: 2, dtype: 'i8' })
  expect(of(german).cross_vector.model).toBe('cross-double:cross')
  expect(vectors(of(german).cross_vector)).toHaveLength(1)
  expect(vectors(of(english).cross_vector)).toEqual([])
})

it('gives no vectors where only English is read', async () => {
  const of = await crossVectorsOf(null, [german])

  expect(vectors(of(german).cross_title_vector)).toEqual([])
})
