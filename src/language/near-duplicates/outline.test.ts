import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ntrexTexts } from '../../../test/builders/ntrex.ts'
import { sentences } from '../sentences.ts'
import { outlineOf, readOutline, translation, type ReadOutline } from './outline.ts'

const outline = (text: string, language: string): ReadOutline => readOutline(outlineOf(text, sentences(text), language))

const texts = ntrexTexts.map(({ event, language, text }) => ({ event, outline: outline(text, language) }))
const WITH_TWO_DOCUMENTS = 'nytimes.184860'
const pairs = texts.flatMap((one, i) =>
  texts
    .slice(i + 1)
    .filter((other) => other.outline.language !== one.outline.language)
    .map((other) => ({ one, other, found: translation(one.outline, other.outline) })),
)

describe('translation', () => {
  it('recognises most translations of real news', () => {
    const of = pairs.filter(({ one, other }) => one.event === other.event && one.event !== WITH_TWO_DOCUMENTS)
    const found = of.filter((pair) => pair.found !== null)

    expect(of.length).toBe(126)
    expect(found.length / of.length).toBeGreaterThan(0.65)
  })

  it('takes no two reports of different events for translations of each other', () => {
    const of = pairs.filter(({ one, other }) => one.event !== other.event)

    expect(of.length).toBeGreaterThan(1_000)
    expect(of.filter(({ found }) => found !== null)).toEqual([])
  })

  it('compares texts in different languages only', () => {
    const text = 'It rained. The river rose by 3 metres. Nobody was hurt. The dam held for 12 days. They left at 9.'

    expect(translation(outline(text, 'en'), outline(text, 'en'))).toBeNull()
    expect(translation(outline(text, 'en'), outline(text, 'und'))).toBeNull()
    expect(translation(outline(text, 'en'), outline(text, 'de'))).toEqual({
      ...{ length_distance: 0, sentences: 5, shared_numerals: 3, numerals: 3 },
    })
  })

  it('reads numerals of any script, with any separator of thousands', () => {
    const numerals = (text: string) => Array.from(outline(text, 'xx').numerals)

    expect(new Set(['150,000', '150.000', '150 000', '150000', '١٥٠٠٠٠', '१५०,०००'].flatMap(numerals)).size).toBe(1)
    expect(numerals('1,5 of 2018')).toHaveLength(3)
    expect(numerals('In 2016 120 people')).toHaveLength(2)
  })
})

/** Words of 1 to 9 letters as sentences of one to 30 words, a few with a numeral. */
const aText = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 9 }), fc.nat(3_000)), {
    minLength: 5,
    maxLength: 40,
  })
  .map((all) =>
    all.map(([words, letters, number], i) => `A${' b'.padEnd(letters + 1, 'c').repeat(words)} ${i % 3 ? '' : number}.`),
  )

it('agrees with another outline as that one agrees with it, if a sentence was left out, too', () => {
  let recognised = 0
  fc.assert(
    fc.property(aText, fc.nat(39), (sentencesOf, left) => {
      const one = outline(sentencesOf.join(' '), 'en')
      const other = outline(sentencesOf.filter((_, i) => i !== left).join(' '), 'de')
      const found = translation(one, other)
      if (found !== null) recognised++
      expect(found).toEqual(translation(other, one))
    }),
  )
  expect(recognised).toBeGreaterThan(50)
})
