import { paragraphsOf } from './paragraphs.ts'

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
const CREDITED =
  '(?:(?:["“]?[\\p{Lu}\\p{N}@](?:[^\\s,;]|[,;](?=\\S))*|and|in|from|at|on|for|with|by|of|the|de|la|van|von|der|al|&|[|/–—-]|also|additional|reporting|reporters?|writers?|writing|editing|photographers?|correspondents?|staff)[,;]?(?:\\s+|$))+$'

/** What times and dates are written in, with a number somewhere. */
const MOMENT =
  '(?:\\p{Nd}{1,4}(?:st|nd|rd|th|[ap]m|h)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|[ap]\\.?m|noon|midnight|[ecmp][sd]?t|gmt|bst|utc|(?:first|last)|posted|published|updated|modified|at|on|hours?|hrs?|minutes?|mins?|min|days?|read|ago)'

/** Whole paragraphs before the first sentence that say who wrote, photographed or last changed it. */
const HEADS = [
  new RegExp(`^(?:By|BY|by):?\\s+\\p{Lu}(?:\\p{Lu}\\.|[^.!?]){1,100}(?<!${STOP})$`, 'u'),
  new RegExp(
    `^(?:first |last )?(?:written|reported|posted|published|updated)\\s*(?:by\\b|:)[^.!?]{0,80}(?<!${STOP})$`,
    'iu',
  ),
  new RegExp(`^(?:${AGENCY}|\\(${AGENCY}\\))(?![\\p{L}\\p{N}])[^.!?]{0,30}(?<!${STOP})$`, 'u'),
  /^\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]*){1,3}\s*[,|/–—-]\s*(?:[Aa]ssociated [Pp]ress|[Rr]euters|REUTERS|AP|AFP|USA T(?:oday|ODAY)|CNN)\b[^.!?]{0,30}$/u,
  /^\(?(?:(?:AP|AFP|EPA|Reuters|REUTERS|Getty|File|FILE) )?(?:[Pp]hotos?|PHOTOS?|[Ii]mages?|IMAGES?|[Pp]ictures?|PICTURES?)(?:\s*[:/(]|\s+(?:by|BY|via)\s+\p{Lu}|\s+(?:credit|courtesy)\b)[^.!?]{0,120}\)?\.?$/u,
  /^\(?getty images(?:\s*[,:/|–—-][^.!?]{0,60})?\)?\.?$/iu,
  /^(?:advertisement|close|listen to article|share this article|story highlights|(?:this is a )?breaking news(?: alert)?)\.?$/iu,
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
  /^[\s_*•·–—=-]*$/u,
  new RegExp(
    `^(?:[Aa]dditional )?(?:[Rr]eporting|REPORTING|[Ww]riting|[Ee]diting|[Cc]ompiled|[Ee]dited|[Cc]ontributing)(?:\\s*:|\\s+[Bb][Yy]\\s+${CREDITED})`,
    'u',
  ),
  /^[([](?:additional )?(?:reporting|writing|editing|compiled|edited|contributing)\s*(?:by|:)/iu,
  /^(?:\([^)]{0,60}\)\s*)?(?:©|(?:copyright\s*)?\(c\)\s*\p{Nd}{4}|copyright\s*(?:©|\(c\)|\p{Nd}{4}|:))/iu,
  /\ball rights reserved\b/iu,
  /\bmay not be (?:published|reproduced|redistributed|broadcast|rewritten|distributed),?\s(?:or\s)?(?:published|reproduced|redistributed|broadcast|rewritten|distributed|transmitted)\b/iu,
  /^.{0,200}\bcontribut(?:ed|ing)(?: reporting)? to this (?:report|story|article|post|piece)\b.{0,60}$/iu,
  /^.{0,200}\bcontributed reporting(?:\s+from\s.{0,60})?\.?$/iu,
  /^our standards:/iu,
  /^(?:sign up (?:for|here|now|today|to (?:get|receive))|subscribe (?:to|for|now|here|today)|follow us|read or share this|click here|join the conversation|send tips to|share this|get the latest (?:news|stories|updates)|download the .{0,40}\bapp)\b.{0,200}$/iu,
  /^(?:related|more from|more on|read more|read next|watch|further reading|see also|advertisement|sources?|tags|topics)[^.!?:]{0,30}:.{0,200}$/iu,
  /^follow\s.{0,120}(?:@\p{L}|\bon (?:twitter|facebook|instagram|snapchat|youtube)\b).{0,100}$/iu,
  /^(?:contact the (?:author|reporter)|write to)\s.{0,120}(?:@|\bat\s).{0,80}$/iu,
  /^this (?:story|article) (?:has been|was|is being) (?:updated|corrected|originally published|first published)\b.{0,200}$/iu,
  /^this (?:report|story) contains material from\b.{0,80}$/iu,
  /^content created by\b/iu,
  /^(?:the post\s.{0,200}\sappeared first on|this (?:article|story|post|piece) (?:originally|first) appeared|reprinted with permission)\b.{0,200}$/iu,
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
