const numbers = new Intl.NumberFormat('en')
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
})
const regions = new Intl.DisplayNames(['en'], { type: 'region' })

/** `1,234`. */
export const count = (value: number): string => numbers.format(value)

/** `1 article`, `1,234 articles`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** A share of 1 as `84 %`. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** With at most two decimals: `2.56`, `-5.49`, `12`. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100).replace('-', '−')

/** `16 Dec 2018`. */
export const dayOf = (iso: string): string => day.format(new Date(iso))

/** `16 Dec 2018`, or `14 Dec 2018 to 16 Dec 2018`: the UTC days from one moment to another. */
export const daysOf = (from: string, until: string): string =>
  dayOf(from) === dayOf(until) ? dayOf(from) : `${dayOf(from)} to ${dayOf(until)}`

/** `16 Dec 2018, 08:05 UTC`. */
export const momentOf = (iso: string): string => `${moment.format(new Date(iso))} UTC`

const STEPS = [
  { unit: 'min', seconds: 60 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'days', seconds: 86_400 },
] as const
const A_MONTH_S = 30 * 86_400

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`; the date where that is longer than a month. `now` in milliseconds. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1_000)
  if (seconds >= A_MONTH_S) return dayOf(iso)
  const step = STEPS.findLast((one) => seconds >= one.seconds)
  if (step === undefined) return 'just now'
  const many = Math.floor(seconds / step.seconds)
  return `${many} ${step.unit === 'days' && many === 1 ? 'day' : step.unit} ago`
}

/** How long something lasted: `less than a minute`, `45 min`, `3 h`, `2 days`. */
export function lasted(from: string, until: string): string {
  const seconds = Math.max(0, (Date.parse(until) - Date.parse(from)) / 1_000)
  const step = STEPS.findLast((one) => seconds >= one.seconds)
  if (step === undefined) return 'less than a minute'
  const many = Math.round(seconds / step.seconds)
  return `${many} ${step.unit === 'days' && many === 1 ? 'day' : step.unit}`
}

/** The English name of a country by its ISO 3166-1 code, or the code where there is none. */
export function country(code: string): string {
  try {
    return regions.of(code) ?? code
  } catch {
    return code
  }
}

/** From -1 to +1 in a word, with the limits that the service uses. */
export const feeling = (score: number): 'positive' | 'neutral' | 'negative' =>
  score >= 0.15 ? 'positive' : score <= -0.15 ? 'negative' : 'neutral'

/** `nytimes.com` of an address; what is no address stays as it is. */
export function hostOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, '')
  } catch {
    return url
  }
}

const ENTITY_TYPES: Readonly<Record<string, string>> = {
  PERSON: 'Person',
  ORG: 'Organisation',
  GPE: 'Place',
  LOC: 'Region',
  EVENT: 'Event',
  DATE: 'Date',
  MONEY: 'Sum',
}

export const entityType = (type: string): string => ENTITY_TYPES[type] ?? type

/** Only what a browser may follow without harm. */
export const safeAddress = (url: string | null): string | undefined =>
  url !== null && /^https?:\/\//i.test(url) ? url : undefined
