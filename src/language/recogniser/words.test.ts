import fc from 'fast-check'
import { expect, it } from 'vitest'
import { words } from './words.ts'

it('keeps letters and digits together and every other sign alone', () => {
  expect(words('The U.S. paid $5bn, didn’t it?', 0, 30).texts).toEqual([
    'The',
    'U',
    '.',
    'S',
    '.',
    'paid',
    '$',
    '5bn',
    ',',
    'didn',
    '’',
    't',
    'it',
    '?',
  ])
})

it('keeps each letter alone in scripts without spaces', () => {
  expect(words('习近平访问Oslo。トヨタ', 0, 13).texts).toEqual([
    '习',
    '近',
    '平',
    '访',
    '问',
    'Oslo',
    '。',
    'ト',
    'ヨ',
    'タ',
  ])
})

it('gives offsets into the whole text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, start) => {
      const found = words(text, start, text.length)
      found.texts.forEach((word, i) => expect(text.slice(found.starts[i], found.ends[i])).toBe(word))
    }),
  )
})
