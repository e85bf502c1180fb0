import type { Genre } from '../../events/articles.ts'
import { wordList, patternsByName, patternIn } from '../model-files.ts'

/** The parts of an article from which its genre is determined. */
export interface GenreText {
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  /** Without a leading copy of the title. */
  readonly body: string
  /** ISO 639-1, or `und`. */
  readonly language: string
}

/** Named cues: true or 0 to 1. */
export type Cues = Readonly<Record<string, boolean | number>>

/** Section names in a URL path or a source name, in several languages. */
const OPINION = wordList('genre/opinion')
const ANALYSIS = wordList('genre/analysis')
const BLOG = new Set('blog blogs corner tipsheet notebook'.split(' '))
const LIVE = /(?:^|\/)live(?:\/|-)|live-?(?:blog|coverage|updates?|ticker)|-live(?:\/|$)|as-it-happened|en-direct/u
const EXPLAINED =
  /fact-?check|explain|things-to-know|what-to-know|what-we-know|-know-about|-quiz|guide|timeline|q-and-a|what-is-|who-is-|faktencheck|-faq/u
const REACTION = /react|media|press|critics|pundits/u
/** Maximum number of characters of a URL that are examined. */
const ADDRESS_CHARACTERS = 400

/** Cues from the URL, and from the source if it names the author. */
export function addressCues({ url, source, author }: GenreText): Cues {
  const path = pathOf(url)
  const sections = wordsOf(path.slice(0, Math.max(0, path.replace(/\/+$/u, '').lastIndexOf('/'))))
  const signed = (source ?? '').trim().toLowerCase()
  return {
    section_opinion: has(sections, OPINION) || path.includes('op-ed') || has(wordsOf(signed), OPINION),
    section_analysis: has(sections, ANALYSIS) || /(?:^|[-/])(?:news-)?analysis(?:[-/.]|$)/u.test(path),
    section_blog: has(sections, BLOG),
    address_live: LIVE.test(path),
    address_explained: EXPLAINED.test(path),
    address_reaction: REACTION.test(path),
    signed_by_person: signed !== '' && namesOf(author).some((name) => name === signed || signed.startsWith('guest ')),
  }
}

/** The path of a URL in lower case, without host and query; empty if it is not a URL. */
function pathOf(url: string | null): string {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/iu.exec((url ?? '').slice(0, ADDRESS_CHARACTERS))?.[1] ?? ''
  return path.toLowerCase()
}

