import {
  type EventTable,
  type OlympicGames,
  type WrittenEvent,
  isYear,
  type EventReader,
  type EventWords,
  isCapital,
  isSameWord,
  type ReadEvent,
} from './event-table.ts'

const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/i
const ORDINAL_WORDS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, i) => [word, `${i + 1}${['st', 'nd', 'rd'][i] ?? 'th'}`]),
)

/** "2018", "89th", "59th annual", "eleventh annual"; "first" alone is not an edition: "his first Super Bowl". */
function editionAt(words: readonly string[], at: number): { readonly end: number; readonly label: string } | null {
  const word = words[at] ?? ''
  if (isYear(word)) return { end: at + 1, label: word }
  const isAnnual = /^annual$/i.test(words[at + 1] ?? '')
  if (ORDINAL.test(word)) return { end: at + (isAnnual ? 2 : 1), label: word.toLowerCase() }
  const label = isAnnual ? ORDINAL_WORDS.get(word.toLowerCase()) : undefined
  return label === undefined ? null : { end: at + 2, label }
}

const ROMAN: readonly (readonly [string, number])[] = [
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]

/** Roman numeral of a number up to 89. */
function roman(number: number): string {
  const [letters, value] = ROMAN.find(([, each]) => each <= number) ?? ['', 0]
  return value === 0 ? '' : letters + roman(number - value)
}

/** The number of a Super Bowl: "Super Bowl LI", "Super Bowl 51". Empty if there is no number. */
function superBowlNumber(word = ''): string {
  if (/^[IVXL]{1,7}$/.test(word)) return word
  if (word === '50') return word // officially written with digits
  return /^[1-8]?\d$/.test(word) ? roman(Number(word)) : ''
}

/** Canonical names of games whose editions have hosts, with the season (`null`: any) and the kind of the editions. */
const FAMILIES = new Map<string, { readonly season: string | null; readonly kind: string }>([
  ['Olympic Games', { season: null, kind: 'Olympics' }],
  ['Summer Olympics', { season: 'Summer', kind: 'Olympics' }],
  ['Winter Olympics', { season: 'Winter', kind: 'Olympics' }],
  ['Paralympics', { season: null, kind: 'Paralympics' }],
  ['Summer Paralympics', { season: 'Summer', kind: 'Paralympics' }],
  ['Winter Paralympics', { season: 'Winter', kind: 'Paralympics' }],
])

/** Year and canonical host as given in the text; each empty if not given. */
interface GamesEdition {
  readonly year: string
  readonly host: string
}

/** "2016 Summer Olympics" for "Rio Olympics". If several editions or none match, the given year, host and name. */
function gamesName({ games }: EventTable, name: string, { year, host }: GamesEdition): string {
  const family = FAMILIES.get(name)
  if (family === undefined) return [year, host, name].filter(Boolean).join(' ')
  if (year === '' && host === '') return name
  const found = games.filter((each) => isEdition(each, { year, host }, family.season))
  const edition = onlyOne(found) ?? (year === '' ? onlyOne(found.filter(({ usual }) => usual)) : undefined)
  return edition === undefined
    ? [year, host, name === 'Olympic Games' ? 'Olympics' : name].filter(Boolean).join(' ')
    : `${edition.year} ${edition.season} ${family.kind}`
}

const onlyOne = (games: readonly OlympicGames[]): OlympicGames | undefined =>
  games.length === 1 ? games[0] : undefined

const isEdition = (games: OlympicGames, { year, host }: GamesEdition, season: string | null): boolean =>
  (year === '' || games.year === Number(year)) &&
  (host === '' || games.hosts.includes(host)) &&
  (season === null || games.season === season)

/** An event of the table, with its edition if one is given: "2018 FIFA World Cup", "Rio 2016 Olympics", "WWII". */
export const readTableEvent: EventReader = (given, at) =>
  longest([plainEvent(given, at), editionOf(given, at), gamesOf(given, at)])

const longest = (events: readonly (ReadEvent | null)[]): ReadEvent | null =>
  events.reduce((best, each) => (each !== null && each.end > (best?.end ?? 0) ? each : best), null)

function plainEvent(given: EventWords, at: number): ReadEvent | null {
  const entry = entryAt(given, at)
  return entry === null ? null : namedEntry(given, entry, '')
}

