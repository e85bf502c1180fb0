/** A stretch of text, character offsets, end exclusive. */
export interface Amount {
  readonly type: 'DATE' | 'MONEY'
  readonly start: number
  readonly end: number
}

const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan\\.|Feb\\.|Aug\\.|Sept?\\.|Oct\\.|Nov\\.|Dec\\.)'
const DAY = '(?:3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?'
const YEAR = '(?:1[5-9]|20)\\d\\d'
const WEEKDAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const NUMBER = '\\d{1,3}(?:,\\d{3}){1,5}(?:\\.\\d{1,4})?|\\d{1,15}(?:\\.\\d{1,4})?'
const SCALE = '(?:hundred|thousand|million|billion|trillion|bn|mn|m|b|k)'
const UNIT =
  '(?:(?:US |Canadian |Australian |Hong Kong )?dollars?|euros?|pounds(?: sterling)?|yen|yuan|rupees|rubles|roubles|pesos|francs|cents|won|rand|riyals?|naira|shillings)'

/** Repeats are bounded everywhere, so each is linear. "May" and "March" alone are no dates; a weekday is. */
const DATE = new RegExp(
  [
    `(?:${WEEKDAY}, )?${MONTH} ${DAY}(?:, ${YEAR})?`,
    `(?:${WEEKDAY}, )?${DAY} ${MONTH}(?:,? ${YEAR})?`,
    `${MONTH},? (?:of )?${YEAR}`,
    `${YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])`,
    `(?:in|since|by|until|before|after|from) (?<year>${YEAR})(?![\\d%,.]\\d)`,
    WEEKDAY,
  ]
    .map((each) => `(?<![\\p{L}\\p{N}])(?:${each})(?![\\p{L}\\p{N}])`)
    .join('|'),
  'gu',
)
const MONEY = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:US|A|C|HK|NZ|S)?[$€£¥₹₦₽] ?|(?:USD|EUR|GBP|Rs\\.?) )(?:${NUMBER})(?:[ -]${SCALE}|${SCALE})?(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}.,])(?:${NUMBER})(?:[ -]${SCALE})? ${UNIT}(?!\\p{L})`,
  'gu',
)

/** Dates and sums of money in `text.slice(start, end)`, by rule. */
export function amounts(text: string, start: number, end: number): Amount[] {
  const sentence = text.slice(start, end)
  const dates = [...sentence.matchAll(DATE)].map((match): Amount => {
    const year = match.groups?.['year']
    const from = start + match.index + (year === undefined ? 0 : match[0].length - year.length)
    return { type: 'DATE', start: from, end: start + match.index + match[0].length }
  })
  const sums = [...sentence.matchAll(MONEY)].map((match): Amount => {
    const from = start + match.index
    return { type: 'MONEY', start: from, end: from + match[0].length }
  })
  return [...dates, ...sums]
}
