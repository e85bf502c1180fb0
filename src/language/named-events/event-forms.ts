import { wordList } from '../model-files.ts'
import { capitalised } from '../recogniser/lexicon.ts'
import { isDemonym } from '../places/places.ts'
import { FULL_MONTHS } from '../times/vocabulary.ts'
import { type EventReader, type EventWords, isCapital, isYear } from './event-table.ts'

const KINDS = wordList('named-events/kinds-of-election')
const PARTIES = new Set(['Democratic', 'Republican', 'GOP', 'Labour', 'Conservative', 'Party'])
const MOST_KINDS = 4

/** Elections, referendums, primaries and caucuses with a year, perhaps after a month: "2016 US presidential election". */
export const readElection: EventReader = (given, at) => {
  const { words } = given
  const month = FULL_MONTHS.includes(words[at] ?? '') ? `${words[at] ?? ''} ` : ''
  const from = month === '' ? at : at + 1
  if (!isYear(words[from])) return null
  const country = countryAt(given, from + 1)
  const kinds = kindsAt(words, country.end)
  const head = headAt(words, kinds.end, kinds.names)
  if (head === null) return null
  const year = `${month}${words[from] ?? ''}`
  return { end: head.end, name: electionName(year, country.name, [...kinds.names, head.name]) }
}

/** A part of a name that begins at a given word. `end`: index of the word after it. */
interface NamePart {
  readonly end: number
  readonly name: string
}

const COUNTRY_NAMES = new Map([
  ['U S', 'United States'],
  ['US', 'United States'],
  ['American', 'United States'],
  ['UK', 'United Kingdom'],
  ['U K', 'United Kingdom'],
  ['British', 'United Kingdom'],
  ['Britain', 'United Kingdom'],
])
const LONGEST_COUNTRY = 4

/** A country, state or town, or its adjective; empty if none begins here. */
function countryAt(given: EventWords, at: number): NamePart {
  for (let end = Math.min(at + LONGEST_COUNTRY, given.words.length); end > at; end--) {
    const name = countryName(given, given.words.slice(at, end))
    if (name !== null) return { end, name }
  }
  return { end: at, name: '' }
}

function countryName({ isPlace }: EventWords, parts: readonly string[]): string | null {
  if (!isCapital(parts[0]) || !parts.every((word) => isCapital(word) || word === '.')) return null
  const name = parts.filter((word) => word !== '.').join(' ')
  const known = COUNTRY_NAMES.get(name)
  if (known !== undefined) return known
  if (parts.some((word) => word === '.' || isKind(word))) return null
  return isDemonym(name) || isPlace(name) ? name : null
}

function kindsAt(words: readonly string[], at: number): { readonly end: number; readonly names: readonly string[] } {
  const names: string[] = []
  let end = at
  while (names.length < MOST_KINDS && isKind(words[end])) {
    const word = words[end] ?? ''
    names.push(word)
    end = word === 'House' && words[end + 1] === 'of' && words[end + 2] === 'Representatives' ? end + 3 : end + 1
  }
  return { end, names }
}

const isKind = (word = ''): boolean => KINDS.has(word.toLowerCase()) || PARTIES.has(word)

const HEADS = new Map([
  ['election', 'election'],
  ['elections', 'election'],
  ['referendum', 'referendum'],
  ['midterms', 'midterm elections'],
])
/** Accepted only after a word for the kind of election or a party, since these words have other meanings. */
const AMBIGUOUS_HEADS = new Map([
  ['primary', 'primaries'],
  ['primaries', 'primaries'],
  ['caucuses', 'caucuses'],
])

function headAt(words: readonly string[], at: number, kinds: readonly string[]): NamePart | null {
  const word = (words[at] ?? '').toLowerCase()
  if (word === 'by') return byElection(words, at)
  const name = HEADS.get(word) ?? (kinds.length > 0 ? AMBIGUOUS_HEADS.get(word) : undefined)
  return name === undefined ? null : { end: at + 1, name }
}

const byElection = (words: readonly string[], at: number): NamePart | null =>
  words[at + 1] === '-' && /^elections?$/i.test(words[at + 2] ?? '') ? { end: at + 3, name: 'by-election' } : null

