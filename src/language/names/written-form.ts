import { remembered } from '../memoize.ts'
import { wordList } from '../model-files.ts'
import { isOfPlace } from '../places/places.ts'
import { splitTitles, trimmedName, withoutPossessive } from './mentions.ts'
import { nameKey } from './name-key.ts'
import { isAcronym, lettersOf } from './organisations.ts'
import { isFirstName } from './person-form.ts'
import { isPlaceName } from './place-names.ts'

/** An entity by its canonical name and type (`PERSON`, `ORG`, `GPE`, `LOC`, `EVENT`; empty: unknown). */
export interface TypedName {
  readonly name: string
  readonly type: string
}

/** A name as it is compared: without titles, possessives and signs, with hashtags split into words. */
export const written = remembered((name) => {
  const bare = withoutPossessive(trimmedName(name.replace(/^[#@]+/u, '')))
  const { name: plain } = splitTitles(splitTag(bare))
  const words = nameKey(plain).split(' ').filter(Boolean)
  return {
    /** In its original spelling. */
    plain,
    words,
    /** The words without spaces: "#NotreDame" and "Notre-Dame" are equal. */
    solid: words.join(''),
    acronym: isAcronym(plain),
    /** Possible acronyms of a name of two or more words, in lower case. */
    letters: words.length < 2 ? [] : lettersOf({ name: plain, words }).map((each) => each.toLowerCase()),
  }
})

/** Word boundaries in a tag without spaces: "SpikeLee", "CBCNews", "Vote2016". */
const WORD_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{Ll})(?=\p{N})/u
/** Prefixes of surnames, which are not split off: "McDonald", "DeBlasio". */
const SURNAME_PREFIX = /^(?:Mc|Mac|De|Di|Du|Da|La|Le|Al|El|Van|Von|Fitz|St)$/u

function splitTag(name: string): string {
  if (name.includes(' ')) return name
  const parts = name.split(WORD_BOUNDARY)
  const isOne =
    SURNAME_PREFIX.test(parts[0] ?? '') || parts.some((part, i) => part.length < 2 && (i > 0 || !CAPITAL.test(part)))
  return isOne ? name : parts.join(' ')
}

const CAPITAL = /^\p{Lu}$/u
/** Generic words for events and services. They do not change which name is meant: "Ferguson PD", "#SydneySiege". */
const GENERIC = wordList('names/generic')
/** Words that are generic only next to one of `GENERIC`: "Ottawa Police Department", but not in "Department of Justice". */
const WEAK = wordList('names/weak')
/** Words for parts of a place: "Southern France" is France, but "Western Australia" is a name of its own. */
const PARTS = wordList('names/parts')
/** Words that join the parts of a name and neither begin nor end one. */
const JOINING = wordList('names/joining-words')

/** Whether a name consists only of generic words: "Police Dept". */
export const isGeneric = (name: string): boolean => {
  const { words } = written(name)
  return words.some((word) => GENERIC.has(word)) && words.every((word) => GENERIC.has(word) || WEAK.has(word))
}

/** A name without its generic words; `null` if it has none or nothing is left. */
export function coreOf(named: TypedName): string | null {
  const { plain, words } = written(named.name)
  if (words.length === 1) return cutTag(words[0] ?? '')
  if (isPerson(named, words) || isPlaceName(words.join(' '))) return null
  const isGenericWord = genericIn(named)
  if (!words.some(isGenericWord)) return null
  return withoutJoining(plain.split(' ').filter((word) => !isGenericWord(nameKey(word)) && !WEAK.has(nameKey(word))))
}

/** Whether a generic word may be a surname, as in "Jack Case". */
const isPerson = ({ name, type }: TypedName, words: readonly string[]): boolean =>
  type === 'PERSON' && name.includes(' ') && words.length === 2 && isFirstName(words[0] ?? '')

/** Generic words, including parts of a place and the number in a tag: "#Vote2016". */
function genericIn({ name, type }: TypedName): (word: string) => boolean {
  const [isTag, isPlace] = [!name.includes(' '), isOfPlace({ type })]
  return (word) => GENERIC.has(word) || (isPlace && PARTS.has(word)) || (isTag && /^\p{N}+$/u.test(word))
}

/** Removes joining words at both ends; they stay inside a name: "Bank of America". */
function withoutJoining(words: readonly string[]): string | null {
  const isWord = (word: string): boolean => !JOINING.has(nameKey(word))
  const left = words.slice(words.findIndex(isWord), words.findLastIndex(isWord) + 1)
  return left.length === 0 ? null : left.join(' ')
}

/** Minimum letters of a name, and of the word appended to it, in a tag without capitals. */
const MIN_NAME_LETTERS = 3
const MIN_WORD_LETTERS = 4

/** "sydneysiege" without the generic word at its end; `null` if there is none. */
function cutTag(tag: string): string | null {
  for (let at = MIN_NAME_LETTERS; at <= tag.length - MIN_WORD_LETTERS; at++) {
    if (GENERIC.has(tag.slice(at))) return cutTag(tag.slice(0, at)) ?? tag.slice(0, at)
  }
  return null
}
