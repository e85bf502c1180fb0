import type { ApiSchemas } from './schemas.ts'

const numbers = new Intl.NumberFormat('en')
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const regions = new Intl.DisplayNames(['en'], { type: 'region' })
const languages = new Intl.DisplayNames(['en'], { type: 'language' })

/** The title of a story or an article. */
export const titled = (title: string | null): string => (title === null || title === '' ? 'Untitled' : title)

/** `1,234`. */
export const count = (value: number): string => numbers.format(value)

/** `1 article`, `1,234 articles`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** A share from 0 to 1 as `84 %`. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** At most two decimals: `2.56`, `-5.49`, `12`. */
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

/** Seconds in the largest unit that fits: `45 min`, `3 h`, `2 days`; `null` below a minute. */
function duration(seconds: number, round: (value: number) => number): string | null {
  const step = STEPS.findLast((one) => seconds >= one.seconds)
  if (step === undefined) return null
  const value = round(seconds / step.seconds)
  return `${value} ${step.unit === 'days' && value === 1 ? 'day' : step.unit}`
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`; the date if it is more than a month ago. `now` in milliseconds. */
export function ago(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1_000
  if (seconds >= A_MONTH_S) return dayOf(iso)
  const text = duration(seconds, Math.floor)
  return text === null ? 'just now' : `${text} ago`
}

/** The time between two moments: `less than a minute`, `45 min`, `3 h`, `2 days`. */
export const lasted = (from: string, until: string): string =>
  duration((Date.parse(until) - Date.parse(from)) / 1_000, Math.round) ?? 'less than a minute'

/** The English name of a country by its ISO 3166-1 code, or the code if it has none. */
export const country = (code: string): string => displayName(regions, code)

/** The English name of a language, by its ISO 639-1 code. */
export const languageName = (code: string): string => displayName(languages, code)

function displayName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

/** A sentiment from -1 to +1 as a label, with the thresholds of the service. */
export const feeling = (score: number): 'positive' | 'neutral' | 'negative' =>
  score >= 0.15 ? 'positive' : score <= -0.15 ? 'negative' : 'neutral'

/** The host of a URL without `www.`; other text is returned unchanged. */
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
  MONEY: 'Amount',
}

export const entityType = (type: string): string => ENTITY_TYPES[type] ?? type

/** The URL if its scheme is http or https: anything else is unsafe as a link. */
export const safeAddress = (url: string | null): string | undefined =>
  url !== null && /^https?:\/\//i.test(url) ? url : undefined

/** Lower bounds of the labels for the likelihood that an article stays in its story. */
const LIKELIHOODS = [
  [0.95, 'very likely to stay'],
  [0.75, 'likely to stay'],
  [0.5, 'may move'],
] as const

/** A confidence from 0 to 1 as a label and a percentage. Only exactly 1 is shown as 100 %. */
export function stays(confidence: number): string {
  const [, label] = LIKELIHOODS.find(([from]) => confidence >= from) ?? [0, 'likely to move']
  return `${label} (${confidence === 1 ? 100 : Math.min(99, Math.round(confidence * 100))} %)`
}

type Trend = Pick<ApiSchemas['StoryTrend'], 'velocity' | 'baseline' | 'days_of_history'>

/** `2.5 ×`, or `new` if there is no baseline. */
export const pace = ({ velocity, days_of_history }: Omit<Trend, 'baseline'>): string =>
  days_of_history === 0 ? 'new' : `${velocity < 10 ? decimal(velocity) : count(Math.round(velocity))} ×`

/** `usually 1.25 a day`, or `not seen before` if there is no baseline. */
export const usually = ({ baseline, days_of_history }: Omit<Trend, 'velocity'>, unit = ''): string =>
  days_of_history === 0 ? 'not seen before' : `usually ${decimal(baseline)}${unit}`

/**
 * The headlines of the articles that moved (ids for those without one), and the number of the others. A headline from
 * right to left does not turn the sentence around it (U+2068 and U+2069 isolate it).
 */
export function movedArticles({
  articles,
  moved = [],
}: Pick<ApiSchemas['ClusterDetail']['history'][number], 'articles' | 'moved'>): string {
  if (moved.length === 0) return counted(articles, 'article')
  const names = moved.map(({ article_id, title }) => `“\u2068${title ?? article_id}\u2069”`).join(', ')
  const more = articles - moved.length
  return more > 0 ? `${names} and ${more} more` : names
}
