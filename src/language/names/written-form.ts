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

/** Where a tag without blanks has its next word: "SpikeLee", "CBCNews", "Vote2016". */
const SEAM = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{Ll})(?=\p{N})/u
/** Beginnings of surnames: "McDonald", "DeBlasio" are one word. */
const BEGINNING = /^(?:Mc|Mac|De|Di|Du|Da|La|Le|Al|El|Van|Von|Fitz|St)$/u

function apart(name: string): string {
  if (name.includes(' ')) return name
  const parts = name.split(SEAM)
  const isOne =
    BEGINNING.test(parts[0] ?? '') || parts.some((part, i) => part.length < 2 && (i > 0 || !CAPITAL.test(part)))
  return isOne ? name : parts.join(' ')
}

const CAPITAL = /^\p{Lu}$/u
/** What happens and who comes to it: with a name, "Ferguson PD", "#SydneySiege", it is that name and no other. */
const GENERIC = wordList('names/generic')
/** These only beside one of those: "Ottawa Police Department", but the "Department of Justice" is no Justice. */
const WEAK = wordList('names/weak')
/** "Southern France" is France, but "Western Australia" has a name of its own. */
const PARTS = wordList('names/parts')
/** They hold a name together, and begin or end none. */
const JOINING = wordList('names/joining-words')

/** Whether a name is nothing but such words: "Police Dept". */
export const isGeneric = (name: string): boolean => {
  const { words } = written(name)
  return words.some((word) => GENERIC.has(word)) && words.every((word) => GENERIC.has(word) || WEAK.has(word))
}

/** What a name is without the words that anything of its kind could have; null where it has none or nothing is left. */
export function coreOf(named: TypedName): string | null {
  const { plain, words } = written(named.name)
  if (words.length === 1) return cutTag(words[0] ?? '')
  if (isPerson(named, words) || isPlaceName(words.join(' '))) return null
  const isStrong = strongIn(named)
  if (!words.some(isStrong)) return null
  return withoutJoining(plain.split(' ').filter((word) => !isStrong(nameKey(word)) && !WEAK.has(nameKey(word))))
}

/** "Jack Case" is called so. */
const isPerson = ({ name, type }: TypedName, words: readonly string[]): boolean =>
  type === 'PERSON' && name.includes(' ') && words.length === 2 && isFirstName(words[0] ?? '')

/** Parts of a place are its own, and so is the number of a tag: "#Vote2016". */
function strongIn({ name, type }: TypedName): (word: string) => boolean {
  const [isTag, isPlace] = [!name.includes(' '), isOfPlace({ type })]
  return (word) => GENERIC.has(word) || (isPlace && PARTS.has(word)) || (isTag && /^\p{N}+$/u.test(word))
}

/** Small words stay within a name only: "Bank of America". */
function withoutJoining(words: readonly string[]): string | null {
  const isWord = (word: string): boolean => !JOINING.has(nameKey(word))
  const left = words.slice(words.findIndex(isWord), words.findLastIndex(isWord) + 1)
  return left.length === 0 ? null : left.join(' ')
}

/** Letters of a name, and of what is added to it, in a tag that has no capitals to distinguish them. */
const LEAST = 3
const LEAST_ADDED = 4

/** "sydneysiege" without its end; null where it has no such end. */
function cutTag(tag: string): string | null {
  for (let at = LEAST; at <= tag.length - LEAST_ADDED; at++) {
    if (GENERIC.has(tag.slice(at))) return cutTag(tag.slice(0, at)) ?? tag.slice(0, at)
  }
  return null
}
