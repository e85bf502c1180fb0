import { wordList } from '../model-files.ts'
import { isDemonym } from '../places/demonyms.ts'
import { type EventReader, type EventWords, isCapital, isMonth, isYear } from './reading.ts'

const KINDS = wordList('named-events/kinds-of-election')
const PARTIES = new Set(['Democratic', 'Republican', 'GOP', 'Labour', 'Conservative', 'Party'])
const MOST_KINDS = 4

/** "2016 US presidential election", "February 1974 general election", "2018 midterms", "2016 Democratic primaries": what has a year. */
export const readElection: EventReader = (given, at) => {
  const { words } = given
  const month = isMonth(words[at]) ? `${words[at] ?? ''} ` : ''
  const from = month === '' ? at : at + 1
  if (!isYear(words[from])) return null
  const country = countryAt(given, from + 1)
  const kinds = kindsAt(words, country.end)
  const head = headAt(words, kinds.end, kinds.names)
  if (head === null) return null
  const year = `${month}${words[from] ?? ''}`
  return { end: head.end, name: electionName(year, country.name, [...kinds.names, head.name]) }
}

interface ElectionsPart {
  readonly end: number
  readonly name: string
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['U S', 'United States'],
  ['US', 'United States'],
  ['American', 'United States'],
  ['UK', 'United Kingdom'],
  ['U K', 'United Kingdom'],
  ['British', 'United Kingdom'],
  ['Britain', 'United Kingdom'],
])
const LONGEST_COUNTRY = 4

/** A country, state or town, or the adjective of one; empty: none stands here. */
function countryAt(given: EventWords, at: number): ElectionsPart {
  for (let end = Math.min(at + LONGEST_COUNTRY, given.words.length); end > at; end--) {
    const name = countryName(given, given.words.slice(at, end))
    if (name !== null) return { end, name }
  }
  return { end: at, name: '' }
}

function countryName({ isPlace }: EventWords, parts: readonly string[]): string | null {
  if (!isCapital(parts[0]) || !parts.every((word) => isCapital(word) || word === '.')) return null
  const name = parts.filter((word) => word !== '.').join(' ')
  const known = NAMES.get(name)
  if (known !== undefined) return known
  if (parts.some((word) => word === '.' || isKind(word))) return null
  return isDemonym(name) || isPlace(name) ? name : null
}

interface Kinds {
  readonly end: number
  readonly names: readonly string[]
}

function kindsAt(words: readonly string[], at: number): Kinds {
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

const HEADS: ReadonlyMap<string, string> = new Map([
  ['election', 'election'],
  ['elections', 'election'],
  ['referendum', 'referendum'],
  ['midterms', 'midterm elections'],
])
/** Parties hold these. */
const PARTY_HEADS: ReadonlyMap<string, string> = new Map([
  ['primary', 'primaries'],
  ['primaries', 'primaries'],
  ['caucuses', 'caucuses'],
])

function headAt(words: readonly string[], at: number, kinds: readonly string[]): ElectionsPart | null {
  const word = (words[at] ?? '').toLowerCase()
  if (word === 'by') return byElection(words, at)
  const name = HEADS.get(word) ?? (kinds.length > 0 ? PARTY_HEADS.get(word) : undefined)
  return name === undefined ? null : { end: at + 1, name }
}

const byElection = (words: readonly string[], at: number): ElectionsPart | null =>
  words[at + 1] === '-' && /^elections?$/i.test(words[at + 2] ?? '') ? { end: at + 3, name: 'by-election' } : null

function electionName(year: string, country: string, of: readonly string[]): string {
  const kinds = of.map((kind) => (PARTIES.has(kind) || OF_A_BODY.has(kind) ? kind : kind.toLowerCase()))
  // Only one country holds them in the news, so that it says nothing.
  if (kinds[0]?.startsWith('midterm') === true) return `${year} midterm elections`
  return [year, country, ...kinds].filter(Boolean).join(' ')
}

const OF_A_BODY = new Set(['Senate', 'House', 'Assembly', 'Parliament', 'Council'])