function electionName(year: string, country: string, of: readonly string[]): string {
  const kinds = of.map((kind) => (PARTIES.has(kind) || LEGISLATURES.has(kind) ? kind : kind.toLowerCase()))
  // In the news, midterms are always those of the United States, so the country is omitted.
  if (kinds[0]?.startsWith('midterm') === true) return `${year} midterm elections`
  return [year, country, ...kinds].filter(Boolean).join(' ')
}

const LEGISLATURES = new Set(['Senate', 'House', 'Assembly', 'Parliament', 'Council'])

/** Words before a storm's name, and the kind used in its canonical name. */
const STORMS: readonly (readonly [words: readonly string[], name: string])[] = [
  [['Tropical', 'Storm'], 'Tropical Storm'],
  [['Super', 'Typhoon'], 'Typhoon'],
  [['Superstorm'], 'Superstorm'],
  ...['Hurricane', 'Typhoon', 'Cyclone'].flatMap((kind) =>
    [kind, `${kind}s`, kind.toUpperCase()].map((word) => [[word], kind] as const),
  ),
]
const FIRST_WORDS = new Set(STORMS.map(([[first]]) => first))
/** Words after "Hurricane" that are not a storm's name: "Hurricane Center". */
const WORDS_AFTER_STORM_KIND = wordList('named-events/of-the-service')

/** "Hurricane Katrina", "Super Typhoon Haiyan", "Tropical Storm Harvey", "Hurricanes Harvey" before "and Irma". */
export const readStorm: EventReader = (given, at) => {
  const kind = stormAt(given.words, at)
  const name = kind === null ? '' : (given.words[kind.end] ?? '')
  if (kind === null || !isStormName(given, name)) return null
  return { end: kind.end + 1, name: stormName(given, kind.name, name) }
}

function stormAt(words: readonly string[], at: number): NamePart | null {
  if (!FIRST_WORDS.has(words[at] ?? '')) return null
  const kind = STORMS.find(([expected]) => expected.every((word, i) => words[at + i] === word))
  return kind === undefined ? null : { name: kind[1], end: at + kind[0].length }
}

/** If the table has a hurricane of this name, a storm reported as "Tropical Storm X" gets that canonical name. */
const stormName = ({ table }: EventWords, kind: string, name: string): string => {
  const hurricane = `Hurricane ${capitalised(name)}`
  return table.names.has(hurricane) ? hurricane : `${kind} ${capitalised(name)}`
}

const SHORTEST = 3

function isStormName({ isCommon, isFirstName, isPlace }: EventWords, word: string): boolean {
  if (!isCapital(word) || word.length < SHORTEST || WORDS_AFTER_STORM_KIND.has(word.toLowerCase())) return false
  return isFirstName(word) || !(isCommon(word) || isPlace(word))
}

const BEFORE_HYPHEN = new Set(
  'Russo Franco Anglo Sino Greco Austro Indo Italo Polish Ottoman Arab Israeli Soviet Romano'.split(' '),
)

/** "Kargil War", "Second Ivorian Civil War", "Russo-Turkish War", "Nicaraguan Revolution". */
export const readWar: EventReader = (given, at) => {
  const { words } = given
  if (!words.slice(at + 1, at + FARTHEST_WAR).some(isWar)) return null
  const from = NUMBERS.has(words[at] ?? '') ? at + 1 : at
  const parties = partiesEnd(given, from)
  if (parties === from) return null
  const head = words[parties] === 'Civil' ? parties + 1 : parties
  if (!isWar(words[head])) return null
  return { end: words.slice(head + 1, head + 3).join(' ') === 'of Independence' ? head + 3 : head + 1, name: null }
}

/** Maximum number of words up to "War": "Second", two parties of three words, their hyphen, "Civil". */
const FARTHEST_WAR = 10
const NUMBERS = new Set(['First', 'Second', 'Third'])
const isWar = (word = ''): boolean => /^(?:War|WAR|Revolution|REVOLUTION)$/.test(word)

const LONGEST_PLACE = 3

