import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { EDIT_NAMES, EDITS } from '../../quality/reprint-edits.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { BandTable } from './band-table.ts'
import { sampledContainment } from './shingle-sample.ts'
import { containment, shingles, wordHashes, fingerprint, bandKeys, BANDS } from './fingerprint.ts'

const LENGTH = { min_words: 60, max_words: 4_000 }

/** A made-up text of `words` words: no two seeds share a phrase worth speaking of. */
function aText(seed: string, words: number): string {
  const random = seeded(seed)
  const word = () => Array.from({ length: (3 + random() * 5) | 0 }, () => 'aeioulnrst'[(random() * 10) | 0]).join('')
  const sentence = () => `The ${Array.from({ length: 11 }, word).join(' ')}.`
  return Array.from({ length: Math.ceil(words / 12) }, sentence).join(' ')
}

const sets = fc
  .uniqueArray(fc.nat(60), { maxLength: 40 })
  .map((values) => Uint32Array.from(values.sort((a, b) => a - b)))

describe('containment', () => {
  it('is the share of the smaller set, the same from both sides, 0 to 1', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const smaller = Math.min(a.length, b.length)
        const shared = [...a].filter((value) => b.includes(value)).length

        expect(containment(a, b)).toBe(smaller === 0 ? 0 : shared / smaller)
        expect(containment(b, a)).toBe(containment(a, b))
      }),
    )
  })

  it('is 1 of a part and its whole', () => {
    const whole = shingles(wordHashes('one two three four five six seven'))

    expect(containment(whole, shingles(wordHashes('three four five six')))).toBe(1)
  })
})

describe('shingles', () => {
  it('are the three-word windows, each once and in ascending order', () => {
    const repeated = shingles(wordHashes('a b c a b c a b c'))

    expect(repeated).toHaveLength(3)
    expect([...repeated]).toEqual([...repeated].sort((a, b) => a - b))
    expect(shingles(wordHashes('a b'))).toHaveLength(0)
    expect(shingles(wordHashes(''))).toHaveLength(0)
  })

  it('take each character for a word where a script has no spaces', () => {
    expect(shingles(wordHashes('东京大学新闻'))).toHaveLength(4)
    expect(shingles(wordHashes('ข่าววันนี้'))).not.toHaveLength(0)
    expect(shingles(wordHashes('서울 시청 앞 광장'))).toHaveLength(2)
  })
})

describe('a fingerprint', () => {
  it('of a re-print is equal to the last bit', () => {
    const text = aText('reprint', 300)

    expect(fingerprint(`WASHINGTON (AP) — ${text.replaceAll('. ', '.\r\n')}`, LENGTH)).toEqual(
      fingerprint(text, LENGTH),
    )
  })

  it('of a short text is its hash alone', () => {
    expect(fingerprint(A_REPORT.slice(0, 200), LENGTH)).toMatchObject({
      sample: new Uint16Array(),
      bands: new Int32Array(),
    })
  })

  it('looks at so many words and no more', () => {
    const long = fingerprint(aText('long', 9_000), LENGTH)

    expect(long.sample[0]).toBeGreaterThan(3_900)
    expect(long.sample[0]).toBeLessThanOrEqual(3_998)
  })

  it('has known bands: what is remembered was found by these very functions', () => {
    const bands = bandKeys(shingles(wordHashes('one two three four five six seven')))

    expect(bands).toHaveLength(BANDS)
    expect([...bands.subarray(0, 3)]).toEqual(KNOWN_BANDS)
  })
})

const KNOWN_BANDS = [-1916026173, 2064988901, -718777147]

describe('bands', () => {
  it('find every edited text that containment finds, among hundreds of others', () => {
    const table = new BandTable()
    const texts = Array.from({ length: 400 }, (_, i) => aText(`text ${i}`, 250 + (i % 7) * 60))
    const prints = texts.map((text) => fingerprint(text, LENGTH))
    prints.forEach(({ bands }, row) => {
      table.add(row, bands)
    })

    for (let row = 0; row < 30; row++) {
      for (const edit of EDIT_NAMES) {
        const text = EDITS[edit]({
          text: texts[row] ?? '',
          foreign: texts[row + 200] ?? '',
          random: seeded(`${row} ${edit}`),
        })
        const print = fingerprint(text, LENGTH)
        const exact = prints.flatMap((other, i) => (sampledContainment(other.sample, print.sample) >= 0.6 ? [i] : []))

        expect([...table.sharing(print.bands).keys()]).toEqual(expect.arrayContaining(exact))
        expect(edit === 'half' || exact.includes(row)).toBe(true)
      }
    }
  })

  it('hold what was put in and not taken out', () => {
    const row = fc.record({ row: fc.nat(40), seed: fc.nat(3) })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 120 }), (changes) => {
        const table = new BandTable()
        const held = new Map<number, Int32Array>()
        for (const { row, seed } of changes) {
          if (held.delete(row)) table.remove(row)
          else {
            const keys = Int32Array.from({ length: BANDS }, (_, band) => seed * 7 + (band % (seed + 2)))
            held.set(row, keys)
            table.add(row, keys)
          }
        }

        for (const keys of held.values()) {
          const expected = [...held].flatMap(([row, other]): [number, number][] => {
            const shared = other.filter((key, band) => key === keys[band]).length
            return shared === 0 ? [] : [[row, shared]]
          })
          expect(new Map([...table.sharing(keys)].sort(([a], [b]) => a - b))).toEqual(
            new Map(expected.sort(([a], [b]) => a - b)),
          )
        }
      }),
    )
  })
})
