import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../../test/builders/cpu.ts'
import { sentences } from '../sentences.ts'
import { openQuickFiles, quickNames } from './quick-tagger.ts'
import { readWords, RECOGNISED_CHARS } from './words.ts'

const { files } = openQuickFiles()
const found = (text: string): string[] =>
  quickNames(files, text, sentences(text)).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)

describe('names in the news', () => {
  it('finds persons, organisations and places', () => {
    const text =
      'German Chancellor Angela Merkel met executives of Goldman Sachs in Berlin on Tuesday. The bank paid $5 million, ' +
      'Merkel said. She then flew to the United States.'

    expect(found(text)).toEqual([
      'PERSON Angela Merkel',
      'ORG Goldman Sachs',
      'GPE Berlin',
      'PERSON Merkel',
      'GPE United States',
    ])
  })

  it('tells land and water from places that are governed', () => {
    expect(found('A ship from Turkey sank in the Black Sea near Odessa.')).toEqual([
      'GPE Turkey',
      'LOC Black Sea',
      'GPE Odessa',
    ])
  })

  it('reads the first part of a long text only, and says how far', () => {
    const text = 'Angela Merkel spoke in Berlin. '.repeat(1_000)
    const spans = sentences(text)

    const reached = readWords(text, spans).at(-1)?.end ?? 0
    const last = quickNames(files, text, spans).at(-1)

    expect(reached).toBeGreaterThanOrEqual(RECOGNISED_CHARS)
    expect(reached).toBeLessThan(RECOGNISED_CHARS + 100)
    expect(last?.end).toBeLessThanOrEqual(reached)
  })
})

describe('any text', () => {
  it('answers with spans inside the text, in order, that do not overlap', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Angela Merkel ', 'Paris. ', '$5 ', 'U.S. ', '\n', '@'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        let free = 0
        for (const { start, end } of quickNames(files, text, sentences(text))) {
          expect(start).toBeGreaterThanOrEqual(free)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end))
          free = end
        }
      }),
    )
  })

  it.each([
    ['no blank', 'A'.repeat(200_000)],
    ['Chinese', '北京市政府周二宣布关闭旧港大桥。'.repeat(12_000)],
    ['emoji', '😀🎉👩‍👩‍👧'.repeat(20_000)],
    ['capitals', 'Xx '.repeat(66_000)],
    ['right to left', 'أعلنت الحكومة اليوم '.repeat(10_000)],
  ])('is linear: 200 kB of %s', (_, text) => {
    const spans = sentences(text)

    expect(leastCpuMs(() => quickNames(files, text, spans), 3_000)).toBeLessThan(3_000)
  })
})
