import type { EntityMoney } from '../../events/articles.ts'
import { linesIn, wordList } from '../model-files.ts'
import type { Span } from '../sentences.ts'
import { SMALL_NUMBERS } from '../times/vocabulary.ts'

/** The currency code (or factor) of each name in lines `code|name|name`. */
export const moneyTable = (section: string): ReadonlyMap<string, string> =>
  new Map(
    linesIn(section).flatMap((row) => {
      const [code = '', ...names] = row.split('|')
      return names.map((name) => [name, code] as const)
    }),
  )

/** Signs before an amount, with their currency; `$` alone is the US dollar, `¥` alone the yen. */
const SIGNS = moneyTable('money/signs')
/** ISO 4217 codes, before or after an amount. */
const CODES = wordList('money/codes')
/** Words after an amount, with their currency. */
const UNITS = moneyTable('money/units')
/** `pounds` and `won` have other meanings, so they count as money only from a multiplier of 100,000 (a lakh). */
const LARGE_UNITS = moneyTable('money/large-units')
/** Units worth a hundredth of a currency (cents, pence), with that currency. */
const HUNDREDTHS = moneyTable('money/hundredths')

/** Factors of a number by their words. Single letters must follow the number directly (`5m`). */
const SCALES = new Map([...moneyTable('money/scales')].map(([name, factor]) => [name, Number(factor)]))

export interface SumFound extends Span {
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

/** `1,200,000.50`, `1,20,000`, `1.200.000`, `20,50`, `4.5`. Repetitions are bounded so that matching is linear. */
const NUMBER =
  '(?:\\d{1,3}(?:,\\d{3}){1,5}(?:\\.\\d{1,4})?|\\d{1,2}(?:,\\d{2}){1,4},\\d{3}|\\d{1,3}(?:\\.\\d{3}){2,4}|\\d{1,15}(?:[.,]\\d{1,2}(?!\\d)|\\.\\d{1,4})?)(?![\\d]|[.,]\\d)'
const WORDED = `(?:[Hh]alf an?|[Aa]n?|[Oo]ne|${SMALL_NUMBERS.slice(1).join('|')}|twenty|thirty|forty|fifty|hundred)`
const LONG_SCALE = '(?:lakh crore|hundred|thousand|lakhs?|million|crores?|billion|trillion|bn|mn|mln|trn|tn)'
const SCALE = `(?:[ -]?${LONG_SCALE}|[KkMmBbT])(?![\\p{L}\\p{N}])`

const BEFORE = `(?<sign>${oneOf([...SIGNS.keys(), ...CODES])}) ?(?<first>${NUMBER})(?:(?:[-–]| to )(?:[$€£]?${NUMBER})(?=[ -]?${SCALE}))?(?<scale>${SCALE})?(?![\\p{L}\\p{N}])`
const UNIT = `[ -]?(?<unit>${oneOf([...UNITS.keys(), ...LARGE_UNITS.keys(), ...HUNDREDTHS.keys(), ...CODES])})(?![\\p{L}\\p{N}])`
const AFTER = `(?<number>${NUMBER})(?:(?:[-–]| to )${NUMBER})?(?<by>${SCALE})?${UNIT}`
const prefixGroups = (pattern: string, prefix: string): string => pattern.replace(/\(\?<(\w+)>/gu, `(?<${prefix}$1>`)
const SPELLED = `(?<number>${WORDED})(?<by>(?: ${LONG_SCALE}){0,2})${UNIT}`

/** An amount after a sign or code, or one in figures or words before a unit. */
const SUM = new RegExp(`(?:${BEFORE}|${prefixGroups(AFTER, 'a_')}|${prefixGroups(SPELLED, 's_')})`, 'gu')
/** A sum does not begin inside a word or a number. */
const NOT_BEFORE = /[\p{L}\p{N}$€£.,]$/u

/** Sums of money in `text.slice(start, end)`, with offsets in `text`. Runs in linear time. */
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
  const [prefix, number] = figures === undefined ? ['s_', spelled(groups['s_number'] ?? '')] : ['a_', figure(figures)]
  const [unit = '', factor] = [groups[`${prefix}unit`], scaleOf(groups[`${prefix}by`])]
  const large = LARGE_UNITS.get(unit)
  if (large !== undefined) return factor < MIN_LARGE_FACTOR ? null : money(large, number * factor)
  const whole = HUNDREDTHS.get(unit)
  return whole === undefined ? money(UNITS.get(unit) ?? unit, number * factor) : money(whole, (number * factor) / 100)
}

/** Smallest multiplier with which a word of `LARGE_UNITS` counts as money. */
const MIN_LARGE_FACTOR = 1e5

/** Larger numbers are not treated as amounts. */
const LARGEST = 1e16

/** Rounds to hundredths, so that 4.1 million is not 4099999.9999999995. */
const money = (currency: string, amount: number): EntityMoney | null =>
  amount < LARGEST ? { amount: Math.round(amount * 100) / 100, currency } : null

/** Also parses continental notation: a decimal comma (`20,50`) and dots between thousands (`1.200.000`). */
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

/** The factor of a scale such as `-million`, `bn` or ` hundred thousand`; 1 without a scale. */
function scaleOf(text = ''): number {
  const words = text.trim().replace(/^-/u, '').toLowerCase()
  return SCALES.get(words) ?? words.split(' ').reduce((product, word) => product * (SCALES.get(word) ?? 1), 1)
}
