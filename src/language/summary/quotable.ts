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
const BESIDE = [
  /\b(?:sign up|subscribe|newsletter|click (?:here|on)|read (?:more|the full|full)|download (?:the|our)|follow (?:us|me|him|her|@)|log ?in|cookies?|your (?:inbox|browser|email)|scroll down|watch (?:the|this) video|story continues|continue reading|listen to (?:the|this)|share this|e-?mail (?:us|me)|tell us|join us|stay (?:tuned|up to date))\b/iu,
  /\b(?:getty images|file photo|photo(?:graph)? by|image (?:source|copyright|credit)|picture:|photograph:|all rights reserved|terms of (?:use|service)|privacy policy|copyright|©|contributed to this|this (?:article|story|post|piece) (?:was|has been|is|originally|first)|editor['’]s note|correction:|updated? (?:at|on)|advertisement|sponsored)\b/iu,
  /https?:|www\.|\.com\b|pic\.twitter|[@#]\p{L}|\|/iu,
  /\p{Ll} MORE\b|\bShow Hide\b|\bHide Caption\b|\bFacebook Twitter\b|^Photos?:/u,
  /(?<!\p{L})\p{Ll}{2,}\p{Lu}\p{Ll}|(?<!\p{L})(?![AI])\p{Lu} \p{Ll}+\b(?<! and)/u, // a link or a word fell apart
  /^\d{1,2}[.)]\s/u, // an item of a list
  /^(?:read|see|watch|find)\s(?:\S+\s){1,12}(?:below|above|here)\b/iu,
  /^[^.!?]{2,60}['’]s \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ (?:discusses|explains|looks|breaks down|takes a look)\b/u, // of a video
  /^[^.!?]{2,60}:\s["“‘'][^"”’]{8,}[^.,!?"”’]["”’']\s\p{Lu}/u, // a headline of a quotation that ran into the text
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z.]{0,7} \d{1,2}, \d{4}\.$/iu, // a caption's end
  /\b(?:corrections? and update|an earlier version|a previous version|the following is|is an? (?:attorney|professor|fellow|contributor|editor|director|writer|author|host)\b|is (?:the )?(?:president|director|founder|chair\p{L}*|editor|professor|fellow|author)\b.{0,60} (?:of|at) the \p{Lu}|is the (?:author|host|editor) of|is director of|rush transcript|just watched|must watch|replay more|file photo|is (?:shown|seen|pictured)\b)/iu,
  /\b(?:op-?ed|columnist|opinions? expressed|views expressed|the author(?:s)? (?:is|are))\b/iu,
]

/** Refers to an earlier sentence: alone, its subject is unknown. */
const LEANS =
  /^["“'‘]?(?:he|she|they|it|his|her|hers|him|their|its|this|that|these|those|there|then|but|and|or|so|yet|nor|also|however|still|instead|meanwhile|moreover|furthermore|therefore|thus|such|another|others?|both|neither|either|the (?:latter|former|two)|to be sure|all this|in the (?:morning|afternoon|evening)|(?:\S+\s){0,6}(?:moments?|minutes?|hours?|days?|weeks?|months?) (?:later|earlier|afterwards?)|perhaps|maybe|importantly|in (?:other words|short|fact|sum)|after all|in addition|as a result|for (?:example|instance)|on the other hand|that said|(?:under|in|at|for|with|by|on|of|to|from) (?:such|this|that|these|those|it|his|her|their|both)|the (?:report|memo|letter|statement|photos?|video|documents?|ruling|decision|move|measure|latter|study|poll) (?:also|further|itself)|the (?:\p{Ll}+ )?(?:revelations?|news|reports?|announcement|decision|ruling|remarks?|comments?|statement|disclosure|admission|move|vote|indictments?|arrests?|attack|shooting|exchange) (?:came|comes?|follow(?:s|ed)?) (?:\p{Ll}+ )?(?:after|as|amid|days|hours|a (?:day|week)|on the heels|just)|asked|which|(?:one|some|many|most|all|none) of (?:those|these|them)|here|why|what|how|who|if so|similarly|besides|afterwards?|later|earlier|additionally|nevertheless|indeed|even so|plus|because|well|yes|no|now|again)\b/iu

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
const CAPTION =
  /^(?:[^.]{0,120}\s)?(?:gathers?|marches|speaks?|stands?|walks?|waves?|holds?|listens?|looks?|arrives?|rally|rallies|prepares?|reacts?|shout|hug|watch|sits?|talks?|testif(?:y|ies)|attends?|greets?|smiles?|cheers?|protests?|chants?|demonstrate)\s.*\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Aug|Sept?|Oct|Nov|Dec)\.? \d{1,2})\b/u

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
const BARE_START =
  /^(?:the (?:\p{Ll}+ ){0,2}(?:president|senator|order|hearing|report|memo|vote|move|decision|committee|man|woman|suspect|company|deal|bill|plan|ad|suit|lawsuit|gunman|shooter|party|group|two|three|men|women|billionaire|businessman|leader|nominee|judge|letter|speech|rally|attack|shooting|incident|meeting|statement|measure|law|rule|ban|case|move|announcement|comments?|remarks?|tweets?|victims?|protesters?|rest|primary|departure|future)|a (?:spokes\p{Ll}+|source|report)|all this|that (?:order|report|vote)|seconds after|minutes after|hours after|all (?:five|four|three|six|seven|eight)|although the|as a)\b/iu

/** Judges rather than reports, outside quotations. */
const VERDICT =
  /\b(?:of course|obviously|absurd|ridiculous|shameful|disgrace\p{Ll}*|outrageous|hypocri\p{Ll}+|liberal media|mainstream media|the left|the right|must|should|ought|nothing but|no wonder|make no mistake|let['’]s|frankly|sadly|alas|so-called|nonsense|lied|liar|smear\p{Ll}*|hysteri\p{Ll}+)\b/iu

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
