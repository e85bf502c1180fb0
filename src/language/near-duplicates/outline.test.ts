import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentences } from '../sentences.ts'
import { outlineBytes, outlineFromBytes, outlineOf, translation, type Outline } from './outline.ts'

const outline = (text: string, language: string): Outline => outlineOf(text, sentences(text), language)

/** Seven events, each in seven languages; one has two documents. */
const texts = gunzipSync(readFileSync(new URL('../../../test/fixtures/ntrex/articles.jsonl.gz', import.meta.url)))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly event: string; readonly language: string; readonly text: string })
  .map(({ language, text, event }) => ({ event, outline: outline(text, language) }))
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
    expect(translation(outline(text, 'en'), outline(text, 'de'))).toEqual({
      ...{ length_distance: 0, sentences: 5, shared_numerals: 3, numerals: 3 },
    })
  })

  it('reads numerals of any script, with any separator of thousands', () => {
    const numerals = (text: string) => Array.from(outline(text, 'xx').numerals)

    expect(new Set(['150,000', '150.000', '150 000', '150000', '١٥٠٠٠٠', '१५०,०००'].flatMap(numerals)).size).toBe(1)
    expect(numerals('1,5 of 2018')).toHaveLength(3)
  })
})

const anOutline = fc.record({
  language: fc.constantFrom('de', 'en', 'und'),
  lengths: fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 64 }).map((all) => Uint8Array.from(all)),
  numerals: fc.array(fc.nat(65_535), { maxLength: 48 }).map((all) => Uint16Array.from(all)),
})

describe('an outline', () => {
  it('is the same after it was stored, if it has sentences', () => {
    fc.assert(
      fc.property(anOutline, (own) => {
        const restored = outlineFromBytes(outlineBytes(own), own.language)
        expect(restored).toEqual(own.lengths.length === 0 ? { ...own, numerals: new Uint16Array() } : own)
      }),
    )
  })

  it('agrees with another as that one agrees with it', () => {
    fc.assert(
      fc.property(anOutline, anOutline, (one, other) => {
        expect(translation(one, other)).toEqual(translation(other, one))
      }),
    )
  })
})