/** The host and the path sections of a URL, without the last segment; empty if it is not a URL. */
export const addressOf = (url: string | null): string =>
  /^[a-z]+:\/\/(?:www\.)?([^/?#]*(?:\/[^/?#]+(?=\/[^/?#]))*)/iu.exec((url ?? '').slice(0, ADDRESS_CHARACTERS))?.[1] ??
  ''

const wordsOf = (text: string): readonly string[] => text.split(/[^\p{L}]+/u)

const has = (words: readonly string[], known: ReadonlySet<string>): boolean => words.some((word) => known.has(word))

const namesOf = (author: string | null): readonly string[] =>
  (author ?? '').split(',').map((name) => name.trim().toLowerCase())

/** Labels and forms of a headline in lower case with straight apostrophes. */
const FORMS = patternsByName('headline-forms')
/** A label of one or two words before the headline itself, such as "Opinion:". */
const LABEL = /^[\p{L}\- ]{1,24}: /u
const QUOTED = /(?<!\p{L})["'][^"']{3,}["'](?!\p{L})/gu
const SHORT_WORDS = 6
/** Maximum number of characters of a headline that are examined. */
const HEADLINE_CHARACTERS = 300

/** Cues from the form of a headline. */
export function headlineCues(title: string | null): Cues {
  const headline = (title ?? '').slice(0, HEADLINE_CHARACTERS).trim().replace(/[‘’]/gu, "'").replace(/[“”]/gu, '"')
  const lower = headline.toLowerCase()
  const bare = lower.replace(LABEL, '')
  const forms = FORMS.map(([name, form]): [string, boolean] => [
    name,
    form.test(lower) || (name.startsWith('form_') && form.test(bare)),
  ])
  const unquoted = headline.replace(QUOTED, '').replace(/\bUS\b/gu, '')
  return {
    ...Object.fromEntries(forms),
    says_i_we_you: /\b(?:i|we|us|our|my|me|you|your|let's)\b/iu.test(unquoted),
    quotes: /["'][^"']{8,}["']/u.test(headline),
    is_short: headline !== '' && headline.split(/\s+/u).length <= SHORT_WORDS,
  }
}

/** Titles of recurring columns, at the start of a headline or as its label. */
const ROUNDUP = patternIn('genre/roundup')
const PRESS_DIGEST =
  /\b(?:what the papers say|press review|newspaper headlines|front pages|editorials? from around|twitter (?:reacts|erupts|responds)|the internet reacts|presseschau|revue de presse)\b/u

/** The genre that the URL or headline states explicitly; `null` if there is none. */
export function namedGenre(title: string | null, cues: Cues): Genre | null {
  if (cues['address_live'] === true || cues['label_live'] === true) return 'live_blog'
  const headline = (title ?? '').trim().toLowerCase().replace(/[‘’]/gu, "'")
  if (PRESS_DIGEST.test(headline)) return 'press_digest'
  return ROUNDUP.test(headline) ? 'roundup' : null
}

/**
 * Counts the matches of a pattern in a text and its lower case. A pattern that ignores case is run on the lower case,
 * which is twice as fast as a pattern with the flag `i`.
 */
type CueCounter = (text: string, lower: string) => number

function counterOf(pattern: RegExp): CueCounter {
  const { source, flags } = pattern
  if (!flags.includes('i')) return (text) => count(text, pattern)
  const bare = new RegExp(source, flags.replace('i', ''))
  return (_, lower) => count(lower, bare)
}

/** Kinds of words, counted in the text outside quotations. */
const WORDS = patternsByName('text-cues').map(([name, pattern]) => ({ name, counted: counterOf(pattern) }))

/** Number of occurrences per 10,000 words at which a rate reaches 1. */
const SCALES: Readonly<Record<string, number>> = {
  i: 100,
  we: 167,
  you: 125,
  says: 250,
  weekday: 125,
  argues: 200,
  demands: 167,
  explains: 833,
  experts: 167,
  clock: 167,
  posts: 167,
  facts: 250,
  questions: 167,
  exclaims: 67,
}

/** Maximum number of characters of a text that are examined; only live pages and transcripts are longer. */
const TEXT_CHARACTERS = 30_000
const LEAD_CHARACTERS = 700
const LONG_CHARACTERS = 15_000
const SHORT_CHARACTERS = 2_600
/** Minimum number of words for a rate. */
const MIN_WORDS = 30
export const QUOTATION = /“[^”\n]{0,1200}(?:[”\n]|$)|"[^"\n]{0,1200}(?:["\n]|$)/gu
const LEAD_WHEN = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:today|yesterday|this morning|earlier this)\b/u
/** Verbs by their tense, for text in lower case. */
const [PRESENT, PAST] = [patternIn('genre/present'), patternIn('genre/past')]
const CLOCK_LINE = /^\W{0,3}(?:updated )?\d{1,2}[:.]\d\d ?(?:[ap]\.?m|et|edt|est|bst|gmt)?\b/iu
const HEADING_WORDS = 9
const QUESTION_WORDS = 16
const PARAGRAPH_CHARACTERS = 800
const SENTENCE_WORDS = 40

/** Cues from the wording and form of a text. `body` is English, without a leading copy of the title. */
export function textCues(body: string): Cues {
  const text = body.slice(0, TEXT_CHARACTERS).replace(/[‘’]/gu, "'")
  const own = text.replace(QUOTATION, ' ')
  const words = Math.max(MIN_WORDS, own.split(/\s+/u).length)
  const lead = text.slice(0, LEAD_CHARACTERS).replace(QUOTATION, ' ')
  const [lowerOwn, lowerLead] = [own.toLowerCase(), lead.toLowerCase()]
  const rates = WORDS.map(({ name, counted }): [string, number] => [
    `text_${name}`,
    Math.min(1, Math.sqrt((counted(own, lowerOwn) / words) * (10_000 / (SCALES[name] ?? 1)))),
  ])
  return {
    ...Object.fromEntries(rates),
    ...formOf(text.split(/\n+/u).filter((paragraph) => paragraph.trim() !== '')),
    lead_says_when: LEAD_WHEN.test(lead),
    lead_present: share(count(lowerLead, PRESENT), count(lowerLead, PAST)),
    text_present: share(count(lowerOwn, PRESENT), count(lowerOwn, PAST)),
    text_quoted: Math.min(1, (1.6 * (text.length - own.length)) / Math.max(1, text.length)),
    sentence_length: Math.min(1, words / Math.max(1, count(own, /[.!?]/gu)) / SENTENCE_WORDS),
    text_length: Math.min(1, body.length / LONG_CHARACTERS),
    text_short: body.length < SHORT_CHARACTERS,
  }
}

function formOf(paragraphs: readonly string[]): Cues {
  const n = Math.max(1, paragraphs.length)
  const countOf = (matches: (paragraph: string) => boolean): number => paragraphs.filter(matches).length
  const wordsIn = (paragraph: string): number => paragraph.split(/\s+/u).length
  return {
    clock_lines: Math.min(1, countOf((one) => CLOCK_LINE.test(one)) / 6),
    headings: Math.min(1, (2 * countOf((one) => wordsIn(one) <= HEADING_WORDS && !/[.!?”"']$/u.test(one.trim()))) / n),
    numbered: Math.min(1, countOf((one) => /^\W{0,3}\d{1,2}[.):] ?\p{Lu}/u.test(one)) / 4),
    questions: Math.min(1, countOf((one) => one.trim().endsWith('?') && wordsIn(one) < QUESTION_WORDS) / 3),
    paragraph_length: Math.min(1, paragraphs.join('').length / n / PARAGRAPH_CHARACTERS),
  }
}

const count = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0

const share = (some: number, others: number): number => some / Math.max(1, some + others)
