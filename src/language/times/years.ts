import { type Period, yearPeriod, years } from './calendar.ts'
import type { Match, Rule } from './rule.ts'
import { YEAR } from './vocabulary.ts'

/** Before a number that is no year: `Room 2016`, `H.R. 1954`, `$2000`. */
const NO_YEAR_BEFORE =
  /[\d$€£¥#@_+.,:/&=–—-]$|\b(?:Room|Windows|Office|Route|Highway|No\.|Nos\.|Bill|Resolution|Flight|H\.R\.|S\.|page|p\.|Section|Article|Expo|Model|Agenda|Vision|about|than|least|nearly|some|only|every|another) $/u
/** After a number that counts: `2000 people`, `1999 miles`. */
const NO_YEAR_AFTER =
  /^(?:[%\d$€£+@_°/&=]|[.,:-]\d|-[a-z]| ?percent| (?:people|years|dollars|euros|pounds|men|women|children|troops|soldiers|jobs|votes|miles|feet|meters|metres|kilometers|kilometres|km|acres|homes|pages|times|hours|minutes|words|calories|points|members|delegates|employees|workers|students|deaths|cases|others|more|additional|BC|B\.C\.)\b)/u
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
