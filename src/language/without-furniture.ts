const AGENCY =
  '(?:AP|Associated Press|The Associated Press|Reuters|AFP|UPI|CNN|CNS|Bloomberg|Xinhua|TASS|dpa|DPA|PA|Press Association|ANI|PTI|IANS|EFE|ANSA|Kyodo(?: News)?|Yonhap|AAP|NPR|CNBC|BBC|Fox News|RNS|Thomson Reuters Foundation)'
const DASH = '(?:--+|[-–—])'
const DATE = '(?:,\\s+(?:\\p{Lu}[\\p{L}.]{2,9}\\s+\\d{1,2}|\\d{1,2}\\s+\\p{Lu}[\\p{L}.]{2,9})(?:,?\\s+\\d{4})?)?'
const PROVINCE = "(?:,\\s+\\p{Lu}[\\p{L}.' ]{1,25})?"
const UPPER_PLACE = `\\p{Lu}[\\p{Lu}.'’ -]{2,40}${PROVINCE}`
const PLACE = `\\p{Lu}[\\p{L}.'’ -]{2,40}${PROVINCE}`

/** What agencies put before the first sentence: `WASHINGTON (AP) — `, `LONDON, May 3 (Reuters) - `, `(CNN) `, `PARIS — `. */
const DATELINES = [
  new RegExp(`^(?:${PLACE}${DATE})?\\s*\\(${AGENCY}(?:\\s+\\w+)?\\)\\s*${DASH}?\\s*`, 'u'),
  new RegExp(`^${UPPER_PLACE}${DATE}\\s*[/|]\\s*${AGENCY}\\s*[/|]?\\s*${DASH}?\\s*`, 'u'),
  new RegExp(`^${UPPER_PLACE}${DATE}\\s*(?:\\s${DASH}|—|--)\\s*`, 'u'),
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
  /^\p{Nd}{1,2}(?::\p{Nd}{2})?\s*(?:a\.?m|p\.?m)\b[^.!?]{0,30}$/iu,
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
  /^(?:associated press|reuters|ap) (?:writers?|reporters?|correspondents?)\b.{0,300}$/iu,
]

const matchesOne = (rules: readonly RegExp[], paragraph: string): boolean =>
  paragraph.length <= 700 && rules.some((rule) => rule.test(paragraph))

/**
 * The paragraphs an author wrote: bylines, datelines, agency prefixes and footers are gone, which are what changes when
 * one newsroom prints another's text. A text of nothing else is given back whole.
 */
export function withoutFurniture(text: string): string[] {
  const paragraphs = text.split(/\n+/).flatMap((line) => line.trim() || [])
  const first = paragraphs.findIndex((paragraph) => !matchesOne(HEADS, paragraph))
  const last = paragraphs.findLastIndex((paragraph) => !matchesOne(FOOTS, paragraph))
  const [opening, ...others] = first < 0 ? [] : paragraphs.slice(first, last + 1)
  return opening === undefined ? paragraphs : [withoutDateline(opening), ...others]
}

function withoutDateline(paragraph: string): string {
  for (const dateline of DATELINES) {
    const rest = paragraph.replace(dateline, '')
    if (rest !== paragraph && rest !== '') return rest
  }
  return paragraph
}
