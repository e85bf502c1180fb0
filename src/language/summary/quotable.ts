import { isFurniture, withoutDateline } from '../body-text.ts'
import { patternIn, patternsIn } from '../model-files.ts'

/** Capitalised words that are not persons: days, months, groups and frequent first words of sentences. */
const NO_PERSON = patternIn('summary/no-person')
const PRONOUN = /(?<![\p{L}'’])(?:he|she|his|her|hers|him|himself|herself|they|their|them)(?![\p{L}])/iu
const NAME = /\p{Lu}[\p{L}'’.-]*\p{L}/gu
const VERB = patternIn('summary/verb')
/** Function words that identify English text: the rules for verbs and names here do not apply to other languages. */
const ENGLISH_WORDS = /\b(?:the|of|and|to|in|a|an|on|for|with|that|by|at|from|as)\b/giu
const MIN_ENGLISH = 2
const QUOTATION = /“[^”]*”|"[^"]*"/gu

/** A sentence without its quotations. */
export const unquoted = (sentence: string): string => sentence.replace(QUOTATION, '')

/** The words of all names in a text, in lower case, so that "Clinton" is known if the text has "Hillary Clinton". */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(NAME) ?? []).map((name) => name.replace(/['’]s$/u, '').toLowerCase()))

/** Whether a pronoun comes before anything that it can refer to. */
export function hasLoosePronoun(sentence: string): boolean {
  const own = sentence.replace(QUOTATION, ' ')
  const pronoun = PRONOUN.exec(own)
  if (pronoun === null) return false
  const before = own.slice(0, pronoun.index)
  return properNames(before).length === 0 && !/\b(?:the|a|an) \p{Ll}+/iu.test(before)
}

/**
 * Whether the sentence begins with one word of a name that `known` does not contain: a first name or an unknown
 * surname.
 */
export function beginsWithStranger(sentence: string, known: ReadonlySet<string>): boolean {
  const [first = '', second = ''] = sentence.replace(/^["“'‘(]+/u, '').split(/\s+/u)
  const word = first.replace(/['’]s$/u, '').replace(/[,;:]$/u, '')
  if (!isEnglish(sentence) || !/^\p{Lu}\p{Ll}+$/u.test(word) || NO_PERSON.test(word)) return false
  return !/^\p{Lu}/u.test(second) && !known.has(word.toLowerCase()) && !/(?:ly|ing|ed|s)$/u.test(word)
}

/** A person named by surname: "Mr. Quill", "Quill, R-Fla.", and "Quill said" or "said Quill" after the first word. */
const BY_SURNAME = patternsIn('summary/by-surname')

/**
 * Whether a person outside quotations is named by surname only, and neither `known` nor the sentence has the full name.
 */
export function namesStranger(sentence: string, known: ReadonlySet<string>): boolean {
  const own = sentence.replace(QUOTATION, ' ')
  const fullNames = namesIn((own.match(FULL_NAME) ?? []).join(' '))
  return BY_SURNAME.some((pattern) =>
    [...own.matchAll(pattern)].some(({ groups }) => {
      const name = (groups?.['name'] ?? '').replace(/['’]s$/u, '')
      return !NO_PERSON.test(name) && !known.has(name.toLowerCase()) && !fullNames.has(name.toLowerCase())
    }),
  )
}

/** A first name, or a title that identifies the person, followed by a surname. */
const FULL_NAME = /(?<!\p{L})(?!(?:Mr|Mrs|Ms|Miss|Dr)\b)\p{Lu}[\p{L}.'’-]*(?: \p{Lu}\.)? \p{Lu}[\p{L}'’-]+/gu
/** Nouns that refer to something already introduced: "the bill", "the ruling". */
const KNOWN_THING = patternIn('summary/known-thing')

/** Whether the sentence begins with such a noun and the text read before does not contain it. */
export function beginsWithUnknownThing(sentence: string, read: string): boolean {
  const thing = KNOWN_THING.exec(sentence)?.groups?.['thing']?.toLowerCase().replace(/s$/u, '')
  return thing !== undefined && isEnglish(sentence) && !read.toLowerCase().includes(thing)
}

/** Capitalised words that may be names: days, months and frequent first words of sentences are excluded. */
export const properNames = (sentence: string): readonly string[] =>
  (sentence.match(NAME) ?? []).filter((name) => !NO_PERSON.test(name))

/** Whether no finite verb is recognised, as in a caption or heading. */
export const isFragment = (sentence: string): boolean => isEnglish(sentence) && !VERB.test(sentence)

/** Whether there are enough English function words for the English rules to apply. */
export const isEnglish = (sentence: string): boolean => (sentence.match(ENGLISH_WORDS)?.length ?? 0) >= MIN_ENGLISH

const MIN_WORDS = 8
const MAX_WORDS = 45
/** The end of a sentence, with closing quotes and brackets. */
const ENDS = /[.!?…。！？।؟]["”'’»)\]]*$/u
/**
 * The start of a sentence: a capital, a digit, a currency sign or a letter of a script without capitals, also after an
 * opening mark.
 */
const BEGINS = /^["“'‘«([]?[\p{Lu}\p{Lo}\p{Nd}$€£¥]/u

/** Labels of players and images that precede a sentence. */
const WIDGET =
  /^(?:CLOSE|PLAY|WATCH|LISTEN|Photo|Image|Video|Enlarge this image(?: toggle caption)?|toggle caption|Story highlights|ADVERTISEMENT|Advertisement)\s+(?=["“]?\p{Lu})/u

/** Text of the page around the article: calls to action, notices, captions, addresses. */
const PAGE_TEXT = patternsIn('summary/beside')
/** References to an earlier sentence, without which the subject is unclear. */
const DEPENDENT = patternIn('summary/leans')

/** Addresses the reader or refers to the writer. */
const PERSONAL =
  /\b(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|our|us|you|your|me|myself|you['’](?:re|ve|d|ll))\b/u

/**
 * The part of a sentence that can be quoted in a summary, verbatim, without a dateline. `null` if it is too short or
 * too long, not a whole sentence, or not part of the article.
 */
export function quotable(sentence: string): string | null {
  const quoted = withoutDateline(sentence.replace(WIDGET, ''))
  return isWhole(quoted) && isOfArticle(quoted) && !isFragment(quoted) && !isCaption(quoted) ? quoted : null
}

function isWhole(text: string): boolean {
  const words = text.split(/\s+/u).length
  return words >= MIN_WORDS && words <= MAX_WORDS && BEGINS.test(text) && ENDS.test(text) && quotesClose(text)
}

const isOfArticle = (text: string): boolean =>
  !isShouted(text) && !isHeadline(text) && !isFurniture(text) && !PAGE_TEXT.some((rule) => rule.test(text))

/** A present-tense action on a past day, as in a picture caption. */
const CAPTION = patternIn('summary/caption')

const isCaption = (text: string): boolean =>
  CAPTION.test(text) && !/\b(?:said|has|have|had|was|were|will|would)\b/u.test(text)

/** Whether there are more than twice as many capitals as small letters. */
const isShouted = (text: string): boolean =>
  (text.match(/\p{Lu}/gu) ?? []).length > 2 * (text.match(/\p{Ll}/gu) ?? []).length

const LONG_WORD = /(?<![\p{L}'’-])\p{L}{4,}/gu
const HEADLINE_SHARE = 0.85
const MIN_LONG_WORDS = 4

/** Whether the sentence is written in title case. */
function isHeadline(text: string): boolean {
  const words = text.match(LONG_WORD) ?? []
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length
  return words.length >= MIN_LONG_WORDS && capital / words.length >= HEADLINE_SHARE
}

/** If a quotation is open for more sentences than this, its closing mark is missing. */
const MOST_QUOTED = 4

/**
 * Indices of sentences that begin inside a quotation opened earlier. Without its marks, someone's words would read as
 * if the article said them.
 */
export function insideQuotations(sentences: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>()
  let since: number | null = null
  for (const [index, sentence] of sentences.entries()) {
    if (since !== null && index - since > MOST_QUOTED) since = null
    if (since !== null) inside.add(index)
    const isOpen: boolean = leavesOpen(sentence, since !== null)
    since = isOpen ? (since ?? index) : null
  }
  return inside
}

/** Whether a quotation is open at the end of the sentence. */
function leavesOpen(sentence: string, wasOpen: boolean): boolean {
  const marks = sentence.match(/["“”]/gu) ?? []
  const last = marks.at(-1)
  if (last === '"') return wasOpen !== (marks.length % 2 === 1)
  return last === undefined ? wasOpen : last === '“'
}

/** Whether the quotation marks are balanced. They are not if a longer quotation was cut between two sentences. */
const quotesClose = (text: string): boolean =>
  (text.match(/“/gu) ?? []).length === (text.match(/”/gu) ?? []).length && (text.match(/"/gu) ?? []).length % 2 === 0

/** Begins with something unnamed as if it had been introduced. */
const BARE_START = patternIn('summary/bare-start')
/** Wording that judges rather than reports. */
const VERDICT = patternIn('summary/verdict')
/** Adds to something said before. */
const ALSO = /^(?:\S+\s){1,4}also\b/u

/** Whether the sentence depends on the text before it to be understood. */
export const dependsOnContext = (sentence: string): boolean => DEPENDENT.test(sentence)

/** Whether it addresses the reader or speaks in the first person, outside quotations. */
export const isPersonal = (sentence: string): boolean => PERSONAL.test(unquoted(sentence))

/** Weaknesses of a sentence that stands alone, each with the factor for its weight. */
const WEAKNESSES: readonly (readonly [(sentence: string) => boolean, number])[] = [
  [dependsOnContext, 0.15],
  [isPersonal, 0.2],
  [(sentence) => /^["“'‘]/u.test(sentence), 0.4],
  [(sentence) => /\?["”'’)\]]*$/u.test(sentence), 0.3],
  [hasLoosePronoun, 0.2],
  [(sentence) => isEnglish(sentence) && properNames(sentence).length === 0, 0.3],
  [(sentence) => BARE_START.test(sentence), 0.5],
  [(sentence) => ALSO.test(sentence), 0.4],
  [(sentence) => VERDICT.test(unquoted(sentence)), 0.4],
]

/**
 * How well a sentence stands alone, 0 to 1. It is lower for sentences that depend on others, ask, judge or speak in the
 * first person.
 */
export const standsAlone = (sentence: string): number =>
  WEAKNESSES.reduce((weight, [has, factor]) => (has(sentence) ? weight * factor : weight), 1)
