import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { projectPath } from '../../config/project-path.ts'
import { sentenceAt } from '../../language/recogniser/words.ts'
import { sentencePieces, spaced } from './cross-pieces.ts'
import { openUnigram } from './unigram.ts'

const split = openUnigram(readFileSync(projectPath('models/cross-language/pieces.bin.gz')))

/** Each word of a text and its number of pieces. */
function countsOf(text: string) {
  const sentence = sentenceAt(text, 0, text.length)
  const { counts } = sentencePieces(split, spaced(sentence))
  return sentence.words.texts.map((word, i) => [word, counts[i]])
}

it('counts the pieces of each word, the space before a word among them', () => {
  expect(countsOf('Merkel besuchte Genève.')).toEqual([
    ['Merkel', 1],
    ['besuchte', 2],
    ['Genève', 1],
    ['.', 1],
  ])
})

it('gives a piece that joins words to the first of them', () => {
  expect(countsOf('政府表示')).toEqual([
    ['政', 2], // the mark of the beginning of a text is a piece of its own
    ['府', 0],
    ['表', 1],
    ['示', 0],
  ])
})

it('reads at most 16 pieces of a word', () => {
  const [[, count] = []] = countsOf('x7'.repeat(60))

  expect(count).toBe(16)
})

it('gives every piece that is read to one word, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const sentence = spaced(sentenceAt(text, 0, text.length))
      const { indexes, counts } = sentencePieces(split, sentence)

      expect(counts).toHaveLength(sentence.ends.length)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(indexes.length)
    }),
  )
})
