import { queryTerms } from './query.ts'

export const MAX_QUERY_CHARACTERS = 200
export const MAX_TERMS = 20
/** Longer phrases are expensive to look for in a text that repeats their first words. */
const MAX_PHRASE_WORDS = 12

/** Words and quoted phrases, each perhaps after `-`, with spaces between them. */
const WELL_FORMED = /^\s*(?:-?(?:"[^"]*"|[^\s"]+)(?:\s+|$))*$/u

/** Why a query of words and "quoted phrases" cannot be matched; `null` if it can be. */
export function queryProblem(query: string): string | null {
  if (query === '') return null
  if ((query.split('"').length - 1) % 2 === 1) return 'a quotation mark is missing'
  if (!WELL_FORMED.test(query)) return 'expected a space before and after each "quoted phrase"'
  const given = query.match(/-?"[^"]*"|[^\s"]+/gu) ?? []
  return sizeProblem(given) ?? termsProblem(query, given.length)
}

function sizeProblem(given: readonly string[]): string | null {
  if (given.length > MAX_TERMS) return `must have at most ${MAX_TERMS} words and phrases`
  const isLong = given.some((term) => term.trim().split(/\s+/u).length > MAX_PHRASE_WORDS)
  return isLong ? `a phrase must have at most ${MAX_PHRASE_WORDS} words` : null
}

function termsProblem(query: string, given: number): string | null {
  const terms = queryTerms(query)
  if (terms.length < given) return 'each word or phrase needs a letter or digit'
  return terms.every(({ excluded }) => excluded) ? 'at least one word or phrase must not be excluded' : null
}
