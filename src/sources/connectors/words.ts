import type { StoryTarget } from './targets.ts'

/** ` like this `: lower case and nothing but letters and digits between blanks, so that a phrase is a part of it. */
export const inWords = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `

type ConnectorWords = Pick<StoryTarget, 'terms' | 'entities'>

/** The terms that are names, and the others. */
export function parted({ terms, entities }: ConnectorWords): {
  readonly names: readonly string[]
  readonly words: readonly string[]
} {
  const isName = (term: string): boolean => entities.includes(term)
  return { names: terms.filter(isName), words: terms.filter((term) => !isName(term)) }
}

/**
 * Whether a text may be about a story: it holds one of its names and one more of its terms. A story that names nobody:
 * its two first terms and one more. The same is asked of a platform's search (`queryOf`).
 */
export function mayBeAbout(target: ConnectorWords, text: string): boolean {
  const folded = inWords(text)
  const found = target.terms.filter((term) => folded.includes(inWords(term)))
  const { names } = parted(target)
  if (names.length > 0)
    return found.some((term) => names.includes(term)) && found.length >= Math.min(2, target.terms.length)
  return (
    target.terms.slice(0, 2).every((term) => found.includes(term)) && found.length >= Math.min(3, target.terms.length)
  )
}

const SURE_TERMS = 3

/**
 * The story's id where a text holds three of its terms and a name among them, else null: then the stage that knows all
 * stories says which one it is about.
 */
export function claimOf(target: StoryTarget, text: string): string | null {
  const folded = inWords(text)
  const found = target.terms.filter((term) => folded.includes(inWords(term)))
  const named = parted(target).names.some((name) => found.includes(name))
  return named && found.length >= SURE_TERMS ? target.cluster_id : null
}

/**
 * A question of words, phrases, OR and brackets that all texts fit which `mayBeAbout` lets through, at most `longest`
 * characters: the last terms are left out first. Null: there is nothing to ask for.
 */
export function queryOf(target: ConnectorWords, longest: number): string | null {
  for (let kept = target.terms.length; kept > 0; kept--) {
    const query = written({ entities: target.entities, terms: target.terms.slice(0, kept) })
    if (query.length <= longest) return query
  }
  return null
}

function written(target: ConnectorWords): string {
  const { names, words } = parted(target)
  const [first, second] = names
  if (first === undefined) return wordsAlone(words)
  const others = [...names.slice(1), ...words]
  const withFirst = both(phrase(first), others)
  return second === undefined || words.length === 0 ? withFirst : `(${withFirst}) OR (${both(phrase(second), words)})`
}

function wordsAlone(words: readonly string[]): string {
  const sure = words.slice(0, 2).map(phrase).join(' ')
  return words.length <= 2 ? sure : both(sure, words.slice(2))
}

const both = (sure: string, others: readonly string[]): string => {
  if (others.length === 0) return sure
  const any = others.map(phrase).join(' OR ')
  return `${sure} ${others.length === 1 ? any : `(${any})`}`
}

/** In quotation marks, whatever it is: so `or` is a word and `a-b` no exclusion. */
const phrase = (term: string): string => `"${term.replace(/["\\]+/g, ' ').trim()}"`
