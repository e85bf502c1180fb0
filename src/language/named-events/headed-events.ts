import { wordList } from '../model-files.ts'
import { isDemonym } from '../places/demonyms.ts'
import { type EventReader, type EventWords, isCapital } from './reading.ts'

/** By their words; the storm's name follows. */
const KINDS: readonly (readonly [words: readonly string[], name: string])[] = [
  [['Tropical', 'Storm'], 'Tropical Storm'],
  [['Super', 'Typhoon'], 'Typhoon'],
  [['Superstorm'], 'Superstorm'],
  ...['Hurricane', 'Typhoon', 'Cyclone'].flatMap((kind) =>
    [kind, `${kind}s`, kind.toUpperCase()].map((word) => [[word], kind] as const),
  ),
]
const FIRST_WORDS = new Set(KINDS.map(([[first]]) => first))
const OF_THE_SERVICE = wordList('named-events/of-the-service')

/** "Hurricane Katrina", "Super Typhoon Haiyan", "Tropical Storm Harvey", "Hurricanes Harvey" before "and Irma". */
export const readStorm: EventReader = (given, at) => {
  const kind = kindAt(given.words, at)
  const name = kind === null ? '' : (given.words[kind.end] ?? '')
  if (kind === null || !isStormName(given, name)) return null
  return { end: kind.end + 1, name: stormName(given, kind.name, name) }
}

function kindAt(words: readonly string[], at: number): { readonly name: string; readonly end: number } | null {
  if (!FIRST_WORDS.has(words[at] ?? '')) return null
  const kind = KINDS.find(([expected]) => expected.every((word, i) => words[at + i] === word))
  return kind === undefined ? null : { name: kind[1], end: at + kind[0].length }
}

/** A storm that was more than one in its life has one name where the table knows the hurricane. */
const stormName = ({ table }: EventWords, kind: string, name: string): string => {
  const hurricane = `Hurricane ${capitalised(name)}`
  return table.names.has(hurricane) ? hurricane : `${kind} ${capitalised(name)}`
}

const SHORTEST = 3

function isStormName({ isCommon, isFirstName, isPlace }: EventWords, word: string): boolean {
  if (!isCapital(word) || word.length < SHORTEST || OF_THE_SERVICE.has(word.toLowerCase())) return false
  return isFirstName(word) || !(isCommon(word) || isPlace(word))
}

const capitalised = (word: string): string => word.slice(0, 1) + word.slice(1).toLowerCase()

const WAR = /^(?:War|WAR|Revolution|REVOLUTION)$/
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

/** "Second", two parties of three words, their hyphen, "Civil". */
const FARTHEST_WAR = 10
const NUMBERS = new Set(['First', 'Second', 'Third'])
const isWar = (word = ''): boolean => WAR.test(word)

const LONGEST_PLACE = 3

/** Past "Iran-Iraq", "South Sudanese"; where it began: whose war it is is not said. */
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

/** Parties and faiths wage no wars of this name. */
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

/** "Havana Film Festival", "São Paulo International Film Festival". */
export const readFestival: EventReader = ({ words, isCommon }, at) => {
  if (isCapital(words[at - 1]) || isCommon(words[at] ?? '')) return null
  const end = festivalAfter(words, at)
  return end > at + 1 && isArt(words[end - 1]) ? { end: end + 1, name: null } : null
}

/** Index of "Festival" at the end of a name that begins here; -1: there is none. */
function festivalAfter(words: readonly string[], at: number): number {
  const found = words.slice(at, at + MOST_BEFORE + 1).indexOf('Festival')
  return words.slice(at, at + found).every(isOfName) ? at + found : -1
}

const isArt = (word = ''): boolean => ART.has(word)
const isOfName = (word = ''): boolean => isCapital(word) || word === '-' || word === "'"

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

/** Football's "Euro 2016"; the currency has no such years. */
export const readEuro: EventReader = ({ words }, at) => {
  const year = Number(words[at + 1])
  const isEdition = year >= FIRST_EURO && ((year - FIRST_EURO) % 4 === 0 || year === POSTPONED_EURO)
  return words[at] === 'Euro' && isEdition ? { end: at + 2, name: `UEFA Euro ${year}` } : null
}
