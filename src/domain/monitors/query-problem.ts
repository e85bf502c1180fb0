export const MAX_QUERY_CHARACTERS = 200
export const MAX_TERMS = 20

/** A word or a quoted phrase, perhaps after `-`. */
const TERM = /-?"[^"]*"|[^\s"]+/gu

/** Why a query of words and "quoted phrases" cannot be matched; `null` if it can be. */
export function queryProblem(query: string): string | null {
  if (query === '') return null
  if ((query.split('"').length - 1) % 2 === 1) return 'a quotation mark is missing'
  const terms = query.match(TERM) ?? []
  if (terms.length > MAX_TERMS) return `must have at most ${MAX_TERMS} words and phrases`
  if (!terms.every((term) => /[\p{L}\p{N}]/u.test(term))) return 'each word or phrase needs a letter or digit'
  return terms.every((term) => term.startsWith('-')) ? 'at least one word or phrase must not be excluded' : null
}
