import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisVector } from '../../../test/builders/articles.ts'
import { packed, unpacked, pieces } from './encoder-work.ts'
import { passageWindow, termPositions, leadWindow, WINDOW } from './windows.ts'
import { placedPieces } from './vocabulary.ts'

/** Test double of WordPiece: a word is a piece for every two letters, a mark is a piece; ids are what they spell. */
const idsOf = (text: string): readonly number[] =>
  [...text.matchAll(/[.,!?'"-]|[^\s.,!?'"-]{1,2}/gu)].map(([piece]) => (piece.codePointAt(0) ?? 0) * 7 + piece.length)
const placed = placedPieces(idsOf)

const words = fc.array(fc.stringMatching(/^[a-z]{1,9}[.,!?'-]?[a-z]{0,3}$/), { minLength: 1, maxLength: 40 })
const sentence = words.map((all) => all.join(' '))

describe('placed pieces', () => {
  it('are those of the whole text, each inside its word', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        const { ids, starts, ends } = placed(text)

        expect(ids).toEqual(text.split(/\s+/).flatMap(idsOf))
        ids.forEach((_, i) => expect(text.slice(starts[i], ends[i])).toMatch(/^(?:[a-z]+|[.,!?'-])$/))
      }),
    )
  })

  it('take a word with a model mark or a letter that changes by its neighbours as one', () => {
    expect(placed('[SEP] ΟΔΟΣ. b')).toMatchObject({ starts: [0, 0, 0, 6, 6, 6, 12], ends: [5, 5, 5, 11, 11, 11, 13] })
  })
})

describe('the window of a passage', () => {
  it('is the lead window, piece for piece', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(''), sentence), fc.array(sentence, { maxLength: 12 }), (title, sentences) => {
        const window = passageWindow(placed, { title, sentences })

        expect(window.map(({ id }) => id)).toEqual(
          leadWindow((text) => placed(text).ids, { title, body: sentences.join(' ') }),
        )
      }),
    )
  })

  it('knows where each piece stands in its sentence', () => {
    const sentences = ['', 'A first one.', 'Then another']
    const window = passageWindow(placed, { title: 'Head', sentences })

    expect(window.map(({ sentence: at, start, end }) => (sentences[at] ?? 'Head').slice(start, end))).toEqual(
      ['Head', 'Head', 'A', 'first', 'first', 'first', 'one', 'one', '.']
        .concat(['Then', 'Then'])
        .concat(Array<string>(4).fill('another')),
    )
  })

  it('holds the pieces of a term as far as it reaches', () => {
    const sentences = ['aa bb cc dd', Array.from({ length: 200 }, () => 'ee').join(' ')]
    const window = passageWindow(placed, { title: 'tt uu', sentences })

    expect(window).toHaveLength(WINDOW)
    expect(termPositions(window, { sentence: -1, start: 3, end: 5 })).toEqual([1])
    expect(termPositions(window, { sentence: 0, start: 3, end: 8 })).toEqual([3, 4])
    expect(termPositions(window, { sentence: 1, start: 0, end: 2 })).toEqual([6])
    expect(termPositions(window, { sentence: 1, start: 357, end: 359 })).toEqual([125])
    expect(termPositions(window, { sentence: 1, start: 357, end: 362 })).toEqual([])
    expect(termPositions(window, { sentence: 1, start: 360, end: 362 })).toEqual([])
    expect(termPositions(window, { sentence: 9, start: 0, end: 2 })).toEqual([])
  })
})

describe('passages on the wire', () => {
  const row = fc.nat(383).map(axisVector)
  const passage = fc.record({
    title: row,
    lead: row,
    article: row,
    terms: fc.array(fc.option(row), { maxLength: 5 }),
  })

  it('come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 5 }), (passages) => {
        expect(
          unpacked(
            packed(passages),
            passages.map(({ terms }) => terms.length),
          ),
        ).toEqual(passages)
      }),
      { numRuns: 20 },
    )
  })

  it('go few at a time: each is a title and a window', () => {
    const long = Array.from({ length: 8 }, () => ({ title: 'x'.repeat(60), sentences: ['y'.repeat(900)], terms: [] }))

    expect(pieces('passages', long).map(({ items }) => items.length)).toEqual([3, 3, 2])
  })
})