/** Index after the parties to the war ("Iran-Iraq", "South Sudanese"); `at` if none are named. */
function partiesEnd(given: EventWords, at: number): number {
  const first = partyEnd(given, at)
  if (given.words[first] !== '-') return first
  const second = first === at ? first : partyEnd(given, first + 1)
  return second > first + 1 ? second : at
}

function partyEnd(given: EventWords, at: number): number {
  const { words } = given
  if (words[at + 1] === '-' && BEFORE_HYPHEN.has(words[at] ?? '')) return at + 1
  for (let end = Math.min(at + LONGEST_PLACE, words.length); end > at; end--)
    if (isParty(given, words.slice(at, end))) return end
  return at
}

function isParty({ isPlace, isCommon }: EventWords, parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? ''
  if (!parts.every(isCapital) || isWar(last) || last === 'Civil') return false
  if (isPeople(last) && parts.slice(0, -1).every(isDirection)) return true
  return isPlace(parts.join(' ')) && !parts.every(isCommon)
}

/** Whether a word names a people. Excludes demonym-like words for parties, faiths and directions. */
const isPeople = (word: string): boolean =>
  isDemonym(word) && !/^(?:Democrat|Republican|Western|Eastern|Northern|Southern|Evangelical)s?$/.test(word)
const isDirection = (word: string): boolean => /^(?:North|South|East|West|Central)$/.test(word)

const LONGEST_NAME = 3

/** "Battle of the Bulge", "Siege of Aleppo", "Operation Barbarossa". */
export const readOperation: EventReader = ({ words }, at) => {
  if (words[at] === 'Operation') return namedAfter(words, at + 1, LONGEST_NAME - 1)
  if (!isBattle(words[at]) || words[at + 1] !== 'of') return null
  return namedAfter(words, words[at + 2] === 'the' ? at + 3 : at + 2, LONGEST_NAME)
}

const isBattle = (word = ''): boolean => word === 'Battle' || word === 'Siege'

function namedAfter(words: readonly string[], from: number, most: number): { end: number; name: null } | null {
  let end = from
  while (end < from + most && isCapital(words[end])) end++
  return end === from ? null : { end, name: null }
}

const ART = new Set(['Film', 'Music', 'Jazz', 'Documentary', 'Literary', 'Book', 'Arts'])
const MOST_BEFORE = 6

/** "Havana Film Festival", with at most `MOST_BEFORE` words before "Festival". */
export const readFestival: EventReader = ({ words, isCommon }, at) => {
  if (isCapital(words[at - 1]) || isCommon(words[at] ?? '')) return null
  const end = festivalAfter(words, at)
  return end > at + 1 && isArt(words[end - 1]) ? { end: end + 1, name: null } : null
}

/** Index of "Festival" at the end of a name that begins here; -1 if there is none. */
function festivalAfter(words: readonly string[], at: number): number {
  const found = words.slice(at, at + MOST_BEFORE + 1).indexOf('Festival')
  return words.slice(at, at + found).every(isNamePart) ? at + found : -1
}

const isArt = (word = ''): boolean => ART.has(word)
const isNamePart = (word = ''): boolean => isCapital(word) || word === '-' || word === "'"

/** Climate conferences: "COP21", "COP 21", "COP-21". */
export const readClimateConference: EventReader = ({ words }, at) => {
  const first = words[at] ?? ''
  const joined = /^COP(\d\d)$/.exec(first)?.[1]
  if (joined !== undefined) return { end: at + 1, name: `COP${joined}` }
  if (first !== 'COP') return null
  const last = words[at + 1] === '-' ? at + 2 : at + 1
  const number = words[last] ?? ''
  return /^[12]\d$/.test(number) ? { end: last + 1, name: `COP${number}` } : null
}

const FIRST_EURO = 1960
const POSTPONED_EURO = 2021

/** Football's "Euro 2016": "Euro" before the year of a championship. */
export const readEuro: EventReader = ({ words }, at) => {
  const year = Number(words[at + 1])
  const isEdition = year >= FIRST_EURO && ((year - FIRST_EURO) % 4 === 0 || year === POSTPONED_EURO)
  return words[at] === 'Euro' && isEdition ? { end: at + 2, name: `UEFA Euro ${year}` } : null
}
