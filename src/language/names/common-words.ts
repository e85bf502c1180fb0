import { isOfPlace } from '../places/places.ts'
import { factsOf, KNOWN, openLexicon } from '../recogniser/lexicon.ts'
import { remembered } from '../memoize.ts'
import { openTagLexicon } from '../tokens/part-of-speech.ts'
import { aliasOf } from './aliases.ts'
import { isFirstName } from './person-form.ts'
import { isGeneric, type TypedName } from './written-form.ts'
import { isAllCapitals, nameKey } from './name-key.ts'
import { isPlaceName } from './place-names.ts'
import { TITLES } from './mentions.ts'

/**
 * Values of `lowered` in the lexicon: from `MOSTLY` on a word is mostly in lower case within sentences, up to `RARELY`
 * hardly ever, at `UNKNOWN` it is not known.
 */
const MOSTLY = 5
const RARELY = 2
const UNKNOWN = 7
const LONGEST_ACRONYM = 4

/**
 * Whether a name found by a recogniser is an ordinary word: "Gunman", "Police Dept", "kosher". Applies to single words,
 * or to several generic words. Names in the name tables are never ordinary words.
 */
export const isNoName = ({ name, type }: TypedName): boolean => isOrdinary(`${type} ${name}`)

const isOrdinary = remembered((typed): boolean => {
  const [type, name] = [typed.slice(0, typed.indexOf(' ')), typed.slice(typed.indexOf(' ') + 1)]
  const word = nameKey(name)
  if (isKnown({ name, type }, word)) return false
  if (word.length < 2 || isGeneric(name) || word.split(' ').every((each) => TITLES.has(each))) return true
  return !/[\s#]/u.test(name) && (isLowerCaseWord(name) || isMostlyLowerCase(word, name))
})

const isKnown = ({ name, type }: TypedName, word: string): boolean =>
  aliasOf('ORG', name) !== undefined ||
  aliasOf('PERSON', name) !== undefined ||
  isFirstName(word) ||
  (isOfPlace({ type }) && isPlaceName(word))

/** Whether a name in lower case is an ordinary word, and not a name whose writer omits capitals, such as "putin". */
function isLowerCaseWord(name: string): boolean {
  if (name !== name.toLowerCase() || !/^[a-z]/u.test(name)) return false
  const { lowered } = factsOf(openLexicon(), name.slice(0, 1).toUpperCase() + name.slice(1))
  return lowered > RARELY && factsOf(openLexicon(), name.toUpperCase()).lowered > RARELY
}

/**
 * Whether newspapers mostly write it in lower case; if this is unknown, whether a dictionary has it only as an ordinary
 * word.
 */
function isMostlyLowerCase(word: string, name: string): boolean {
  if (isAllCapitals(name) && name.length <= LONGEST_ACRONYM) return false
  const { lowered, known } = factsOf(openLexicon(), name)
  if ((known & (KNOWN.lastName | KNOWN.firstName)) !== 0) return false
  const usual = lowered === UNKNOWN ? factsOf(openLexicon(), word).lowered : lowered
  return usual === UNKNOWN ? isPlainWord(word, name) : usual >= MOSTLY
}

function isPlainWord(word: string, name: string): boolean {
  const tags = openTagLexicon()
  return tags.has(word) && tags.get(word)?.tag !== 'PROPN' && !tags.has(name)
}
