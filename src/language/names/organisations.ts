import { addTo } from '../grouped-by.ts'
import { wordList } from '../model-files.ts'
import { isDemonym } from '../places/places.ts'
import { type KnownName, aliasOf } from './aliases.ts'
import {
  type NamedMention,
  type CanonicalName,
  trimmedName,
  withoutCompanyForm,
  withoutPossessive,
} from './mentions.ts'
import { isAllCapitals, nameKey, spellings } from './name-key.ts'

interface Organisation {
  /** Without article, possessive and company form. */
  readonly name: string
  readonly key: string
  readonly words: readonly string[]
  readonly acronym: boolean
  readonly known: KnownName | undefined
}

const MOST_LETTERS = 8

/** Whether a name is one word in capitals, with or without full stops: "ISPR", "U.N.". */
export const isAcronym = (name: string): boolean =>
  isAllCapitals(name) && !name.includes(' ') && name.length <= 2 * MOST_LETTERS

/** Initials of the capitalised words, and of all words: "DJ" and "DOJ" for "Department of Justice". */
export function lettersOf({ name, words }: Pick<Organisation, 'name' | 'words'>): readonly string[] {
  const capitals = name.match(/(?<![\p{L}\p{N}])\p{Lu}/gu)?.join('') ?? ''
  const all = words.map((word) => word.slice(0, 1).toUpperCase()).join('')
  return capitals === all ? [all] : [capitals, all]
}

/**
 * Whether the letters are initials of the other name's words: in order, beginning with the first word, or all of them
 * in any order, as in "CEI".
 */
function mayAbbreviate(short: Organisation, long: Organisation): boolean {
  const letters = short.key.replaceAll(' ', '')
  return inOrder(letters, long) || lettersOf(long).some((each) => sorted(each.toLowerCase()) === sorted(letters))
}

const sorted = (letters: string): string => Array.from(letters).sort().join('')

function inOrder(letters: string, long: Organisation): boolean {
  let next = 0
  for (const word of long.words) if (word.startsWith(letters.slice(next, next + 1)) && next < letters.length) next++
  return next === letters.length && letters.length > 1 && long.words[0]?.startsWith(letters.slice(0, 1)) === true
}

/**
 * Acronyms that the article explains in brackets, with their long forms. Acronyms with two explanations are left out.
 */
function definedAcronyms(
  mentions: readonly NamedMention[],
  read: readonly Organisation[],
): ReadonlyMap<string, Organisation> {
  const defined = new Map<string, Organisation | null>()
  for (let i = 1; i < read.length; i++) {
    const pair = explained(read[i - 1], read[i])
    if (pair === null || !isInBrackets(mentions[i - 1], mentions[i])) continue
    const before = defined.get(pair.short.key)
    defined.set(pair.short.key, before === undefined || before?.key === pair.long.key ? pair.long : null)
  }
  return new Map([...defined].flatMap(([key, long]) => (long === null ? [] : [[key, long] as const])))
}

function explained(one: Organisation | undefined, other: Organisation | undefined) {
  if (one === undefined || other === undefined || one.acronym === other.acronym) return null
  const [short, long] = one.acronym ? [one, other] : [other, one]
  return short.key !== long.key && mayAbbreviate(short, long) ? { short, long } : null
}

/** Only the end of a name is compared, because the text before the bracket is cut. */
const COMPARED = 20

