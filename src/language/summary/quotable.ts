import { patternIn, patternsIn } from '../model-files.ts'
import { isFurniture, withoutDateline } from '../without-furniture.ts'
import { hasLoosePronoun, isEnglish, isFragment, properNames } from './leaning.ts'

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

/** A sentence without what somebody is quoted with. */
export const unquoted = (sentence: string): string => sentence.replace(/“[^”]*”|"[^"]*"/gu, '')

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
