import { once } from '../memoize.ts'
import { modelText, tableLines } from '../model-files.ts'
import { nameKey } from './name-key.ts'

export type Sex = 'f' | 'm'

/** The sex of the bearers of each first name, by key: `f`, `m` or `b` for both. Read on first use. */
const firstNames = once(
  () => new Map(tableLines(modelText('names/first-names.tsv')).map(([name = '', sex = '']) => [name, sex])),
)

/** Whether a word, as folded by `nameKey`, is a known first name. */
export const isFirstName = (key: string): boolean => firstNames().has(key)

/** The sex of the bearers of a first name; `null` if it is used for both or unknown. */
export function sexOf(key: string): Sex | null {
  const sex = firstNames().get(key)
  return sex === 'f' || sex === 'm' ? sex : null
}

/** Short first names and their long forms. Read on first use. */
const nicknames = once(
  () =>
    new Map(tableLines(modelText('names/nicknames.tsv')).map(([short = '', long = '']) => [short, long.split(' ')])),
)

/** The long forms of a short first name, as folded by `nameKey`. */
export const longForms = (name: string): readonly string[] => nicknames().get(name) ?? []

/** Whether two first names, as folded by `nameKey`, may be one person's: "jim" and "james", but not "joe" and "john". */
export function sameFirstName(one: string, other: string): boolean {
  if (one === other) return true
  const long = longForms(one)
  return long.includes(other) || [other, ...longForms(other)].some((each) => each === one || long.includes(each))
}

export interface PersonForm {
  /** As written, without titles. */
  readonly name: string
  /** Words of its `nameKey`, without the generation and Arabic articles. */
  readonly words: readonly string[]
  /** Everything before the surname: given names, and initials as single letters. */
  readonly given: readonly string[]
  readonly surname: string
  /** `jr`, `sr`, `ii`, `iii`, `iv` or empty. */
  readonly generation: string
  /** Whether it was written as more than one word: "al-Assad" was not, "López Obrador" was. */
  readonly full: boolean
}

const GENERATION = /[\s,]+(jr|sr|ii|iii|iv)\.?$/i
const ARTICLES = new Set(['al', 'el'])
export const PARTICLES = new Set('van von der den de da di del della dos du la le bin ibn ter ten mac st'.split(' '))
/** One to three capitals, with or without full stops: "J.D.", "HR". */
const INITIALS = /^(?:\p{Lu}\.?){1,3}$/u

export function personForm(name: string): PersonForm {
  const generation = GENERATION.exec(name)?.[1]?.toLowerCase() ?? ''
  const printed = name.replace(GENERATION, '').split(' ')
  const parts = printed.flatMap((word, i) => wordsOf(word, i < printed.length - 1))
  const words = parts.filter((word, i) => i === parts.length - 1 || !ARTICLES.has(word))
  const given = words.slice(0, surnameAt(words))
  return { name, words, given, surname: words.at(-1) ?? '', generation, full: printed.length > 1 }
}

const wordsOf = (word: string, given: boolean): readonly string[] =>
  given && INITIALS.test(word) ? Array.from(nameKey(word)) : nameKey(word).split(' ').filter(Boolean)

/** Index at which the surname begins, including its particles; never the first word of the name. */
function surnameAt(words: readonly string[]): number {
  let at = Math.max(words.length - 1, 0)
  while (at > 1 && PARTICLES.has(words[at - 1] ?? '')) at--
  return at
}

/**
 * Whether two full names with one surname can be the same person's: no given name, initial or generation contradicts
 * the other.
 */
export function compatible(one: PersonForm, other: PersonForm): boolean {
  if (one.surname !== other.surname || !sameGeneration(one.generation, other.generation)) return false
  const [first = '', ...middle] = one.given
  const [otherFirst = '', ...otherMiddle] = other.given
  if (!sameGiven(first, otherFirst)) return false
  return middle.every((name, i) => otherMiddle[i] === undefined || sameGiven(name, otherMiddle[i] ?? ''))
}

/** "Jr." distinguishes a son from his father; "III" is often left out. */
const sameGeneration = (one: string, other: string): boolean =>
  one === other || ([one, other].includes('') && ![one, other].some((each) => each === 'jr' || each === 'sr'))

function sameGiven(one: string, other: string): boolean {
  if (one.length === 1 || other.length === 1) return one.slice(0, 1) === other.slice(0, 1)
  return sameFirstName(one, other)
}
