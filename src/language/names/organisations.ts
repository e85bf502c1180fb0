import { wordList } from '../model-files.ts'
import { isDemonym } from '../places/demonyms.ts'
import { lettersOf, type Organisation, definedAcronyms, isAcronym } from './acronyms.ts'
import { aliasOf } from './aliases.ts'
import { addTo } from './full-names.ts'
import {
  type CanonicalName,
  type NamedMention,
  trimmedName,
  withoutCompanyForm,
  withoutPossessive,
} from './mentions.ts'
import { nameKey, spellings } from './name-key.ts'

/** What an organisation is: alone it means the only one of that kind in the article. */
const KINDS = wordList('names/kinds-of-organisation')

/** Words that many names begin with: alone they are not the short form of one. */
const COMMON = wordList('names/common-first-words-of-organisations')
const SHORTEST = 4
const SHORTEST_ACRONYM = 3
/** Words of a name that are looked at. */
const MOST_WORDS = 12

interface ShortFormsEvidence {
  /** Acronyms that the article explains. */
  readonly defined: ReadonlyMap<string, Organisation>
  readonly isOther: (short: string) => boolean
}

interface Long {
  readonly byLetters: ReadonlyMap<string, readonly Organisation[]>
  readonly byBeginning: ReadonlyMap<string, readonly Organisation[]>
  readonly byEnding: ReadonlyMap<string, readonly Organisation[]>
}

/** Which organisation of the article a name is short for; itself where there is none or more than one. */
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
    found.set(identity(short), short) // who is asked about himself while he is looked up is himself
    const explained = defined.get(short.key)
    const mayBeShort = short.known === undefined || short.acronym
    const longer = mayBeShort ? only(candidates(short, long, isOther), resolve) : undefined
    const answer = explained === undefined ? (longer ?? short) : resolve(explained)
    found.set(identity(short), answer)
    return answer
  }
  return resolve
}

function longNames(organisations: readonly Organisation[]): Long {
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

/** The one they all come to, if they do. */
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
  const goesOn = (byBeginning.get(key) ?? []).filter((each) => mayGoOn(short, each))
  const isLed = (byEnding.get(key) ?? []).filter((each) => mayLead(short, each))
  if (words.length > 1) return [...goesOn, ...isLed]
  if (KINDS.has(key)) return [...goesOn.filter(namesWhatOf), ...isLed]
  if (key === 'house') return goesOn.filter(namesWhatOf)
  return isDistinctive(key) ? goesOn : []
}

/** "Goldman Sachs" goes on with "Group", "Ministry of Defence" with "of Japan"; more is another's name: "University of Texas Muslim Student Association". */
function mayGoOn({ words: { length } }: Organisation, { words }: Organisation): boolean {
  return (words.length === length + 1 || LINKS.has(words[length] ?? '')) && !words.includes('and', length)
}

/** What stands before it is of the same name: nothing joins the two, as in "Republicans in Congress". */
const mayLead = (short: Organisation, { words }: Organisation): boolean =>
  !words.slice(0, words.length - short.words.length).some((word) => JOINS.has(word))

const JOINS = new Set(['and', 'of', 'for', 'in', 'on', 'to', 'with'])

const namesWhatOf = ({ words }: Organisation): boolean => words[1] === 'of'

const LINKS = new Set(['of', 'for', 'in'])

const isDistinctive = (word: string): boolean => word.length >= SHORTEST && !COMMON.has(word) && !isDemonym(word)

/** One name a mention, in order. `isOther`: whether a short name is a person's or a place's as well. */
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
