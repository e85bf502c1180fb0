/** A word or phrase of a query. */
export interface QueryTerm {
  /**
   * A case-insensitive regular expression that RE2 (ClickHouse) and JavaScript read alike, so that the preview of a
   * monitor in SQL and its stage find the same articles.
   */
  readonly pattern: string
  /** Lower case, if all characters are ASCII: a text without it cannot match. Otherwise `null`. */
  readonly needle: string | null
  /** The text must not contain it. */
  readonly excluded: boolean
}

/** Text that queries search, with its lower-case form. */
export interface SearchedText {
  readonly text: string
  readonly lower: string
}

export const searchedText = (...parts: readonly (string | null)[]): SearchedText => {
  const text = parts
    .map((part) => part ?? '')
    .join('\n')
    .normalize('NFC')
  return { text, lower: text.toLowerCase().replaceAll('ſ', 's') } // as the expressions fold it
}

/** The words and "quoted phrases" of a query. `-` before one excludes it, `*` at its end matches any ending. */
export function queryTerms(query: string): readonly QueryTerm[] {
  return [...query.normalize('NFC').matchAll(TERM)].flatMap(([, minus, phrase, word]) => {
    const term = termOf(phrase ?? word ?? '')
    return term === null ? [] : [{ ...term, excluded: minus === '-' }]
  })
}

/** Whether a text contains every term of the query and none that it excludes. */
export function compileQuery(query: string): (searched: SearchedText) => boolean {
  const terms = queryTerms(query).map(({ pattern, ...term }) => ({ ...term, expression: new RegExp(pattern, 'iu') }))
  return ({ text, lower }) =>
    terms.every(({ expression, needle, excluded }) => {
      const contains = (needle === null || lower.includes(needle)) && expression.test(text)
      return contains !== excluded
    })
}

const TERM = /(?<!\S)(-?)(?:"([^"]*)"|(\S+))/gu

/** Scripts that are written without spaces: a word may begin and end anywhere. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}]$`, 'u')
const WORD = /[\p{L}\p{M}\p{N}]/u
const NO_WORD = String.raw`[^\p{L}\p{M}\p{N}]`
/** The two at the end are white space in JavaScript only. */
const SPACES = '[\\s\\p{Z}\u000b\ufeff]+'
const ASCII = /^[\x21-\x7e]+$/
const SPECIAL = /[\\^$.*+?()[\]{}|]/g

/** `null` for a term without a letter or digit, which is ignored. */
function termOf(given: string): Omit<QueryTerm, 'excluded'> | null {
  const isPrefix = given.endsWith('*')
  const words = given.replace(/\*+$/, '').trim().split(/\s+/u)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (!words.some((word) => WORD.test(word))) return null
  const before = BEGINS_UNSPACED.test(first) ? '' : `(?:^|${NO_WORD})`
  const after = isPrefix || ENDS_UNSPACED.test(last) ? '' : `(?:$|${NO_WORD})`
  const pattern = before + words.map((word) => word.replace(SPECIAL, String.raw`\$&`)).join(SPACES) + after
  return { pattern, needle: ASCII.test(first) ? first.toLowerCase() : null }
}
