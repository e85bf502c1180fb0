import { isFurniture, withoutDateline } from '../body-text.ts'
import { patternIn, patternsIn } from '../model-files.ts'

/** Names that need no more than one word: days and months, and what everybody calls so. */
const NO_PERSON = patternIn('summary/no-person')
const PRONOUN = /(?<![\p{L}'’])(?:he|she|his|her|hers|him|himself|herself|they|their|them)(?![\p{L}])/iu
const NAME = /\p{Lu}[\p{L}'’.-]*\p{L}/gu
const VERB = patternIn('summary/verb')
/** Enough small words of English: what is known of verbs and names here holds for no other language. */
const SMALL_WORDS = /\b(?:the|of|and|to|in|a|an|on|for|with|that|by|at|from|as)\b/giu
const MIN_SMALL_WORDS = 2
const QUOTATION = /“[^”]*”|"[^"]*"/gu

/** A sentence without what somebody is quoted with. */
export const unquoted = (sentence: string): string => sentence.replace(QUOTATION, '')

/** Names of a text by their last word, so that "Clinton" is known where "Hillary Clinton" stands. Lower case. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(NAME) ?? []).map((name) => name.replace(/['’]s$/u, '').toLowerCase()))

/** Whether a pronoun stands before any name that it can refer to. */
export function hasLoosePronoun(sentence: string): boolean {
  const own = sentence.replace(QUOTATION, ' ')
  const pronoun = PRONOUN.exec(own)
  if (pronoun === null) return false
  const before = own.slice(0, pronoun.index)
  return properNames(before).length === 0 && !/\b(?:the|a|an) \p{Ll}+/iu.test(before)
}

/** Whether the sentence begins with one word of a name that `known` does not have: a first name, or a stranger's last. */
export function beginsWithStranger(sentence: string, known: ReadonlySet<string>): boolean {
  const [first = '', second = ''] = sentence.replace(/^["“'‘(]+/u, '').split(/\s+/u)
  const word = first.replace(/['’]s$/u, '').replace(/[,;:]$/u, '')
  if (!isEnglish(sentence) || !/^\p{Lu}\p{Ll}+$/u.test(word) || NO_PERSON.test(word)) return false
  return !/^\p{Lu}/u.test(second) && !known.has(word.toLowerCase()) && !/(?:ly|ing|ed|s)$/u.test(word)
}

/** "Mr. Quill", "Quill, R-Fla.", and "Quill said" or "said Quill" behind the first word. */
const BY_SURNAME = patternsIn('summary/by-surname')

/** Whether somebody is called by one name that neither `known` nor the sentence itself has in full, outside quotations. */
export function namesStranger(sentence: string, known: ReadonlySet<string>): boolean {
  const own = sentence.replace(QUOTATION, ' ')
  const whole = namesIn((own.match(WHOLE_NAME) ?? []).join(' '))
  return BY_SURNAME.some((called) =>
    [...own.matchAll(called)].some(({ groups }) => {
      const name = (groups?.['name'] ?? '').replace(/['’]s$/u, '')
      return !NO_PERSON.test(name) && !known.has(name.toLowerCase()) && !whole.has(name.toLowerCase())
    }),
  )
}

/** A first name, or a title that says who somebody is, and a last name. */
const WHOLE_NAME = /(?<!\p{L})(?!(?:Mr|Mrs|Ms|Miss|Dr)\b)\p{Lu}[\p{L}.'’-]*(?: \p{Lu}\.)? \p{Lu}[\p{L}'’-]+/gu
/** Things that a text speaks of as known: "the bill", "the ruling". */
const KNOWN_THING = patternIn('summary/known-thing')

/** Whether the sentence begins with "the bill" or the like where no word of `said` says which one. */
export function beginsWithUnknownThing(sentence: string, said: string): boolean {
  const thing = KNOWN_THING.exec(sentence)?.groups?.['thing']?.toLowerCase().replace(/s$/u, '')
  return thing !== undefined && isEnglish(sentence) && !said.toLowerCase().includes(thing)
}

/** Proper names behind the first word, days and months apart. */
export const properNames = (sentence: string): readonly string[] =>
  (sentence.match(NAME) ?? []).filter((name) => !NO_PERSON.test(name))

/** No finite verb that shows: a caption or a heading. */
export const isFragment = (sentence: string): boolean => isEnglish(sentence) && !VERB.test(sentence)

/** Whether the sentence can be judged by English words at all. */
export const isEnglish = (sentence: string): boolean => (sentence.match(SMALL_WORDS)?.length ?? 0) >= MIN_SMALL_WORDS

const MIN_WORDS = 8
const MAX_WORDS = 45
/** Ends as a sentence does, closing quotes and brackets apart. */
const ENDS = /[.!?…。！？।؟]["”'’»)\]]*$/u
/** Begins as one does: a capital, a number, a script without capitals, or a quotation of it. */
const BEGINS = /^["“'‘«([]?[\p{Lu}\p{Lo}\p{Nd}$€£¥]/u

/** What a player or a picture leaves before a sentence. */
const WIDGET =
  /^(?:CLOSE|PLAY|WATCH|LISTEN|Photo|Image|Video|Enlarge this image(?: toggle caption)?|toggle caption|Story highlights|ADVERTISEMENT|Advertisement)\s+(?=["“]?\p{Lu})/u

/** What a page says beside its article: calls to the reader, notices, captions, addresses. */
const BESIDE = patternsIn('summary/beside')
/** Refers to an earlier sentence: alone, its subject is unknown. */
const LEANS = patternIn('summary/leans')

/** Speaks to the reader or of the writer. */
const PERSONAL =
  /\b(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|our|us|you|your|me|myself|you['’](?:re|ve|d|ll))\b/u

/**
 * The part of a sentence that can stand in a summary, word for word: without a dateline before it. Null: too short or too
 * long, no whole sentence, or something beside the article.
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
  !isShouted(text) && !isHeadline(text) && !isFurniture(text) && !BESIDE.some((rule) => rule.test(text))

/** Somebody does something now, on a day that has passed: what a picture shows. */
const CAPTION = patternIn('summary/caption')

const isCaption = (text: string): boolean =>
  CAPTION.test(text) && !/\b(?:said|has|have|had|was|were|will|would)\b/u.test(text)

/** Most of its letters are capitals. */
const isShouted = (text: string): boolean =>
  (text.match(/\p{Lu}/gu) ?? []).length > 2 * (text.match(/\p{Ll}/gu) ?? []).length

const LONG_WORD = /(?<![\p{L}'’-])\p{L}{4,}/gu
const HEADLINE_SHARE = 0.85
const MIN_LONG_WORDS = 4

/** Written As Headlines Are. */
function isHeadline(text: string): boolean {
  const words = text.match(LONG_WORD) ?? []
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length
  return words.length >= MIN_LONG_WORDS && capital / words.length >= HEADLINE_SHARE
}

/** A quotation that goes on for longer lost a mark. */
const MOST_QUOTED = 4

/**
 * Places of sentences that begin inside a quotation that an earlier one opened: without its marks, the words of somebody
 * would stand as if the article said them.
 */
export function insideQuotations(sentences: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>()
  let since: number | null = null
  for (const [place, sentence] of sentences.entries()) {
    if (since !== null && place - since > MOST_QUOTED) since = null
    if (since !== null) inside.add(place)
    const isOpen: boolean = leavesOpen(sentence, since !== null)
    since = isOpen ? (since ?? place) : null
  }
  return inside
}

/** Whether a quotation is open at the end of a sentence. */
function leavesOpen(sentence: string, wasOpen: boolean): boolean {
  const marks = sentence.match(/["“”]/gu) ?? []
  const last = marks.at(-1)
  if (last === '"') return wasOpen !== (marks.length % 2 === 1)
  return last === undefined ? wasOpen : last === '“'
}

/** A quotation of several sentences that was cut between two of them reads as if its speaker were missing. */
const quotesClose = (text: string): boolean =>
  (text.match(/“/gu) ?? []).length === (text.match(/”/gu) ?? []).length && (text.match(/"/gu) ?? []).length % 2 === 0

/** Begins with something that has no name, as if it had been spoken of. */
const BARE_START = patternIn('summary/bare-start')
/** Judges rather than reports, outside quotations. */
const VERDICT = patternIn('summary/verdict')
/** Adds to something that was said before. */
const ALSO = /^(?:\S+\s){1,4}also\b/u

/** Whether it leans on what stands before it: alone, nobody knows what it speaks of. */
export const leansOnOthers = (sentence: string): boolean => LEANS.test(sentence)

/** Whether it speaks to the reader or as its writer, outside quotations. */
export const isPersonal = (sentence: string): boolean => PERSONAL.test(unquoted(sentence))

/** What makes a sentence stand less well alone, and what is left of its weight then. */
const WEAKNESSES: readonly (readonly [(sentence: string) => boolean, number])[] = [
  [leansOnOthers, 0.15],
  [isPersonal, 0.2],
  [(sentence) => /^["“'‘]/u.test(sentence), 0.4],
  [(sentence) => /\?["”'’)\]]*$/u.test(sentence), 0.3],
  [hasLoosePronoun, 0.2],
  [(sentence) => isEnglish(sentence) && properNames(sentence).length === 0, 0.3],
  [(sentence) => BARE_START.test(sentence), 0.5],
  [(sentence) => ALSO.test(sentence), 0.4],
  [(sentence) => VERDICT.test(unquoted(sentence)), 0.4],
]

/** How well a sentence stands alone, 0 to 1; what leans on its neighbours, asks, judges or speaks as somebody counts less. */
export const standsAlone = (sentence: string): number =>
  WEAKNESSES.reduce((weight, [has, left]) => (has(sentence) ? weight * left : weight), 1)
