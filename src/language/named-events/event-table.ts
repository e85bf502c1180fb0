import { modelText, once } from '../model-files.ts'
import { words } from '../recogniser/words.ts'

/** One way to write a named event. */
export interface WrittenEvent {
  /** Canonical name. */
  readonly name: string
  /** As the recogniser splits words, without commas; in lower case what may be so: "Vietnam war". */
  readonly words: readonly string[]
  /** Whether it has editions, so that a year or an ordinal is part of the name: "2018 World Cup", "89th Academy Awards". */
  readonly recurring: boolean
}

/** One edition of the Olympic Games. */
export interface OlympicGames {
  readonly year: number
  readonly season: string
  /** First the name, then what else the host is called. */
  readonly hosts: readonly string[]
  /** Whether the host alone means this edition: "the London Olympics" are those of 2012. */
  readonly usual: boolean
}

interface Host {
  readonly name: string
  readonly words: readonly string[]
}

export interface EventTable {
  /** By the first word in lower case; the longest first. */
  readonly byFirst: ReadonlyMap<string, readonly WrittenEvent[]>
  readonly games: readonly OlympicGames[]
  /** Hosts of Olympic Games by the first word; the longest first. */
  readonly hosts: ReadonlyMap<string, readonly Host[]>
  /** Names of the table, for storms that have more than one: "Tropical Storm Harvey". */
  readonly names: ReadonlySet<string>
}

/**
 * Reads lines `EVENT<TAB>name<TAB>Wikidata id or nothing<TAB>alias|alias<TAB>flags`. An alias that begins with "~" is
 * known but not searched for in texts.
 */
function parseEventTable(events: string, games: string): EventTable {
  const written = linesOf(events).flatMap(writtenEvents)
  const byFirst = new Map<string, WrittenEvent[]>()
  for (const event of written.sort((a, b) => b.words.length - a.words.length)) {
    const first = (event.words[0] ?? '').toLowerCase()
    byFirst.set(first, [...(byFirst.get(first) ?? []), event])
  }
  const olympics = linesOf(games).map(parsedGames)
  return { byFirst, games: olympics, hosts: hostsOf(olympics), names: new Set(written.map(({ name }) => name)) }
}

const linesOf = (tsv: string): readonly (readonly string[])[] =>
  tsv.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))

export const splitWords = (text: string): readonly string[] => words(text, 0, text.length).texts.map(plainSign)

/** One apostrophe and one hyphen for all of their kind; signs are words of their own. */
export const plainSign = (word: string): string => (word.length === 1 ? (PLAIN.get(word) ?? word) : word)
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['’', "'"],
  ['‘', "'"],
  ['`', "'"],
  ['‐', '-'],
  ['‑', '-'],
  ['–', '-'],
  ['—', '-'],
])

function writtenEvents([, name = '', , aliases = '', flags = '']: readonly string[]): WrittenEvent[] {
  const given = flags.split(' ')
  return [name, ...aliases.split('|')]
    .filter((written) => written !== '' && !written.startsWith('~'))
    .map((written) => ({
      name,
      words: withSmallNoun(
        splitWords(written).filter((word) => word !== ','),
        given.includes('noun'),
      ),
      recurring: given.includes('recurring'),
    }))
}

const withSmallNoun = (split: readonly string[], isSmall: boolean): readonly string[] =>
  isSmall && split.length > 1 ? [...split.slice(0, -1), (split.at(-1) ?? '').toLowerCase()] : split

function parsedGames([year, season = '', hosts = '', usual]: readonly string[]): OlympicGames {
  return { year: Number(year), season, hosts: hosts.split('|'), usual: usual === 'usual' }
}

function hostsOf(games: readonly OlympicGames[]): ReadonlyMap<string, readonly Host[]> {
  const hosts = [...new Set(games.flatMap((each) => each.hosts))].map((name) => ({ name, words: splitWords(name) }))
  const byFirst = new Map<string, Host[]>()
  for (const host of hosts.sort((a, b) => b.words.length - a.words.length)) {
    const first = host.words[0] ?? ''
    byFirst.set(first, [...(byFirst.get(first) ?? []), host])
  }
  return byFirst
}

/** The committed table of named events; read on first use, some 5 ms. */
export const openEventTable = once(() =>
  parseEventTable(modelText('events/events.tsv'), modelText('events/olympics.tsv')),
)
