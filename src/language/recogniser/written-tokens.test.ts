import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writtenTokens } from './written-tokens.ts'

it.each([
  [['Er', 'sagte', ':', '„', 'Ja', '!'], 'Er sagte: „Ja!'],
  [['(', 'AP', ')', '-', 'Oslo', ',', '5', '%'], '(AP) - Oslo, 5%'],
  [['习', '近平', '访问', '了', 'Oslo', '。'], '习近平访问了 Oslo。'],
])('writes tokens as a text: %s', (tokens, text) => {
  expect(writtenTokens(tokens).text).toBe(text)
})

it('gives the place of every token', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 6 })), (tokens) => {
      const { text, spans } = writtenTokens(tokens)

      expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(tokens)
    }),
  )
})
