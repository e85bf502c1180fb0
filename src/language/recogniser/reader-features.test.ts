import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openPlaces } from '../places/places.ts'
import { CASE_FEATURES, caseFeatures } from './case-features.ts'
import { openLexicon } from './lexicon.ts'
import { articleFeatures, READER_FEATURES, readerFeatures } from './reader-features.ts'

const lists = { lexicon: openLexicon(), places: openPlaces() }

/** Features beyond those of case that each word of a sentence has, by number. */
function listedOf(sentence: string): number[][] {
  const words = sentence.split(' ')
  const features = readerFeatures(words, lists)
  return words.map((_, i) =>
    [...features.subarray(i * READER_FEATURES + CASE_FEATURES, (i + 1) * READER_FEATURES)].flatMap((value, at) =>
      value === 1 ? at : [],
    ),
  )
}

const [NEVER_LOWERED, FIRST_NAME, LAST_NAME, COMPANY] = [0, 8, 9, 10]
const [COUNTRY, STATE, CITY] = [11, 13, 15]

describe('the features of a word', () => {
  it('begin with those of its case', () => {
    const words = 'Mr McDonald of the BBC paid 20 % for G20'.split(' ')
    const features = readerFeatures(words, lists)
    const cased = words.flatMap((_, i) => [
      ...features.subarray(i * READER_FEATURES, i * READER_FEATURES + CASE_FEATURES),
    ])

    expect(cased).toEqual([...caseFeatures(words)])
  })

  it('name lists that contain it, and how often it is in lower case', () => {
    const [angela, merkel, of, google] = listedOf('Angela Merkel of Google')

    expect(angela).toEqual(expect.arrayContaining([FIRST_NAME, NEVER_LOWERED]))
    expect(merkel).not.toContain(FIRST_NAME)
    expect(of).not.toContain(NEVER_LOWERED)
    expect(google).toContain(COMPANY)
    expect(listedOf('Obama')[0]).toContain(NEVER_LOWERED)
    expect(listedOf('Smith')[0]).toContain(LAST_NAME)
  })

  it('mark the first and the further words of a place', () => {
    const rows = listedOf('From New Zealand to New York City and Texas in march')
    const places = rows.map((row) => row.filter((at) => at >= COUNTRY))

    expect(places.slice(0, 4)).toEqual([[], [COUNTRY], [COUNTRY + 1], []])
    expect(places.slice(4, 7)).toEqual([[CITY], [CITY + 1], [CITY + 1]])
    expect(places.slice(7)).toEqual([[], [STATE], [], []])
  })

  it('are one for the usual case of every word, whatever the words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 8 }), (words) => {
        const features = readerFeatures(words, lists)

        expect(features).toHaveLength(words.length * READER_FEATURES)
        words.forEach((_, i) => {
          const lowered = features.subarray(
            i * READER_FEATURES + CASE_FEATURES,
            i * READER_FEATURES + CASE_FEATURES + 8,
          )
          expect(lowered.reduce((sum, value) => sum + value, 0)).toBe(1)
        })
      }),
    )
  })
})

it('the features of an article are those of its sentences, one after another', () => {
  const sentences = [['Angela', 'Merkel', 'spoke', '.'], [], ['In', 'Berlin', '.']]

  expect([...articleFeatures(sentences, lists)]).toEqual(
    sentences.flatMap((words) => [...readerFeatures(words, lists)]),
  )
})
