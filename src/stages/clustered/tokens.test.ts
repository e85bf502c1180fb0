import { describe, expect, it } from 'vitest'
import { STOP_WORDS, stem, tokens, firstWords, hasWords } from './tokens.ts'

describe('tokens', () => {
  it('gives the reference words of a title and a text', () => {
    const text = `Dock workers at Port Tamsin voted on Tuesday to end a ten-day strike after the Northern Harbor Union accepted a 6% raise. Union leader`

    expect(tokens('Harbor workers in Port Tamsin end ten-day strike').join(' ')).toBe(
      'harbor worker port tamsin end ten strik',
    )
    expect(tokens(text).slice(0, 14).join(' ')).toBe(
      'dock worker port tamsin voted end ten strik northern harbor union accept rais union',
    )
  })

  it('cuts at an apostrophe, in any case, and drops what is left of one letter', () => {
    expect(tokens("THEY'RE Quill’s O'Brien x")).toEqual(['quill'])
  })

  it('knows 155 stop words', () => expect(STOP_WORDS.size).toBe(155))
})

it.each([
  ['parties', 'party'],
  ['ties', 'tie'],
  ['losses', 'loss'],
  ['crashes', 'crash'],
  ['branches', 'branch'],
  ['boxes', 'box'],
  ['congress', 'congress'],
  ['status', 'status'],
  ['crisis', 'crisis'],
  ['shootings', 'shoot'],
  ['string', 'string'],
  ['accepted', 'accept'],
  ['voted', 'voted'],
  ['house', 'hous'],
  ['cars', 'car'],
  ['bus', 'bus'],
])('stems %s to %s', (word, stemmed) => expect(stem(word)).toBe(stemmed))

it('counts words by white space', () => {
  expect(firstWords(' one  two\nthree', 2)).toBe(' one  two')
  expect(firstWords('one', 2)).toBe('one')
  expect([hasWords('a b c', 3), hasWords('a b c', 4), hasWords('', 1)]).toEqual([true, false, false])
})
