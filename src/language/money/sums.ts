import type { EntityMoney } from '../../events/articles.ts'
import { linesIn, wordList } from '../model-files.ts'
import type { Span } from '../sentences.ts'
import { SMALL_NUMBERS } from '../times/vocabulary.ts'

/** Lines `code|name|name` as code by name. */
const table = (section: string): ReadonlyMap<string, string> =>
  new Map(
    linesIn(section).flatMap((row) => {
      const [code = '', ...names] = row.split('|')
      return names.map((name) => [name, code] as const)
    }),
  )

/** Signs before an amount; the dollar and the yen sign alone are the American and the Japanese. */
const SIGNS = table('money/signs')
/** ISO 4217, before or after an amount. */
const CODES = wordList('money/codes')
/** Words after an amount, with the currency where the word alone does not say it. */
const UNITS = table('money/units')
/** Also a weight and a verb: money only in millions and the like. */
const LARGE_UNITS = table('money/large-units')
/** A hundredth of the currency beside it. */
const HUNDREDTHS = table('money/hundredths')

/** What a number is multiplied by; single letters stand right behind it. */
const SCALES = new Map([...table('money/scales')].map(([name, factor]) => [name, Number(factor)]))

interface SumFound extends Span {
  readonly type: 'MONEY'
  /** Currency and amount: `USD 4500000`. */
  readonly name: string
  /** For a range ("$1.5-2 million"), the lower bound; the span covers the whole range. */
  readonly money: EntityMoney
}

const oneOf = (words: Iterable<string>): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.$]/gu, '\\$&'))
    .join('|')

/** `1,200,000.50`, `1,20,000`, `1.200.000`, `20,50`, `4.5`; every repeat is bounded. */
const NUMBER =
  '(?:\\d{1,3}(?:,\\d{3}){1,5}(?:\\.\\d{1,4})?|\\d{1,2}(?:,\\d{2}){1,4},\\d{3}|\\d{1,3}(?:\\.\\d{3}){2,4}|\\d{1,15}(?:[.,]\\d{1,2}(?!\\d)|\\.\\d{1,4})?)(?![\\d]|[.,]\\d)'
const WORDED = `(?:[Hh]alf an?|[Aa]n?|[Oo]ne|${SMALL_NUMBERS.slice(1).join('|')}|twenty|thirty|forty|fifty|hundred)`
const LONG_SCALE = '(?:lakh crore|hundred|thousand|lakhs?|million|crores?|billion|trillion|bn|mn|mln|trn|tn)'
const SCALE = `(?:[ -]?${LONG_SCALE}|[KkMmBbT])(?![\\p{L}\\p{N}])`

const BEFORE = `(?<sign>${oneOf([...SIGNS.keys(), ...CODES])}) ?(?<first>${NUMBER})(?:(?:[-–]| to )(?:[$€£]?${NUMBER})(?=[ -]?${SCALE}))?(?<scale>${SCALE})?(?![\\p{L}\\p{N}])`
const UNIT = `[ -]?(?<unit>${oneOf([...UNITS.keys(), ...LARGE_UNITS.keys(), ...HUNDREDTHS.keys(), ...CODES])})(?![\\p{L}\\p{N}])`
const AFTER = `(?<number>${NUMBER})(?:(?:[-–]| to )${NUMBER})?(?<by>${SCALE})?${UNIT}`
const unnamed = (pattern: string, mark: string): string => pattern.replace(/\(\?<(\w+)>/gu, `(?<${mark}$1>`)
const SPELLED = `(?<number>${WORDED})(?<by>(?: ${LONG_SCALE}){0,2})${UNIT}`

/** Amounts behind a sign, before a unit in figures, before one in words. */
const SUM = new RegExp(`(?:${BEFORE}|${unnamed(AFTER, 'a_')}|${unnamed(SPELLED, 's_')})`, 'gu')
/** A sum does not begin inside a word or a number. */
const NOT_BEFORE = /[\p{L}\p{N}$€£.,]$/u

/** Sums of money in `text.slice(start, end)`; linear. */
export function sums(text: string, start: number, end: number): readonly SumFound[] {
  const sentence = text.slice(start, end)
  const found: SumFound[] = []
  SUM.lastIndex = 0
  for (let match = SUM.exec(sentence); match !== null; match = SUM.exec(sentence)) {
    const from = start + match.index
    const money = NOT_BEFORE.test(text.slice(Math.max(start, from - 2), from)) ? null : moneyOf(match.groups ?? {})
    if (money === null) continue
    const name = `${money.currency} ${money.amount}`
    found.push({ type: 'MONEY', start: from, end: from + match[0].length, name, money })
  }
  return found
}

type Groups = Readonly<Record<string, string | undefined>>

function moneyOf(groups: Groups): EntityMoney | null {
  const { sign, first = '', scale } = groups
  return sign === undefined ? withUnit(groups) : money(SIGNS.get(sign) ?? sign, figure(first) * scaleOf(scale))
}

function withUnit(groups: Groups): EntityMoney | null {
  const figures = groups['a_number']
  const [mark, number] = figures === undefined ? ['s_', spelled(groups['s_number'] ?? '')] : ['a_', figure(figures)]
  const [unit = '', by] = [groups[`${mark}unit`], scaleOf(groups[`${mark}by`])]
  const large = LARGE_UNITS.get(unit)
  if (large !== undefined) return by < MANY ? null : money(large, number * by)
  const whole = HUNDREDTHS.get(unit)
  return whole === undefined ? money(UNITS.get(unit) ?? unit, number * by) : money(whole, (number * by) / 100)
}

/** From here on "pounds" are no weight. */
const MANY = 1e5

/** More is no sum but digits. */
const LARGEST = 1e16

/** To the hundredth: 4.1 million is not 4099999.9999999995. */
const money = (currency: string, amount: number): EntityMoney | null =>
  amount < LARGEST ? { amount: Math.round(amount * 100) / 100, currency } : null

/** A comma before one or two digits, or two dots, are the continent's way. */
function figure(text: string): number {
  if (/^\d{1,3}(?:\.\d{3}){2,}$/u.test(text)) return Number(text.replaceAll('.', ''))
  return Number(/,\d{1,2}$/u.test(text) ? text.replace(',', '.') : text.replaceAll(',', ''))
}

const TENS: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50, hundred: 100 }

function spelled(word: string): number {
  const lower = word.toLowerCase()
  if (lower.startsWith('half')) return 0.5
  return TENS[lower] ?? Math.max(1, SMALL_NUMBERS.indexOf(lower) + 1)
}

/** Of `-million`, `bn`, ` hundred thousand`; one where there is none. */
function scaleOf(text = ''): number {
  const words = text.trim().replace(/^-/u, '').toLowerCase()
  return SCALES.get(words) ?? words.split(' ').reduce((product, word) => product * (SCALES.get(word) ?? 1), 1)
}