/** An event of the table after its year or ordinal. */
function editionOf(given: EventWords, at: number): ReadEvent | null {
  if (isCapital(given.words[at])) return null
  const edition = editionAt(given.words, at)
  if (edition === null) return null
  const entry = entryAt(given, edition.end)
  return entry?.event.recurring === true ? namedEntry(given, entry, edition.label) : null
}

interface TableEventsEntry {
  readonly event: WrittenEvent
  readonly end: number
}

/** The longest event of the table that begins here. */
function entryAt({ words, table }: EventWords, at: number): TableEventsEntry | null {
  for (const event of table.byFirst.get((words[at] ?? '').toLowerCase()) ?? []) {
    const end = endOf(words, at, event)
    if (end !== -1) return { event, end }
  }
  return null
}

/** Index of the word after the event; -1 if the words differ. */
function endOf(words: readonly string[], at: number, event: WrittenEvent): number {
  let end = at
  for (const expected of event.words) {
    if (end > at && isIgnoredComma(words, end)) end++
    if (!isSameWord(words[end] ?? '', expected)) return -1
    end++
  }
  return end
}

/** A comma after a number is ignored: "Sept. 11, 2001, attacks". */
const isIgnoredComma = (words: readonly string[], at: number): boolean =>
  words[at] === ',' && /^\d+$/.test(words[at - 1] ?? '')

function namedEntry({ words, table }: EventWords, { event, end }: TableEventsEntry, label: string): ReadEvent {
  const after = words[end]
  if (event.name === 'Super Bowl' && superBowlNumber(after) !== '')
    return { end: end + 1, name: `Super Bowl ${superBowlNumber(after)}` }
  if (!event.recurring) return { end, name: event.name }
  const year = label === '' && isYear(after) ? (after ?? '') : ''
  return { end: year === '' ? end : end + 1, name: editionName(table, event.name, label + year) }
}

function editionName(table: EventTable, name: string, label: string): string {
  if (label === '') return name
  if (isYear(label) && FAMILIES.has(name)) return gamesName(table, name, { year: label, host: '' })
  return `${label} ${name === 'World Cup' && isFootballYear(Number(label)) ? 'FIFA World Cup' : name}`
}

const FIRST_WORLD_CUP = 1930
/** Years in which a World Cup without a named sport is that of football. */
const isFootballYear = (year: number): boolean => year >= FIRST_WORLD_CUP && (year - FIRST_WORLD_CUP) % 4 === 0

/** "Rio Olympics", "2016 Rio Olympics", "Rio 2016", "Sochi Games", "Paris 2024 Olympic Games". */
function gamesOf(given: EventWords, at: number): ReadEvent | null {
  const before = yearAt(given, at)
  const host = hostAt(given, before === '' ? at : at + 1)
  if (host === null) return null
  const after = before === '' ? yearAt(given, host.end) : ''
  const end = after === '' ? host.end : host.end + 1
  const edition = { year: before + after, host: host.name }
  const entry = gamesEntry(given, end)
  if (entry !== null) return withYearAfter(given, entry, edition)
  return after === '' ? null : hostAndYear(given, end, edition)
}

const yearAt = ({ words }: EventWords, at: number): string => (isYear(words[at]) ? (words[at] ?? '') : '')

/** "Rio 2016" means the games, since the table has such an edition; "Rio 2017" does not. */
function hostAndYear({ table }: EventWords, end: number, edition: GamesEdition): ReadEvent | null {
  const name = gamesName(table, 'Olympic Games', edition)
  return / (?:Summer|Winter) /.test(name) ? { end, name } : null
}

/** A name, and the index of the word after it. */
interface NameAndEnd {
  readonly name: string
  readonly end: number
}

function gamesEntry(given: EventWords, at: number): NameAndEnd | null {
  const entry = entryAt(given, at)
  if (entry !== null && FAMILIES.has(entry.event.name)) return { name: entry.event.name, end: entry.end }
  return isSameWord(given.words[at] ?? '', 'Games') ? { name: 'Olympic Games', end: at + 1 } : null
}

function withYearAfter(given: EventWords, { name, end }: NameAndEnd, { year, host }: GamesEdition): ReadEvent {
  const after = year === '' ? yearAt(given, end) : ''
  return { end: after === '' ? end : end + 1, name: gamesName(given.table, name, { year: year + after, host }) }
}

function hostAt({ words, table }: EventWords, at: number): NameAndEnd | null {
  const hosts = table.hosts.get(words[at] ?? '')
  const host = hosts?.find((each) => each.words.every((word, i) => words[at + i] === word))
  return host === undefined ? null : { name: host.name, end: at + host.words.length }
}
