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

/** A name as it is compared: titles, possessives and signs gone, tags taken apart. */
export const written = remembered((name) => {
  const bare = withoutPossessive(trimmedName(name.replace(/^[#@]+/u, '')))
  const { name: plain } = splitTitles(apart(bare))
  const words = nameKey(plain).split(' ').filter(Boolean)
  return {
    /** The name itself, as `nameKey` takes it. */
    plain,
    words,
    /** Without blanks: "#NotreDame" and "Notre-Dame" are one. */
    solid: words.join(''),
    acronym: isAcronym(plain),
    /** Of two words and more: what its first letters may make. */
    letters: words.length < 2 ? [] : lettersOf({ name: plain, words }).map((each) => each.toLowerCase()),
  }
})

/** Word boundaries in a tag without spaces: "SpikeLee", "CBCNews", "Vote2016". */
const SEAM = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{Ll})(?=\p{N})/u
/** Prefixes of surnames: "McDonald", "DeBlasio" are one word. */
const BEGINNING = /^(?:Mc|Mac|De|Di|Du|Da|La|Le|Al|El|Van|Von|Fitz|St)$/u

function apart(name: string): string {
  if (name.includes(' ')) return name
  const parts = name.split(SEAM)
  const isOne =
    BEGINNING.test(parts[0] ?? '') || parts.some((part, i) => part.length < 2 && (i > 0 || !CAPITAL.test(part)))
  return isOne ? name : parts.join(' ')
}

const CAPITAL = /^\p{Lu}$/u
/** Generic words for events and services. They do not change which name is meant: "Ferguson PD", "#SydneySiege". */
const GENERIC = wordList('names/generic')
/** Generic only next to one of those: "Ottawa Police Department", but not in "Department of Justice". */
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
  const isStrong = strongIn(named)
  if (!words.some(isStrong)) return null
  return withoutJoining(plain.split(' ').filter((word) => !isStrong(nameKey(word)) && !WEAK.has(nameKey(word))))
}

/** Whether a generic word may be a surname, as in "Jack Case". */
const isPerson = ({ name, type }: TypedName, words: readonly string[]): boolean =>
  type === 'PERSON' && name.includes(' ') && words.length === 2 && isFirstName(words[0] ?? '')

/** Generic words, including parts of a place and the number in a tag: "#Vote2016". */
function strongIn({ name, type }: TypedName): (word: string) => boolean {
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
const LEAST = 3
const LEAST_ADDED = 4

/** "sydneysiege" without the generic word at its end; `null` if there is none. */
function cutTag(tag: string): string | null {
  for (let at = LEAST; at <= tag.length - LEAST_ADDED; at++) {
    if (GENERIC.has(tag.slice(at))) return cutTag(tag.slice(0, at)) ?? tag.slice(0, at)
  }
  return null
}
