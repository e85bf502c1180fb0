import { isOfPlace } from '../places/places.ts'
import { factsOf, KNOWN, openLexicon } from '../recogniser/lexicon.ts'
import { remembered } from '../memoize.ts'
import { openTagLexicon } from '../tokens/part-of-speech.ts'
import { aliasOf } from './aliases.ts'
import { isFirstName } from './person-form.ts'
import { isGeneric, type TypedName } from './written-form.ts'
import { isShouted, nameKey } from './name-key.ts'
import { isPlaceName } from './place-names.ts'
import { TITLES } from './mentions.ts'

/** From here on a word mostly stands in lower case within sentences; up to there hardly ever. */
const MOSTLY = 5
const HARDLY = 2
const UNKNOWN = 7

/**
 * Whether what a recogniser took for a name is a word and no name: "Gunman", "Police Dept", "kosher". One word only, or
 * several that are generic each; what a list of names knows is a name.
 */
export const isNoName = ({ name, type }: TypedName): boolean => noName(`${type} ${name}`)

const noName = remembered((typed): boolean => {
  const [type, name] = [typed.slice(0, typed.indexOf(' ')), typed.slice(typed.indexOf(' ') + 1)]
  const word = nameKey(name)
  if (isKnown({ name, type }, word)) return false
  if (word.length < 2 || isGeneric(name) || word.split(' ').every((each) => TITLES.has(each))) return true
  return !/[\s#]/u.test(name) && (isSmall(name) || isWord(word, name))
})

const isKnown = ({ name, type }: TypedName, word: string): boolean =>
  aliasOf('ORG', name) !== undefined ||
  aliasOf('PERSON', name) !== undefined ||
  isFirstName(word) ||
  (isOfPlace({ type }) && isPlaceName(word))

/** All in lower case, and not because its writer has no capitals: "putin" is a name. */
function isSmall(name: string): boolean {
  if (name !== name.toLowerCase() || !/^[a-z]/u.test(name)) return false
  const { lowered } = factsOf(openLexicon(), name.slice(0, 1).toUpperCase() + name.slice(1))
  return lowered > HARDLY && factsOf(openLexicon(), name.toUpperCase()).lowered > HARDLY
}

/** By how newspapers write it; where they do not, by a dictionary that has it as a plain word alone. */
function isWord(word: string, name: string): boolean {
  if (isShouted(name) && name.length < MOSTLY) return false
  const { lowered, known } = factsOf(openLexicon(), name)
  if ((known & (KNOWN.lastName | KNOWN.firstName)) !== 0) return false
  const usual = lowered === UNKNOWN ? factsOf(openLexicon(), word).lowered : lowered
  return usual === UNKNOWN ? isPlainWord(word, name) : usual >= MOSTLY
}

function isPlainWord(word: string, name: string): boolean {
  const tags = openTagLexicon()
  return tags.has(word) && tags.get(word)?.tag !== 'PROPN' && !tags.has(name)
}
