import { decodeHTMLStrict } from 'entities'
import { Parser } from 'htmlparser2'

const tagNames = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements that start and end a paragraph. */
const BLOCKS = tagNames(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr html li main ol p pre section summary table tbody tfoot thead tr ul',
)

/** Elements whose content is not part of the article's text. */
const SKIPPED = tagNames(
  'button canvas datalist head iframe map math nav noscript object script select style svg template textarea title',
)

const INLINE = tagNames(
  'a abbr acronym b big br cite code del em font i img ins kbd mark q s small span strong sub sup td th u video',
)

const KNOWN_TAG = /<\/?([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/gi
/** Invisible characters: control characters, byte order mark, soft hyphens; and unpaired surrogates. */
const INVISIBLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\ufeff\ufff9-\uffff]|\p{Cs}/gu

/**
 * The text of an article as a reader sees it: mark-up removed, entities decoded, white space normalised, one blank line
 * between paragraphs. Text without mark-up keeps every `<`.
 */
export function plainText(given: string): string {
  const tags = tagsOf(given)
  if (tags.size === 0) return tidied(decodeHTMLStrict(given))

  // With block elements a line break is white space, as in a browser; without them it is the only paragraph separator.
  const ignoresLineBreaks = [...tags].some((tag) => BLOCKS.has(tag) && tag !== 'pre')
  return tidied(textOf(given, ignoresLineBreaks))
}

/** The text as one line, for titles and names. */
export const plainLine = (given: string): string => plainText(given).replace(/\s+/gu, ' ')

/** Longer lines are not titles or names, and are expensive for every later stage. */
const LONGEST_LINE = 1_000

/**
 * A title or name as a reader sees it, at most 1,000 UTF-16 units; `null` if it is empty. It is cleaned again after the
 * cut, which may have split a character or left a trailing space.
 */
export function shortLine(given: string | null): string | null {
  const line = plainLine(plainLine(given?.slice(0, 10 * LONGEST_LINE) ?? '').slice(0, LONGEST_LINE))
  return line === '' ? null : line
}

function tagsOf(given: string): ReadonlySet<string> {
  const found = new Set<string>()
  if (!given.includes('<')) return found
  for (const [, tag = ''] of given.matchAll(KNOWN_TAG)) {
    const name = tag.toLowerCase()
    if (BLOCKS.has(name) || INLINE.has(name) || SKIPPED.has(name)) found.add(name)
  }
  return found
}

function textOf(html: string, ignoresLineBreaks: boolean): string {
  const parts: string[] = []
  let skippedDepth = 0
  const parser = new Parser({
    onopentagname: (name) => {
      if (SKIPPED.has(name)) skippedDepth++
      parts.push(breakAfter(name))
    },
    onclosetag: (name) => {
      if (SKIPPED.has(name)) skippedDepth--
      if (name !== 'br') parts.push(breakAfter(name))
    },
    ontext: (text) => {
      if (skippedDepth === 0) parts.push(ignoresLineBreaks ? text.replace(/\s+/g, ' ') : text)
    },
  })
  parser.end(html)
  return parts.join('')
}

function breakAfter(tag: string): string {
  if (tag === 'br') return '\n'
  if (tag === 'td' || tag === 'th') return ' '
  return BLOCKS.has(tag) ? '\n\n' : ''
}

function tidied(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(/[^\S\n]{2,}|[^\S\n ]/gu, ' ') // a single space needs no change
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
