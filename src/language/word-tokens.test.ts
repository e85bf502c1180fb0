import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wordTokens } from './word-tokens.ts'

it.each([
  ["The mayor's 3 bridges don’t close!", ['The', "mayor's", '3', 'bridges', 'don’t', 'close']],
  ['École naïve, ÜBER-Straße', ['École', 'naïve', 'ÜBER', 'Straße']],
  ['今日は雨', ['今', '日', 'は', '雨']],
  ['iPhone发布', ['iPhone', '发', '布']],
  ['— … 🎉 !', []],
])('%s', (text, words) => {
  expect(wordTokens(text)).toEqual(words)
})

it('finds its words in the text, in order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      let from = 0
      for (const word of wordTokens(text)) {
        const at = text.indexOf(word, from)
        expect(at).toBeGreaterThanOrEqual(from)
        from = at + word.length
      }
    }),
  )
})
