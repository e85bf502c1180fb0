import { isFurniture, withoutDateline } from '../without-furniture.ts'

const MIN_WORDS = 8
const MAX_WORDS = 45

/** Ends as a sentence does, closing quotes and brackets apart. */
const ENDS = /[.!?…。！？।؟]["”'’»)\]]*$/u
/** Begins as one does: a capital, a number, a script without capitals, or a quotation of it. */
const BEGINS = /^["“'‘«([]?[\p{Lu}\p{Lo}\p{Nd}$€£¥]/u

/** What a page says beside its article: calls to the reader, notices, captions, addresses. */
const BESIDE = [
  /\b(?:sign up|subscribe|newsletter|click (?:here|on)|read (?:more|the full|full)|download (?:the|our)|follow (?:us|me|him|her|@)|log ?in|cookies?|your (?:inbox|browser|email)|scroll down|watch (?:the|this) video|story continues|continue reading|listen to (?:the|this)|share this|e-?mail (?:us|me)|tell us|join us|stay (?:tuned|up to date))\b/iu,
  /\b(?:getty images|file photo|photo(?:graph)? by|image (?:source|copyright|credit)|picture:|photograph:|all rights reserved|terms of (?:use|service)|privacy policy|copyright|©|contributed to this|this (?:article|story|post|piece) (?:was|has been|is|originally|first)|editor['’]s note|correction:|updated? (?:at|on)|advertisement|sponsored)\b/iu,
  /https?:|www\.|\.com\b|pic\.twitter|[@#]\p{L}|\|/iu,
  /\p{Ll} MORE\b/u,
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z.]{0,7} \d{1,2}, \d{4}\.$/iu, // a caption's end
  /\b(?:op-?ed|columnist|opinions? expressed|views expressed|the author(?:s)? (?:is|are))\b/iu,
]

/** Leans on what stands before it: alone, nobody knows of whom or what it speaks. */
const LEANS =
  /^["“'‘]?(?:he|she|they|it|his|her|hers|him|their|its|this|that|these|those|there|then|but|and|or|so|yet|nor|also|however|still|instead|meanwhile|moreover|furthermore|therefore|thus|such|another|others?|both|neither|either|the (?:latter|former|two)|in addition|as a result|for (?:example|instance)|on the other hand|that said|(?:under|in|at|for|with|by|on|of|to|from) (?:such|this|that|these|those|it|his|her|their|both)|the (?:report|memo|letter|statement|photos?|video|documents?|ruling|decision|move|measure|latter|study|poll) (?:also|further|itself)|asked|which|(?:one|some|many|most|all|none) of (?:those|these|them)|here|why|what|how|who|if so|similarly|besides|afterwards?|later|earlier|additionally|nevertheless|indeed|even so|plus|because|well|yes|no|now|again)\b/iu

/** Speaks to the reader or of the writer. */
const PERSONAL = /\b(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|our|us|you|your|you['’](?:re|ve|d|ll))\b/u

/**
 * The part of a sentence that can stand in a summary, word for word: without a dateline before it. Null: too short or too
 * long, no whole sentence, or something beside the article.
 */
export function quotable(sentence: string): string | null {
  const quoted = withoutDateline(sentence)
  return isWhole(quoted) && isOfArticle(quoted) ? quoted : null
}

function isWhole(text: string): boolean {
  const words = text.split(/\s+/u).length
  return words >= MIN_WORDS && words <= MAX_WORDS && BEGINS.test(text) && ENDS.test(text) && quotesClose(text)
}

const isOfArticle = (text: string): boolean =>
  !isShouted(text) && !isFurniture(text) && !BESIDE.some((rule) => rule.test(text))

/** Most of its letters are capitals. */
const isShouted = (text: string): boolean =>
  (text.match(/\p{Lu}/gu) ?? []).length > 2 * (text.match(/\p{Ll}/gu) ?? []).length

/** A quotation of several sentences that was cut between two of them reads as if its speaker were missing. */
const quotesClose = (text: string): boolean =>
  (text.match(/“/gu) ?? []).length === (text.match(/”/gu) ?? []).length && (text.match(/"/gu) ?? []).length % 2 === 0

/** How well a sentence stands alone, 0 to 1; what leans on its neighbours, asks, or speaks as somebody counts less. */
export function standsAlone(sentence: string): number {
  let weight = 1
  if (LEANS.test(sentence)) weight *= 0.15
  if (PERSONAL.test(sentence.replace(/“[^”]*”|"[^"]*"/gu, ''))) weight *= 0.2
  if (/^["“'‘]/u.test(sentence)) weight *= 0.4
  if (/\?["”'’)\]]*$/u.test(sentence)) weight *= 0.3
  return weight
}
