import { patternsByName } from '../model-files.ts'
import type { Cues } from './address-cues.ts'

/** Words of a kind, counted in the text outside quotations. */
const WORDS = patternsByName('text-cues')

/** So many occurrences in 10,000 words are a full 1. */
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

/** Enough for the form of any text; the longest are live pages and transcripts. */
const MAX_CHARACTERS = 30_000
const LEAD_CHARACTERS = 700
const LONG_CHARACTERS = 15_000
const SHORT_CHARACTERS = 2_600
/** Fewer words make no rate. */
const MIN_WORDS = 30
export const QUOTATION = /“[^”\n]{0,1200}(?:[”\n]|$)|"[^"\n]{0,1200}(?:["\n]|$)/gu
const LEAD_WHEN = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:today|yesterday|this morning|earlier this)\b/u
const PRESENT = /\b(?:is|are|has|have|does|do|isn't|aren't)\b/giu
const PAST = /\b(?:was|were|had|did|said|told|\w{3,30}ed)\b/giu
const CLOCK_LINE = /^\W{0,3}(?:updated )?\d{1,2}[:.]\d\d ?(?:[ap]\.?m|et|edt|est|bst|gmt)?\b/iu
const HEADING_WORDS = 9
const QUESTION_WORDS = 16
const PARAGRAPH_CHARACTERS = 800
const SENTENCE_WORDS = 40

/** What the wording and the form of a text say; `body` in English, without a leading copy of the title. */
export function textCues(body: string): Cues {
  const text = body.slice(0, MAX_CHARACTERS).replace(/[‘’]/gu, "'")
  const own = text.replace(QUOTATION, ' ')
  const words = Math.max(MIN_WORDS, own.split(/\s+/u).length)
  const lead = text.slice(0, LEAD_CHARACTERS).replace(QUOTATION, ' ')
  const rates = WORDS.map(([name, kind]): [string, number] => [
    `text_${name}`,
    Math.min(1, Math.sqrt((count(own, kind) / words) * (10_000 / (SCALES[name] ?? 1)))),
  ])
  return {
    ...Object.fromEntries(rates),
    ...formOf(text.split(/\n+/u).filter((paragraph) => paragraph.trim() !== '')),
    lead_says_when: LEAD_WHEN.test(lead),
    lead_present: share(count(lead, PRESENT), count(lead, PAST)),
    text_present: share(count(own, PRESENT), count(own, PAST)),
    text_quoted: Math.min(1, (1.6 * (text.length - own.length)) / Math.max(1, text.length)),
    sentence_length: Math.min(1, words / Math.max(1, count(own, /[.!?]/gu)) / SENTENCE_WORDS),
    text_length: Math.min(1, body.length / LONG_CHARACTERS),
    text_short: body.length < SHORT_CHARACTERS,
  }
}

function formOf(paragraphs: readonly string[]): Cues {
  const n = Math.max(1, paragraphs.length)
  const of = (holds: (paragraph: string) => boolean): number => paragraphs.filter(holds).length
  const wordsIn = (paragraph: string): number => paragraph.split(/\s+/u).length
  return {
    clock_lines: Math.min(1, of((one) => CLOCK_LINE.test(one)) / 6),
    headings: Math.min(1, (2 * of((one) => wordsIn(one) <= HEADING_WORDS && !/[.!?”"']$/u.test(one.trim()))) / n),
    numbered: Math.min(1, of((one) => /^\W{0,3}\d{1,2}[.):] ?\p{Lu}/u.test(one)) / 4),
    questions: Math.min(1, of((one) => one.trim().endsWith('?') && wordsIn(one) < QUESTION_WORDS) / 3),
    paragraph_length: Math.min(1, paragraphs.join('').length / n / PARAGRAPH_CHARACTERS),
  }
}

const count = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0

const share = (some: number, others: number): number => some / Math.max(1, some + others)
