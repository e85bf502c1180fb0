import type { StoryTarget } from './platform.ts'

/**
 * Normalises text to ` like this `: lower case, with only letters and digits between single spaces, so that a phrase
 * can be matched as a substring.
 */
export const spacedWords = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `

type ConnectorWords = Pick<StoryTarget, 'terms' | 'entities'>

/** Splits a story's terms into names and other words. */
export function splitTerms({ terms, entities }: ConnectorWords) {
  const isName = (term: string): boolean => entities.includes(term)
  return { names: terms.filter(isName), words: terms.filter((term) => !isName(term)) }
}

/**
 * Whether a text may be about a story: it contains one of its names and one more of its terms; for a story without names,
 * its first two terms and one more. `queryOf` searches for the same.
 */
export function mayBeAbout(target: ConnectorWords, text: string): boolean {
  const found = termsIn(text, target)
  const { names } = splitTerms(target)
  if (names.length > 0)
    return found.some((term) => names.includes(term)) && found.length >= Math.min(2, target.terms.length)
  return (
    target.terms.slice(0, 2).every((term) => found.includes(term)) && found.length >= Math.min(3, target.terms.length)
  )
}

function termsIn(text: string, { terms }: ConnectorWords): readonly string[] {
  const folded = spacedWords(text)
  return terms.filter((term) => folded.includes(spacedWords(term)))
}

const CERTAIN_TERMS = 3

/**
 * The story's id if a text contains three of its terms, at least one of them a name. Otherwise `null`, and the stage
 * `enriched`, which knows all stories, decides.
 */
export function certainStory(target: StoryTarget, text: string): string | null {
  const found = termsIn(text, target)
  const named = splitTerms(target).names.some((name) => found.includes(name))
  return named && found.length >= CERTAIN_TERMS ? target.cluster_id : null
}

/**
 * A query of phrases, OR and parentheses that matches every text that `mayBeAbout` accepts. If it is longer than
 * `longest` characters, the last terms are dropped. `null` if there is nothing to search for.
 */
export function queryOf(target: ConnectorWords, longest: number): string | null {
  for (let kept = target.terms.length; kept > 0; kept--) {
    const query = queryText({ entities: target.entities, terms: target.terms.slice(0, kept) })
    if (query.length <= longest) return query
  }
  return null
}

function queryText(target: ConnectorWords): string {
  const { names, words } = splitTerms(target)
  const [first, second] = names
  if (first === undefined) return wordsAlone(words)
  const others = [...names.slice(1), ...words]
  const withFirst = both(phrase(first), others)
  return second === undefined || words.length === 0 ? withFirst : `(${withFirst}) OR (${both(phrase(second), words)})`
}

function wordsAlone(words: readonly string[]): string {
  const required = words.slice(0, 2).map(phrase).join(' ')
  return words.length <= 2 ? required : both(required, words.slice(2))
}

const both = (required: string, others: readonly string[]): string => {
  if (others.length === 0) return required
  const any = others.map(phrase).join(' OR ')
  return `${required} ${others.length === 1 ? any : `(${any})`}`
}

/** Always quoted, so that `or` is not an operator and `a-b` is not an exclusion. */
export const phrase = (term: string): string => `"${term.replace(/["\\]+/g, ' ').trim()}"`
