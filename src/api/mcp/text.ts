/** Limit of the text of a result, in characters. */
export const MAX_TEXT = 8_000
const CURSOR = 'next_cursor: '
const SHORTENED = '(shortened: use a smaller limit or a narrower query)'

/** The lines as one text of at most `MAX_TEXT` characters. A shortened text keeps the cursor, which is the last line. */
export function bounded(lines: readonly string[]): string {
  const text = lines.join('\n')
  if (text.length <= MAX_TEXT) return text
  const last = lines.at(-1) ?? ''
  const kept = last.startsWith(CURSOR) ? [SHORTENED, last] : [SHORTENED]
  const end = text.lastIndexOf('\n', MAX_TEXT - kept.join('\n').length - 1)
  return [text.slice(0, Math.max(end, 0)), ...kept].join('\n')
}

const TITLE_CHARACTERS = 140
const QUOTE_CHARACTERS = 320
const URL_CHARACTERS = 300

/** At most `max` characters; a longer text ends with an ellipsis. */
const clip = (text: string, max: number): string => {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line.length <= max) return line
  const cut = line.slice(0, max - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

export const clipTitle = (title: string | null): string =>
  title === null || title === '' ? '(untitled)' : clip(title, TITLE_CHARACTERS)
export const clipQuote = (quote: string): string => clip(quote, QUOTE_CHARACTERS)
/** A shortened address would lead elsewhere, so a long one is left out. */
export const shortUrl = (url: string | null): string | null =>
  url !== null && url.length <= URL_CHARACTERS ? url : null

/** `2026-11-22 08:00` (UTC). */
export const minute = (time: string | null): string => (time === null ? 'undated' : time.slice(0, 16).replace('T', ' '))

export interface CitedArticle {
  readonly article_id: string
  readonly title: string
  readonly outlet: string | null
  readonly url?: string | null | undefined
  readonly published: string | null
}

/** `"Title", outlet, 2026-11-22 08:00, https://… [art_…]`. */
export const citation = ({ article_id, title, outlet, url, published }: CitedArticle): string =>
  [`"${title}"`, outlet ?? 'unknown outlet', minute(published), ...(url ? [url] : [])].join(', ') + ` [${article_id}]`

/** A number for people: at most two decimals. */
export const rounded = (value: number): string => String(Math.round(value * 100) / 100)

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A heading with its lines; nothing if there are none. */
export const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...lines]

/** The last line of a list that continues. */
export const moreLine = (cursor: string | null): readonly string[] => (cursor === null ? [] : [`${CURSOR}${cursor}`])
