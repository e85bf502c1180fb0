import { moneyTable, type SumFound, sums } from '../money/sums.ts'
import type { Span } from '../sentences.ts'
import { withoutOverlaps } from '../spans.ts'

const SCALES = moneyTable('foreign-money/scales')
const UNITS = moneyTable('foreign-money/units')

/** The longest word first. */
const oneOf = (words: Iterable<string>): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/\.$/u, '\\.?').replaceAll('$', '\\$'))
    .join('|')

/** "1.200.000", "1 200 000", "1,200", "4,5", "4.5"; the spaces may be narrow. */
const NUMBER =
  '\\d{1,3}(?:,\\d{3}){1,4}(?!\\d)|\\d{1,3}(?:[.\\u0020\\u00a0\\u202f]\\d{3}){1,4}(?:,\\d{1,2})?|\\d{1,12}(?:[.,]\\d{1,2})?'
const SPACE = '[\\s\\u00a0\\u202f]?'
const SUM = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}.,万萬億亿억兆조만])(?<number>${NUMBER})${SPACE}(?:(?<scale>${oneOf(SCALES.keys())})(?:${SPACE}(?:de |d['’]|di |von ))?${SPACE})?(?<unit>${oneOf(UNITS.keys())})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}]|(?<=元)[旦首素年老气件宵]|(?<=원)[칙인래장내자본천작형])`,
  'giu',
)

/** Sums of money in a sentence of a text in another language than English: its own words, and signs and codes. */
export function sumsIn(text: string, { start, end }: Span): readonly SumFound[] {
  const worded = [...text.slice(start, end).matchAll(SUM)].flatMap(({ index, 0: written, groups = {} }): SumFound[] => {
    const currency = valueOf(UNITS, groups['unit'] ?? '')
    const factor = groups['scale'] === undefined ? 1 : Number(valueOf(SCALES, groups['scale']))
    const amount = Math.round(figure(groups['number'] ?? '') * factor * 100) / 100
    if (currency === undefined || !Number.isFinite(amount)) return []
    const from = start + index
    const money = { amount, currency }
    return [{ type: 'MONEY', start: from, end: from + written.length, name: `${currency} ${amount}`, money }]
  })
  const signed = withoutOverlaps(sums(text, start, end), worded)
  return [...worded, ...signed].sort((a, b) => a.start - b.start)
}

const valueOf = (words: ReadonlyMap<string, string>, written: string): string | undefined => {
  const lower = written.toLowerCase()
  return words.get(lower) ?? words.get(`${lower}.`)
}

const figure = (text: string): number =>
  Number(text.replace(/[.,\s\u00a0\u202f](?=\d{3}(?!\d))/gu, '').replace(',', '.'))
