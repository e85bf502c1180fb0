const NAMES =
  'AP|Associated Press|The Associated Press|Reuters|AFP|UPI|CNN|CNS|Bloomberg|Xinhua|TASS|dpa|DPA|PA|Press Association|ANI|PTI|IANS|EFE|ANSA|Kyodo(?: News)?|Yonhap|AAP|NPR|CNBC|BBC|Fox News|RNS|Thomson Reuters Foundation'
const AGENCY = `(?:${NAMES}|REUTERS|BLOOMBERG|XINHUA|KYODO|YONHAP|FOX NEWS|ASSOCIATED PRESS)`
const DASH = '(?:--+|[-–—])'
const DATE = '(?:,\\s+(?:\\p{Lu}[\\p{L}.]{2,9}\\s+\\d{1,2}|\\d{1,2}\\s+\\p{Lu}[\\p{L}.]{2,9})(?:,?\\s+\\d{4})?)?'
const PLACES = "\\p{Lu}[\\p{L}\\p{N}.,'’/ -]{0,80}"
const UPPER_PLACE = "\\p{Lu}[\\p{Lu}.'’/ -]{2,40}(?:,\\s+\\p{Lu}[\\p{L}.' ]{1,25})?"
const NAMED_PLACE = '\\p{Lu}\\p{L}+(?:[ -]\\p{Lu}\\p{L}+){0,3}(?:,\\s+\\p{Lu}[\\p{L}.]+)?'
const SENTENCE = '(?=["“‘\']?\\p{Lu})'

/** What agencies put before the first sentence: `WASHINGTON (AP) — `, `LONDON, May 3 (Reuters) - `, `(CNN) `, `PARIS — `. */
const DATELINES = [
  new RegExp(`^(?:${PLACES})?[([]${AGENCY}(?:[\\s/]+\\w+)?[)\\]]\\s*(?:${DASH}|_|:)?\\s*`, 'u'),
  new RegExp(`^(?:${PLACES})?[/|]\\s*${AGENCY}(?:[- ]\\p{Lu}+)?\\s*[/|]?\\.?\\s*${DASH}{0,2}\\s*${SENTENCE}`, 'u'),
  new RegExp(`^${UPPER_PLACE}${DATE}\\s*(?:\\s${DASH}|—|--|:|\\s_)\\s+`, 'u'),
  new RegExp(`^${NAMED_PLACE}${DATE}\\s*(?:—|--|\\s–)\\s*${SENTENCE}`, 'u'),
  new RegExp(`^${AGENCY}\\s*(?:\\s${DASH}|—|--|:)\\s*`, 'u'),
]

/** Whole paragraphs before the first sentence that say who wrote, photographed or last changed it. */
const HEADS = [
  /^(?:By|BY|by):?\s+\p{Lu}(?:\p{Lu}\.|[^.!?]){1,100}$/u,
  /^(?:written|reported|posted|published|updated|last updated|first published)\b[^.!?]{0,80}$/iu,
  new RegExp(`^(?:${AGENCY}|\\(${AGENCY}\\))[^.!?]{0,30}$`, 'u'),
  /^\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]*){1,3}\s*[,|/–—-]\s*(?:associated press|reuters|ap|afp|usa today|cnn)[^.!?]{0,30}$/iu,
  /^\(?(?:photo|file photo|image|picture|reuters photo|getty images|ap photo)\b[^.!?]{0,120}\)?\.?$/iu,
  /^(?:advertisement|close|listen to article|share this article|story highlights|(?:this is a )?breaking news(?: alert)?)\.?$/iu,
  /^(?=.*\p{Nd})(?:\p{Nd}{1,4}|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[\p{L}\p{N}\s.,:/|()·•–—-]{0,90}(?<!\.)$/iu,
  /^\p{Nd}{1,2}(?::\p{Nd}{2})?\s*(?:a\.?m|p\.?m)\b[^.!?]{0,30}$/iu,
  /^(?:source|via|from|image credit|photo credit|credit|exclusive|updated?|breaking|watch|live|analysis)\s*:?\s.{0,60}$/iu,
]

/** Whole paragraphs after the last sentence. */
const FOOTS = [
  /^[\s_*•·–—=-]*$/u,
  /^[([]?(?:additional )?(?:reporting|writing|editing|compiled|edited|contributing)\s*(?:by|:)/iu,
  /^(?:\([^)]{0,60}\)\s*)?(?:copyright|©|\(c\)\s)/iu,
  /\ball rights reserved\b/iu,
  /\bmay not be (?:published|reproduced|redistributed|broadcast|rewritten)\b/iu,
  /^.{0,200}\bcontribut(?:ed|ing)(?: reporting)?(?: to this (?:report|story|article))?\.?$/iu,
  /^.{0,160}\bcontributed to this (?:report|story|article)\b.{0,60}$/iu,
  /^our standards:/iu,
  /^(?:sign up|subscribe|follow|read more|read or share|read next|click here|join the conversation|related|more from|send tips|watch:|advertisement|further reading|see also|share this|get the latest|download the)\b.{0,200}$/iu,
  /^this (?:story|article|report) (?:has been|was|is being) (?:updated|corrected|originally published|first published|provided)\b.{0,200}$/iu,
  /^this (?:report|story) contains material from\b.{0,80}$/iu,
  /^content created by\b/iu,
  /^[-–—(]*\s*(?:with assistance (?:from|by)|with reporting by|source:|sources:|via\s|tags:|topics:|contact the (?:author|reporter)|write to\s).{0,200}$/iu,
  /^(?:the post\s.{0,200}\sappeared first on|this (?:article|story|post|piece) (?:originally|first) appeared|originally published|distributed by|reprinted with)\b.{0,200}$/iu,
  /^(?:associated press|reuters|ap) (?:writers?|reporters?|correspondents?)\b.{0,300}$/iu,
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
  const paragraphs = text.split(/[\r\n\u2028\u2029]+/).flatMap((line) => line.trim() || [])
  const last = paragraphs.findLastIndex((paragraph) => !LINE.test(paragraph) && !matchesOne(FOOTS, paragraph))
  for (const [first, paragraph] of paragraphs.entries()) {
    const opening = withoutDateline(paragraph)
    if (first <= last && !isHead(opening)) return [opening, ...paragraphs.slice(first + 1, last + 1)]
  }
  return paragraphs
}

const isHead = (paragraph: string): boolean => LINE.test(paragraph) || matchesOne(HEADS, paragraph)

/** Some texts carry more than one: the agency's own behind that of the paper. */
function withoutDateline(paragraph: string): string {
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