function isInBrackets(outside: NamedMention | undefined, inside: NamedMention | undefined): boolean {
  const before = inside?.before?.trimEnd() ?? ''
  if (outside === undefined || !/[([]["“]?$/u.test(before)) return false
  const text = before.replace(/\s*[([]["“]?$/u, '')
  return text.endsWith(outside.surface.slice(-COMPARED))
}

/** Words for kinds of organisations: alone, such a word means the only one of its kind in the article. */
const KINDS = wordList('names/kinds-of-organisation')
/** Words that many names begin with: alone, they are not a short form. */
const COMMON = wordList('names/common-first-words-of-organisations')
const SHORTEST = 4
const SHORTEST_ACRONYM = 3
/** Maximum number of words of a name that are examined. */
const MOST_WORDS = 12

interface ShortFormsEvidence {
  readonly defined: ReadonlyMap<string, Organisation>
  readonly isOther: (short: string) => boolean
}

/** The organisation of the article that a name is short for; the name itself if there is none or more than one. */
function shortForms(
  organisations: readonly Organisation[],
  { defined, isOther }: ShortFormsEvidence,
): (short: Organisation) => Organisation {
  const distinct = new Map(organisations.map((each) => [identity(each), each] as const))
  const long = longNames([...distinct.values()])
  const found = new Map<string, Organisation>()
  const resolve = (short: Organisation): Organisation => {
    const before = found.get(identity(short))
    if (before !== undefined) return before
    found.set(identity(short), short) // ends recursion: while a name is being resolved, it resolves to itself
    const explained = defined.get(short.key)
    const mayBeShort = short.known === undefined || short.acronym
    const longer = mayBeShort ? only(candidates(short, long, isOther), resolve) : undefined
    const answer = explained === undefined ? (longer ?? short) : resolve(explained)
    found.set(identity(short), answer)
    return answer
  }
  return resolve
}

type Long = ReturnType<typeof longNames>

function longNames(organisations: readonly Organisation[]) {
  const byLetters = new Map<string, Organisation[]>()
  const byBeginning = new Map<string, Organisation[]>()
  const byEnding = new Map<string, Organisation[]>()
  for (const each of organisations) {
    const { words } = each
    if (words.length < 2 || words.length > MOST_WORDS) continue
    for (const letters of lettersOf(each)) addTo(byLetters, letters, each)
    for (let n = 1; n < words.length; n++) {
      addTo(byBeginning, words.slice(0, n).join(' '), each)
      addTo(byEnding, words.slice(n).join(' '), each)
    }
  }
  return { byLetters, byBeginning, byEnding }
}

/** The organisation that all of them resolve to; `undefined` if they differ. */
function only(
  longer: readonly Organisation[],
  resolve: (organisation: Organisation) => Organisation,
): Organisation | undefined {
  let one: Organisation | undefined
  for (const each of longer) {
    const answer = resolve(each)
    if (one !== undefined && identity(one) !== identity(answer)) return undefined
    one = answer
  }
  return one
}

const identity = ({ known, key }: Organisation): string => known?.name ?? `?${key}`

function candidates(short: Organisation, long: Long, isOther: ShortFormsEvidence['isOther']): readonly Organisation[] {
  const { key, words, acronym } = short
  if (acronym) return key.length < SHORTEST_ACRONYM ? [] : (long.byLetters.get(key.toUpperCase()) ?? [])
  return words.length > MOST_WORDS || isOther(key) ? [] : containing(short, long)
}

/** Names that begin or end with this one. */
function containing(short: Organisation, { byBeginning, byEnding }: Long): readonly Organisation[] {
  const { key, words } = short
  const continued = (byBeginning.get(key) ?? []).filter((each) => isContinuation(short, each))
  const preceded = (byEnding.get(key) ?? []).filter((each) => hasPlainBeginning(short, each))
  if (words.length > 1) return [...continued, ...preceded]
  if (KINDS.has(key)) return [...continued.filter(continuesWithOf), ...preceded]
  if (key === 'house') return continued.filter(continuesWithOf)
  return isDistinctive(key) ? continued : []
}

/** Whether the longer name adds one word or an "of", "for" or "in" ("Goldman Sachs Group", "Ministry of Defence of Japan"). */
function isContinuation({ words: { length } }: Organisation, { words }: Organisation): boolean {
  return (words.length === length + 1 || LINKING_WORDS.has(words[length] ?? '')) && !words.includes('and', length)
}

/** Whether the words before the short name do not join two names, as in "Republicans in Congress". */
const hasPlainBeginning = (short: Organisation, { words }: Organisation): boolean =>
  !words.slice(0, words.length - short.words.length).some((word) => JOINING_WORDS.has(word))

const JOINING_WORDS = new Set(['and', 'of', 'for', 'in', 'on', 'to', 'with'])

const continuesWithOf = ({ words }: Organisation): boolean => words[1] === 'of'

const LINKING_WORDS = new Set(['of', 'for', 'in'])

const isDistinctive = (word: string): boolean => word.length >= SHORTEST && !COMMON.has(word) && !isDemonym(word)

/** Canonical names of the mentions, in order. `isOther`: whether a short name is also a person's or a place's. */
export function organisationNames(
  mentions: readonly NamedMention[],
  isOther: (short: string) => boolean,
): CanonicalName[] {
  const read = mentions.map(({ surface }) => readOrganisation(surface))
  const spelling = spellings(read.map(({ name }) => name))
  const longOf = shortForms(read, { defined: definedAcronyms(mentions, read), isOther })
  return read.map((organisation) => {
    const { name, known } = longOf(organisation)
    return known ?? { type: 'ORG', name: spelling(name), wikidata_id: null }
  })
}

function readOrganisation(surface: string): Organisation {
  const written = trimmedName(surface)
  const bare = withoutPossessive(written)
  const name = withoutPossessive(withoutCompanyForm(bare)) || surface
  const known = aliasOf('ORG', written) ?? aliasOf('ORG', bare) ?? aliasOf('ORG', name)
  const key = nameKey(name)
  return { name, key, words: key.split(' '), acronym: isAcronym(name), known }
}
