import { patternIn } from '../model-files.ts'
import { type Period, yearPeriod, years } from './calendar.ts'
import type { Match, Rule } from './rule.ts'
import { YEAR } from './vocabulary.ts'

/** Before a number that is no year: `Room 2016`, `H.R. 1954`, `$2000`. */
const NO_YEAR_BEFORE = patternIn('times/no-year-before')
/** After a number that counts: `2000 people`, `1999 miles`. */
const NO_YEAR_AFTER = patternIn('times/no-year-after')
/** Before 1900 only after one of these. */
const DATES = /\b(?:in|since|by|until|before|after|from|of|circa|year|early|late|mid|between|and) $/iu

/** `2016`, `1789` after a preposition, `2012-2016`, `2015-16`. */
const bareYear: Rule = {
  pattern: `(?<year>${YEAR})(?:[-–](?<to>${YEAR}|\\d\\d)(?![\\d-]))?`,
  resolve: (match) => {
    const year = Number(match.group('year'))
    if (!isYear(match, year)) return undefined
    return match.group('to') === '' ? yearPeriod(year) : span(year, match.group('to'))
  },
}

const isYear = ({ before, after }: Match, year: number): boolean =>
  !NO_YEAR_BEFORE.test(before) && !NO_YEAR_AFTER.test(after) && (year < 1900 || year > 2049 ? DATES.test(before) : true)

function span(year: number, to: string): Period | undefined {
  const last = to.length === 4 ? Number(to) : year - (year % 100) + Number(to)
  return last > year ? years(year, last) : undefined
}

export const YEARS: readonly Rule[] = [bareYear]
