import { createHash } from 'node:crypto'
import { phraseList, patternsIn, wordList } from './model-files.ts'

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(NOT_A_WORD, ' ').trim()

/**
 * The text without a leading copy of its title, which many feeds add: a first line with the same words, or a prefix
 * with the same characters in any case. Empty if the text has nothing else.
 */
export function bodyOf(title: string | null, text: string): string {
  const whole = text.trim()
  const head = title?.trim() ?? ''
  return head === '' ? whole : (withoutLine(head, whole) ?? withoutPrefix(head, whole) ?? whole)
}

function withoutLine(title: string, text: string): string | null {
  const end = text.indexOf('\n')
  if (end < 0 || end > 2 * title.length + 20 || folded(text.slice(0, end)) !== folded(title)) return null
  return text.slice(end).trimStart()
}

function withoutPrefix(title: string, text: string): string | null {
  if (text.slice(0, title.length).toLowerCase() !== title.toLowerCase()) return null
  const rest = text.slice(title.length)
  const continues = /^[\p{L}\p{N}]|^\s*\p{Ll}/u.test(rest) // "Rain" is not a title before "Rainfall was heavy" or "Rain fell"
  return continues ? null : rest.trim()
}

const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/u
const SENTENCE_END = /[.!?…:;。！？।؟]["”'’»)\]]*$/u
/** The start of a line that continues a paragraph. Capitals, digits and marks may either begin or continue one. */
const CONTINUATION = /^[\p{Ll}\p{Lo}]/u

/**
 * The paragraphs of a text. Usually each line is one. In hard-wrapped text, such as mail and wire copy, most lines end
 * within a sentence: there a paragraph goes up to a blank line or a line that ends a sentence.
 */
function paragraphsOf(text: string): string[] {
  const lines = text.split(LINE_BREAK).map((line) => line.trim())
  return isWrapped(lines) ? unwrapped(lines) : lines.filter((line) => line !== '')
}

function isWrapped(lines: readonly string[]): boolean {
  let [breaks, continued] = [0, 0]
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? ''
    if (line === '' || before === '') continue
    breaks++
    if (CONTINUATION.test(line) && !SENTENCE_END.test(before)) continued++
  }
  return 2 * continued > breaks
}

function unwrapped(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? ''
    const isNew = before === '' || (SENTENCE_END.test(before) && !CONTINUATION.test(line))
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

/**
 * Agency datelines before the first sentence: `WASHINGTON (AP) — `, `LONDON, May 3 (Reuters) - `, `(CNN) `, `PARIS — `.
 */
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

/** The end of a sentence or of an announcement. */
const STOP = '[.!?…:;。！？।؟]["”\'’»)\\]]*$'

/** Names and the words between them, to the end of the paragraph: a credit contains nothing else. */
const CREDITED = `(?:(?:["“]?[\\p{Lu}\\p{N}@](?:[^\\s,;]|[,;](?=\\S))*|${oneOf(wordList('furniture/words-of-credits'))})[,;]?(?:\\s+|$))+$`

/** A word or number of a date or time. */
const TIME_WORD = `(?:${oneOf(wordList('furniture/words-of-moments'))})`

/** Whole paragraphs before the first sentence that say who wrote, photographed or last updated the article. */
const HEADS = [
  ...patternsIn('furniture/heads'),
  new RegExp(`^(?:By|BY|by):?\\s+\\p{Lu}(?:\\p{Lu}\\.|[^.!?]){1,100}(?<!${STOP})$`, 'u'),
  new RegExp(
    `^(?:first |last )?(?:written|reported|posted|published|updated)\\s*(?:by\\b|:)[^.!?]{0,80}(?<!${STOP})$`,
    'iu',
  ),
  new RegExp(`^(?:${AGENCY}|\\(${AGENCY}\\))(?![\\p{L}\\p{N}])[^.!?]{0,30}(?<!${STOP})$`, 'u'),
  new RegExp(
    `^(?=.{0,80}\\p{Nd})(?=.{1,110}$)(?:[\\s.,:/|()·•–—-]*${TIME_WORD}(?![\\p{L}\\p{N}]))+[\\s.,:/|()·•–—-]*$`,
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

/** Whole paragraphs after the last sentence that contain only a credit and names. */
const CREDITS = [
  new RegExp(
    `^[-–—(]*\\s*(?:[Ww]ith (?:assistance|(?:additional )?reporting|files) (?:from|by)|[Oo]riginally published (?:at|by|on|in)|[Dd]istributed by|[Vv]ia|(?:Associated Press|Reuters|AP) (?:[Ww]riters?|[Rr]eporters?|[Cc]orrespondents?))\\s+${CREDITED}`,
    'u',
  ),
  new RegExp(`^(?=.{0,200}\\bcontributed\\.?$)${CREDITED.slice(0, -1)}contributed\\.?$`, 'u'),
]

/** A short line that does not end like a sentence: a headline, a name, a place, a time, a caption. */
const LINE = /^(?=.{1,80}$)\S+(?:\s+\S+){0,9}(?<![.!?…:;,"”'’»)\]。！？।؟])$/u

const matchesOne = (rules: readonly RegExp[], paragraph: string): boolean =>
  paragraph.length <= 700 && rules.some((rule) => rule.test(paragraph))

/**
 * The paragraphs that the author wrote, without bylines, datelines, agency prefixes and footers, which differ between
 * reprints of one text. If all of them are such lines, all paragraphs are returned.
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

/** Whether a paragraph is a byline, credit, notice or headline, and not part of the article itself. */
export const isFurniture = (paragraph: string): boolean => isHead(paragraph) || isFoot(paragraph)

/** The paragraph without its datelines. Some texts have several: the newspaper's, then the agency's. */
export function withoutDateline(paragraph: string): string {
  let rest = paragraph
  for (let i = 0; i < 3; i++) {
    const shorter = withoutOneDateline(rest)
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

function withoutOneDateline(paragraph: string): string {
  for (const dateline of DATELINES) {
    const rest = paragraph.replace(dateline, '')
    if (rest !== paragraph && rest !== '') return rest
  }
  return paragraph
}

/** Apostrophes are removed, so that `don't`, `don’t` and `dont` are one word. */
const APOSTROPHES = /['’‘ʼ`´]/g
/** ASCII characters that separate words, except spaces, which are reduced to one afterwards. */
const ASCII_BETWEEN_WORDS = /[^a-z0-9 \u0080-\uffff]+/g
const BEYOND_ASCII = /[\u0080-\uffff]+/g

/**
 * The normalised words of the body, separated by single spaces: furniture removed; case, quotes, punctuation and white
 * space folded. Empty if the text has no words.
 */
export function foldedBody(text: string): string {
  const body = withoutFurniture(text).join(' ').normalize('NFKC').toLowerCase().replace(APOSTROPHES, '')
  return body
    .replace(ASCII_BETWEEN_WORDS, ' ') // covers most text; Unicode classes take ten times as long
    .replace(BEYOND_ASCII, (run) => run.replace(NOT_A_WORD, ' '))
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** 16 hex digits of the SHA-256 of the folded body; equal for reprints. A text without words is hashed unchanged. */
export const semanticHash = (text: string): string => hashOf(foldedBody(text) || text)

/** The hash of a body that is already folded. */
export const hashOf = (folded: string): string => createHash('sha256').update(folded, 'utf8').digest('hex').slice(0, 16)
