import { createHash } from 'node:crypto'
import { phraseList, patternsIn, wordList } from './model-files.ts'

const SPACE_OR_MARK = /[^\p{L}\p{N}\p{M}]+/gu

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(SPACE_OR_MARK, ' ').trim()

/**
 * The text without a leading copy of its title, which many feeds put there: a first line of the same words, or the same
 * characters in any case. Empty when the text is nothing else.
 */
export function bodyOf(title: string | null, text: string): string {
  const whole = text.trim()
  const head = title?.trim() ?? ''
  return head === '' ? whole : (withoutLine(head, whole) ?? withoutPrefix(head, whole) ?? whole)
}

function withoutLine(title: string, text: string): string | null {
  const line = text.indexOf('\n')
  if (line < 0 || line > 2 * title.length + 20 || folded(text.slice(0, line)) !== folded(title)) return null
  return text.slice(line).trimStart()
}

function withoutPrefix(title: string, text: string): string | null {
  if (text.slice(0, title.length).toLowerCase() !== title.toLowerCase()) return null
  const rest = text.slice(title.length)
  const goesOn = /^[\p{L}\p{N}]|^\s*\p{Ll}/u.test(rest) // "Rain" is no copy in "Rainfall was heavy", nor in "Rain fell"
  return goesOn ? null : rest.trim()
}

const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/u
const ENDED = /[.!?…:;。！？।؟]["”'’»)\]]*$/u
/** A capital, a digit or a mark may begin a paragraph as well as go on with one. */
const GOES_ON = /^[\p{Ll}\p{Lo}]/u

/**
 * The paragraphs of a text: its lines, as newspapers write. In a text that was wrapped to a width, as mail and wires do,
 * most lines end within a sentence: there a line goes on with the one before it, up to a blank line or a sentence's end.
 */
function paragraphsOf(text: string): string[] {
  const lines = text.split(LINE_BREAK).map((line) => line.trim())
  return isWrapped(lines) ? unwrapped(lines) : lines.filter((line) => line !== '')
}

function isWrapped(lines: readonly string[]): boolean {
  let [breaks, inside] = [0, 0]
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? ''
    if (line === '' || before === '') continue
    breaks++
    if (GOES_ON.test(line) && !ENDED.test(before)) inside++
  }
  return 2 * inside > breaks
}

function unwrapped(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? ''
    const isNew = before === '' || (ENDED.test(before) && !GOES_ON.test(line))
    if (line === '') continue
    if (isNew) paragraphs.push(line)
    else paragraphs.push(`${paragraphs.pop() ?? ''} ${line}`)
  }
  return paragraphs
}

const oneOf = (alternatives: Iterable<string>): string => [...alternatives].join('|')

const NAMES = oneOf(phraseList('furniture/agencies'))
const AGENCY = `(?:${NAMES}|REUTERS|BLOOMBERG|XINHUA|KYODO|YONHAP|FOX NEWS|ASSOCIATED PRESS)`
const DASH = '(?:--+|[-–—])'
const DATE = '(?:,\\s+(?:\\p{Lu}[\\p{L}.]{2,9}\\s+\\d{1,2}|\\d{1,2}\\s+\\p{Lu}[\\p{L}.]{2,9})(?:,?\\s+\\d{4})?)?'
const PLACES = "\\p{Lu}[\\p{L}\\p{N}.,'’/ -]{0,80}"
const UPPER_PLACE = "\\p{Lu}[\\p{Lu}.'’/ -]{2,40}(?:,\\s+\\p{Lu}[\\p{L}.' ]{1,25})?"
const NAMED_PLACE = '\\p{Lu}\\p{L}+(?:[ -]\\p{Lu}\\p{L}+){0,3}(?:,\\s+\\p{Lu}[\\p{L}.]+)?'
const SENTENCE = '(?=["“‘\']?\\p{Lu})'

/** What agencies put before the first sentence: `WASHINGTON (AP) — `, `LONDON, May 3 (Reuters) - `, `(CNN) `, `PARIS — `. */
const DATELINES = [
  new RegExp(`^[([]${AGENCY}(?:[\\s/]+\\w+)?[)\\]]\\s*(?:${DASH}|_|:)?\\s*`, 'u'),
  new RegExp(
    `^${PLACES}[([]${AGENCY}(?:[\\s/]+\\w+)?[)\\]]\\s*(?:(?:${DASH}|_|:)\\s*|(?=["“‘']?[\\p{Lu}\\p{Nd}]))`,
    'u',
  ),
  new RegExp(`^(?:${PLACES})?[/|]\\s*${AGENCY}(?:[- ]\\p{Lu}+)?\\s*[/|]?\\.?\\s*${DASH}{0,2}\\s*${SENTENCE}`, 'u'),
  new RegExp(`^${UPPER_PLACE}${DATE}\\s*(?:\\s${DASH}|—|--|:|\\s_)\\s+`, 'u'),
  new RegExp(`^${NAMED_PLACE}${DATE}\\s*(?:—|--|\\s–)\\s*${SENTENCE}`, 'u'),
  new RegExp(`^${AGENCY}\\s*(?:\\s${DASH}|—|--|:)\\s*`, 'u'),
]

/** Ends like a sentence, or announces one. */
const STOP = '[.!?…:;。！？।؟]["”\'’»)\\]]*$'

/** Names and what stands between them, to the end: in a credit there is nothing else. */
const CREDITED = `(?:(?:["“]?[\\p{Lu}\\p{N}@](?:[^\\s,;]|[,;](?=\\S))*|${oneOf(wordList('furniture/words-of-credits'))})[,;]?(?:\\s+|$))+$`

/** What times and dates are written in, with a number somewhere. */
const MOMENT = `(?:${oneOf(wordList('furniture/words-of-moments'))})`

