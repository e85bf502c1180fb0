import { wordList } from './model-files.ts'

/** Character offsets into the text, end exclusive. A span never starts or ends with white space. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Maximum length of a sentence in characters. A longer text without a stop is cut within this length, at a clause
 * end or white space.
 */
export const LONGEST_SENTENCE = 1_000

/**
 * Full stops (also Chinese, Japanese, Burmese and Ethiopic), question marks and ellipses, with the closing quotes and
 * brackets after them; or a line break with the white space after it (including white space before it would make the
 * search quadratic); or the position before a bullet.
 */
const STOP = /(?:[.!?…‼⁇⁈⁉؟۔।॥։។]{1,64}|[。！？｡．။።]{1,64})["'”’»›)\]」』）】]{0,8}|[\n\u2028\u2029]\s*|(?=[•▪●■◦‣])/gu

/**
 * The sentences of a text, in order. Runs in linear time. Every character that is not white space is in exactly one
 * sentence.
 */
export function sentences(text: string): Span[] {
  const found: Span[] = []
  let start = 0
  for (const stop of text.matchAll(STOP)) {
    const end = tailEnd(text, stop.index + stop[0].length)
    if (!endsHere(text, { start, stop: stop.index, end })) continue
    pushPieces(found, text, { start, end })
    start = end
  }
  pushPieces(found, text, { start, end: text.length })
  return found
}

/** Footnote numbers, smileys and emoji belong to the sentence before them. */
const TAIL =
  /(?:\[\d{1,3}\]){0,4}(?: ?[\p{Emoji_Presentation}\u200d\ufe0f\p{Emoji_Modifier}]{1,16}| [:;]-?[)(DP](?!\S)){0,2}/uy

function tailEnd(text: string, end: number): number {
  const at = text.charCodeAt(text.charCodeAt(end) === SPACE ? end + 1 : end)
  if (at !== BRACKET && at !== COLON && at !== SEMICOLON && !(at >= FIRST_EMOJI)) return end
  TAIL.lastIndex = end
  return end + (TAIL.exec(text)?.[0].length ?? 0)
}

const [SPACE, BRACKET, COLON, SEMICOLON, FIRST_EMOJI] = [0x20, 0x5b, 0x3a, 0x3b, 0x231a] as const

function pushPieces(found: Span[], text: string, span: Span): void {
  const { start: first, end } = trimmed(text, span)
  let start = first
  while (end - start > LONGEST_SENTENCE) {
    const cut = cutBefore(text, start)
    found.push(trimmed(text, { start, end: cut }))
    start = trimmed(text, { start: cut, end }).start
  }
  if (end > start) found.push({ start, end })
}

/** A clause end within this many characters before the limit is preferred to a cut between two words. */
const CLAUSE_WITHIN = 300
const CLAUSE_END = /[\n;:,、，；：](?=\s)|[、，；：]/u

/**
 * Where to cut the longest sentence that starts at `start`: after its last clause, or else after its last word; never
 * inside a character.
 */
function cutBefore(text: string, start: number): number {
  const limit = start + LONGEST_SENTENCE
  for (let at = limit; at > limit - CLAUSE_WITHIN; at--) if (CLAUSE_END.test(text.slice(at - 1, at + 1))) return at
  for (let at = limit; at > start; at--) if (isBlank(text.charCodeAt(at))) return at
  for (let at = limit; at > limit - LONGEST_CHARACTER; at--) if (!isInside(text, at)) return at
  return isLowSurrogate(text, limit) ? limit - 1 : limit
}

function trimmed(text: string, { start, end }: Span): Span {
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return { start, end }
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00

/** Longest letter with combining marks, or composed emoji, in UTF-16 units. */
const LONGEST_CHARACTER = 32
const JOINED = /^[\p{M}\u200d\ufe0f\p{Emoji_Modifier}]/u
const isInside = (text: string, at: number): boolean =>
  isLowSurrogate(text, at) || JOINED.test(text.slice(at, at + 2)) || text[at - 1] === '\u200d'

/**
 * A letter outside the Latin blocks counts as this many characters, because the encoder reads it as a word piece of its
 * own.
 */
const OTHER_LETTER = 5

function lengthOf(code: number): number {
  if (code <= 32) return 0
  return code > 0x024f ? OTHER_LETTER : 1
}

/**
 * The sentences of a text that begin within its first `limit` Latin characters (white space not counted), or the
 * equivalent number of word pieces of another script.
 */
export function firstSentences(text: string, spans: readonly Span[], limit: number): string[] {
  const found: string[] = []
  let read = 0
  let at = spans[0]?.start ?? 0
  for (const { start, end } of spans) {
    for (; at < start && read < limit; at++) read += lengthOf(text.charCodeAt(at))
    if (read >= limit) break
    found.push(text.slice(start, end))
  }
  return found
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Abbreviations that never end a sentence. */
const NEVER_LAST = wordList('sentences/abbreviations-never-last')
/**
 * Abbreviations that continue a sentence before a number or a name, and end it before a capitalised word that often
 * begins one.
 */
const SOMETIMES_LAST = wordList('sentences/abbreviations-sometimes-last')

/** Abbreviations only if capitalised; ordinary words in lower case: "he was ill. Trump said". */
const CAPITAL_ONLY = words(
  'sec jan feb mar apr jun jul aug sep oct nov dec mon wed fri sat sun st mt art ala ark del fla ga ill ind kan ky la md mass ' +
    'mich miss mo mont neb ore pa tex va vt wash wis',
)

/** Abbreviations before a number; otherwise words or ends of sentences: "No. 5", "he said no. Trump left". */
const BEFORE_NUMBER = wordList('sentences/abbreviations-before-number')
/** Words that often begin a sentence and are seldom names. */
const STARTERS = wordList('sentences/starters')

/** Whether the next word often begins a sentence and is not another initial, as in "F. A. Hayek". */
const beginsSentence = (follower: string): boolean =>
  !/^\p{Lu}\./u.test(follower) && STARTERS.has((/^["“‘'(]?([\p{L}\p{N}]+)/u.exec(follower)?.[1] ?? '').toLowerCase())

/**
 * Whether the text after an abbreviation can continue its sentence: a name, a number or a bracket, not an opening
 * quote.
 */
const continuesSentence = (follower: string): boolean => /^[\p{Lu}\p{N}(]/u.test(follower) && !beginsSentence(follower)

/** `J`, the end of `U.S` and of `Jean-P`. */
const INITIALS = /(?:^|[.-])\p{Lu}$/u
const LONGEST_ABBREVIATION = 9

/** The part that the dot abbreviates: `Rep` in `Ex-Rep`, but all of `U.S`. */
const abbreviatedPart = (word: string): string => (word.includes('-') ? word.slice(word.lastIndexOf('-') + 1) : word)

/** Whether the dot after this word belongs to an abbreviation that the sentence continues after. */
function isAbbreviation(word: string, follower: string): boolean {
  const short = abbreviatedPart(word)
  if (short.length > LONGEST_ABBREVIATION) return false
  const lower = short.toLowerCase()
  if (BEFORE_NUMBER.has(lower) && /^\p{Nd}/u.test(follower)) return true
  return NEVER_LAST.has(lower) || (isSometimesLast(short, lower) && continuesSentence(follower))
}

const isSometimesLast = (word: string, lower: string): boolean =>
  SOMETIMES_LAST.has(lower) || INITIALS.test(word) || (CAPITAL_ONLY.has(lower) && word !== lower)

/** Months after the ordinal of a German date: "3. Mai". */
const GERMAN_MONTH = /^(?:Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)/u
const isOrdinal = (word: string, follower: string): boolean =>
  word.length < 3 && /^\p{Nd}{1,2}$/u.test(word) && GERMAN_MONTH.test(follower)

const NAMES_WITH_EXCLAMATION = words('yahoo jeopardy e jeb wham panic')

/** Whether the word is a name with an exclamation mark and the sentence continues: "Yahoo! Inc.". */
const isExclaimedName = (word: string, follower: string): boolean =>
  NAMES_WITH_EXCLAMATION.has(word.toLowerCase()) && /^\p{Lu}/u.test(word + follower) && continuesSentence(follower)

/** A stop from `stop` to `end`, in a sentence that began at `start`. */
interface Stop {
  readonly start: number
  readonly stop: number
  readonly end: number
}

/** How many characters after a stop are examined. */
const AHEAD = 60

/**
 * Whether a sentence ends at this stop. It does not after an abbreviation, an initial, a decimal, a list number or a
 * quoted question.
 */
function endsHere(text: string, stop: Stop): boolean {
  const mark = text.charCodeAt(stop.stop)
  if (isBreak(mark)) return lineEndsSentence(text, stop)
  if (stop.stop === stop.end) return isBlank(text.charCodeAt(stop.stop - 1)) && !isOnlyMarks(text, stop) // before a bullet
  if (stop.end >= text.length) return true
  if (mark > FIRST_WIDE && WIDE.test(text.charAt(stop.stop))) return !isWideDecimal(text, stop)
  return isBlank(text.charCodeAt(stop.end)) ? endsBefore(text, stop, firstAfter(text, stop.end)) : isGlued(text, stop)
}

const isBreak = (code: number): boolean => code === 0x0a || code === 0x2028 || code === 0x2029
const FIRST_WIDE = 0x1000
const WIDE = /[。！？｡．။።]/u
const BLANK = /\s/u
const isBlank = (code: number): boolean => code <= 32 || (code > 127 && BLANK.test(String.fromCharCode(code)))

/** Index of the first character after a stop that is not white space, at most `AHEAD` further on. */
function firstAfter(text: string, end: number): number {
  let at = end
  while (at < end + AHEAD && isBlank(text.charCodeAt(at))) at++
  return at
}

const LATIN_LOWER_CASE = /^[a-z]$/
const LOWER_CASE = /^\p{Ll}/u

function endsBefore(text: string, stop: Stop, next: number): boolean {
  const first = text.charAt(next)
  if (ELLIPSIS_OR_COMMA.includes(first) || isOnlyMarks(text, stop)) return false
  const follower = text.slice(next, next + AHEAD)
  const isLowerCase = LATIN_LOWER_CASE.test(first) || (first > '\u007f' && LOWER_CASE.test(follower))
  return isLowerCase ? mayBeginLowerCase(text, stop, follower) : !continuesAfter(text, stop, follower)
}

const ELLIPSIS_OR_COMMA = '.…,'

const SPEAKER =
  /^(?!(?:He|She|They|We|It) )\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]+){0,3} (?:said|says|asked|asks|wrote|writes|added|adds|replied|shouted|tweeted|cried|yelled|told|demanded|wondered)\b/u

/**
 * Whether the sentence continues after the stop: an abbreviation, or a quoted question before its speaker, as in
 * `"Really?" Mr. Smith asked.`
 */
function continuesAfter(text: string, stop: Stop, follower: string): boolean {
  const marks = text.slice(stop.stop, stop.end)
  if (marks.startsWith('.')) return !marks.startsWith('..') && isInsideSentence(text, stop, follower)
  if (marks === '!') return isExclaimedName(lastWord(text, stop), follower)
  return /["”’]/u.test(marks) && SPEAKER.test(follower)
}

/** Whether the dot belongs to an abbreviation, a list number or an ordinal. */
function isInsideSentence(text: string, stop: Stop, follower: string): boolean {
  const word = lastWord(text, stop)
  return isAbbreviation(word, follower) || isListNumber(text, stop, word) || isOrdinal(word, follower)
}

/**
 * Whether a stop without white space after it ends a sentence: it does in `vote.The mayor`, but not in `3.5`, `U.S.`,
 * `Dr.Who` and `example.com/A?Page=1`.
 */
function isGlued(text: string, stop: Stop): boolean {
  const next = text.slice(stop.end, stop.end + AHEAD)
  const before = text.slice(Math.max(stop.start, stop.stop - 3), stop.stop)
  if (!/^["“‘]?\p{Lu}\p{Ll}/u.test(next) || !/\p{Ll}{2}$|\p{Ll}\p{Nd}?["”’)]$/u.test(before)) return false
  if (/^(?:Com|Org|Net|Gov|Edu|Info)\b/u.test(next) || isAddress(text, stop, next)) return false
  return !isAbbreviation(lastWord(text, stop), next)
}

/** Maximum number of characters that are searched for the signs of a URL or an e-mail address. */
const ADDRESS = 80

function isAddress(text: string, { start, stop }: Stop, next: string): boolean {
  const before = text.slice(Math.max(start, stop - ADDRESS), stop)
  const written = before.slice(before.search(/\S*$/u))
  return /[/@]|^www\./u.test(written) || /^\S{1,40}@/u.test(next)
}

const OPENING = '("“‘\'['
/** A longer run of characters is not an abbreviation. */
const LONGEST_WORD = 20

/** The word before the stop, back to white space or an opening mark. */
function lastWord(text: string, { start, stop }: Stop): string {
  const limit = Math.max(start, stop - LONGEST_WORD)
  let at = stop
  while (at > limit && !isBlank(text.charCodeAt(at - 1)) && !OPENING.includes(text.charAt(at - 1))) at--
  return text.slice(at, stop)
}

/** `1.` or `a)` at the very start of a sentence is a list number. */
const isListNumber = (text: string, stop: Stop, word: string): boolean =>
  word.length < 5 &&
  /^(?:\p{Nd}{1,3}|[A-Za-z]|[ivx]{1,4})$/u.test(word) &&
  text.slice(stop.start, stop.stop).trim() === word

/** `...` and `• •` alone are not sentences: they belong to the sentence after them. */
const isOnlyMarks = (text: string, { start, stop, end }: Stop): boolean =>
  stop - start < 8 && !/[\p{L}\p{N}\p{S}]/u.test(text.slice(start, end))

/**
 * Whether a word in lower case begins a sentence: "iPhone sales" does; others only if the sentence before also began in
 * lower case.
 */
function mayBeginLowerCase(text: string, stop: Stop, follower: string): boolean {
  if (/^(?:\p{Ll}{1,2}\p{Lu}|https?:)/u.test(follower)) return true
  const began = text.slice(stop.start, stop.start + 40).trimStart()
  if (!/^\p{Ll}\p{Ll}*[\s,]/u.test(began) || /[.…]{2}|["”’)]/u.test(text.slice(stop.stop, stop.end))) return false
  const word = lastWord(text, stop)
  return /^\p{Ll}{3,}$/u.test(word) && !isAbbreviation(word, 'X')
}

const isWideDecimal = (text: string, { stop, end }: Stop): boolean =>
  text[stop] === '．' && /^\p{Nd}/u.test(text.slice(end, end + 1)) && /\p{Nd}$/u.test(text.slice(stop - 1, stop))

const BLANK_LINE = /\n\s*\n|\u2029/u
const BULLET = /^(?:[-*•·–—▪●■◦‣]|\p{Nd}{1,3}[.)])/u
const ALWAYS_BULLET = /^[•▪●■◦‣]/u
/** Maximum length of a hard-wrapped line; a longer line is a paragraph. */
const WRAPPED_LINE = 100
/** Minimum length of a wrapped line; a shorter line is a heading, a list item or a table row. */
const SHORT_LINE = 50

/**
 * A line break ends a sentence after a stop, a blank line or a heading, and before a bullet. A line of wrapping length
 * may have been wrapped.
 */
function lineEndsSentence(text: string, stop: Stop): boolean {
  if (BLANK_LINE.test(text.slice(stop.stop, stop.end))) return true
  const before = text.slice(Math.max(stop.start, stop.stop - 3), stop.stop).trimEnd()
  const next = text.slice(stop.end, stop.end + WRAPPED_LINE + 1)
  if (SENTENCE_END.test(before) || ALWAYS_BULLET.test(next)) return true
  return !LOWER_CASE.test(next) && (BULLET.test(next) || !mayBeWrapped(text, stop, next))
}

const SENTENCE_END = /[.!?…。！？:;"”]$/u

function mayBeWrapped(text: string, { start, stop }: Stop, next: string): boolean {
  const lineStart = text.lastIndexOf('\n', stop - 1) + 1
  const length = stop - Math.max(lineStart, start)
  const isParagraphNext = next.length > WRAPPED_LINE && !next.includes('\n')
  return length >= SHORT_LINE && length <= WRAPPED_LINE && !isParagraphNext
}