/** Whole paragraphs before the first sentence that say who wrote, photographed or last changed it. */
const HEADS = [
  ...patternsIn('furniture/heads'),
  new RegExp(`^(?:By|BY|by):?\\s+\\p{Lu}(?:\\p{Lu}\\.|[^.!?]){1,100}(?<!${STOP})$`, 'u'),
  new RegExp(
    `^(?:first |last )?(?:written|reported|posted|published|updated)\\s*(?:by\\b|:)[^.!?]{0,80}(?<!${STOP})$`,
    'iu',
  ),
  new RegExp(`^(?:${AGENCY}|\\(${AGENCY}\\))(?![\\p{L}\\p{N}])[^.!?]{0,30}(?<!${STOP})$`, 'u'),
  new RegExp(
    `^(?=.{0,80}\\p{Nd})(?=.{1,110}$)(?:[\\s.,:/|()·•–—-]*${MOMENT}(?![\\p{L}\\p{N}]))+[\\s.,:/|()·•–—-]*$`,
    'iu',
  ),
  new RegExp(
    `^(?:source|via|from|image credit|photo credit|credit|exclusive|updated?|breaking|watch|live|analysis)\\s*:\\s.{0,60}(?<!${STOP})$`,
    'iu',
  ),
]

/** Whole paragraphs after the last sentence. */
const FOOTS = [
  ...patternsIn('furniture/foots'),
  new RegExp(
    `^(?:[Aa]dditional )?(?:[Rr]eporting|REPORTING|[Ww]riting|[Ee]diting|[Cc]ompiled|[Ee]dited|[Cc]ontributing)(?:\\s*:|\\s+[Bb][Yy]\\s+${CREDITED})`,
    'u',
  ),
]

/** Whole paragraphs after the last sentence too, that hold nothing but a credit and names. */
const CREDITS = [
  new RegExp(
    `^[-–—(]*\\s*(?:[Ww]ith (?:assistance|(?:additional )?reporting|files) (?:from|by)|[Oo]riginally published (?:at|by|on|in)|[Dd]istributed by|[Vv]ia|(?:Associated Press|Reuters|AP) (?:[Ww]riters?|[Rr]eporters?|[Cc]orrespondents?))\\s+${CREDITED}`,
    'u',
  ),
  new RegExp(`^(?=.{0,200}\\bcontributed\\.?$)${CREDITED.slice(0, -1)}contributed\\.?$`, 'u'),
]

/** A line of a few words that ends like no sentence: a headline, a name, a place, a time, a caption. */
const LINE = /^(?=.{1,80}$)\S+(?:\s+\S+){0,9}(?<![.!?…:;,"”'’»)\]。！？।؟])$/u

const matchesOne = (rules: readonly RegExp[], paragraph: string): boolean =>
  paragraph.length <= 700 && rules.some((rule) => rule.test(paragraph))

/**
 * The paragraphs an author wrote: bylines, datelines, agency prefixes and footers are gone, which are what changes when
 * one newsroom prints another's text. A text of nothing else is given back whole.
 */
export function withoutFurniture(text: string): string[] {
  const paragraphs = paragraphsOf(text)
  const last = paragraphs.findLastIndex((paragraph) => !isFoot(paragraph))
  for (const [first, paragraph] of paragraphs.entries()) {
    const opening = withoutDateline(paragraph)
    if (first <= last && !isHead(opening)) return [opening, ...paragraphs.slice(first + 1, last + 1)]
  }
  return paragraphs
}

const isFoot = (paragraph: string): boolean =>
  LINE.test(paragraph) || matchesOne(FOOTS, paragraph) || matchesOne(CREDITS, paragraph)

const isHead = (paragraph: string): boolean => LINE.test(paragraph) || matchesOne(HEADS, paragraph)

/** Whether a paragraph is a byline, a credit, a notice or a headline, and no part of the article itself. */
export const isFurniture = (paragraph: string): boolean => isHead(paragraph) || isFoot(paragraph)

/** Without the dateline it begins with. Some texts carry more than one: the agency's own behind that of the paper. */
export function withoutDateline(paragraph: string): string {
  let rest = paragraph
  for (let i = 0; i < 3; i++) {
    const shorter = withoutOne(rest)
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

function withoutOne(paragraph: string): string {
  for (const dateline of DATELINES) {
    const rest = paragraph.replace(dateline, '')
    if (rest !== paragraph && rest !== '') return rest
  }
  return paragraph
}

/** Inside a word an apostrophe joins, so that `don't`, `don’t` and `dont` are one word. */
const APOSTROPHES = /['’‘ʼ`´]/g
/** But single blanks, which stay what they are. */
const ASCII_BETWEEN_WORDS = /[^a-z0-9 \u0080-\uffff]+/g
const BEYOND_ASCII = /[\u0080-\uffff]+/g
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * The body's words, one space between two: furniture stripped; case, quotes, punctuation and white space folded. Empty
 * where the text has not a single word.
 */
export function foldedBody(text: string): string {
  const body = withoutFurniture(text).join(' ').normalize('NFKC').toLowerCase().replace(APOSTROPHES, '')
  return body
    .replace(ASCII_BETWEEN_WORDS, ' ') // nearly all there is; the classes of Unicode cost ten times as much
    .replace(BEYOND_ASCII, (run) => run.replace(NOT_A_WORD, ' '))
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** 16 hex digits of SHA-256 over the folded body. Equal for re-prints. A text without a single word is hashed as it stands. */
export const semanticHash = (text: string): string => hashOf(foldedBody(text) || text)

/** The same for a body that is folded already. */
export const hashOf = (folded: string): string => createHash('sha256').update(folded, 'utf8').digest('hex').slice(0, 16)
