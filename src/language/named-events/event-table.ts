import { groupedBy } from '../grouped-by.ts'
import { once } from '../memoize.ts'
import { modelText, tableLines } from '../model-files.ts'
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
  const written = tableLines(events).flatMap(writtenEvents)
  const olympics = tableLines(games).map(parsedGames)
  const hosts = [...new Set(olympics.flatMap((each) => each.hosts))].map((name) => ({ name, words: splitWords(name) }))
  return {
    byFirst: groupedBy(written.sort(longestFirst), ({ words: [first = ''] }) => first.toLowerCase()),
    games: olympics,
    hosts: groupedBy(hosts.sort(longestFirst), ({ words: [first = ''] }) => first),
    names: new Set(written.map(({ name }) => name)),
  }
}

const longestFirst = (a: Host, b: Host): number => b.words.length - a.words.length

export const splitWords = (text: string): readonly string[] => words(text, 0, text.length).texts.map(plainSign)

/** One apostrophe and one hyphen for all of their kind; signs are words of their own. */
export const plainSign = (word: string): string => (word.length === 1 ? (PLAIN.get(word) ?? word) : word)
const PLAIN = new Map([
  ...Array.from('’‘`', (sign) => [sign, "'"] as const),
  ...Array.from('‐‑–—', (sign) => [sign, '-'] as const),
])

function writtenEvents([, name = '', , aliases = '', flags = '']: readonly string[]): WrittenEvent[] {
  const given = flags.split(' ')
  const recurring = given.includes('recurring')
  return [name, ...aliases.split('|')]
    .filter((written) => written !== '' && !written.startsWith('~'))
    .map((written) => splitWords(written).filter((word) => word !== ','))
    .map((words) => ({ name, words: given.includes('noun') ? withSmallNoun(words) : words, recurring }))
}

const withSmallNoun = (split: readonly string[]): readonly string[] =>
  split.length > 1 ? [...split.slice(0, -1), (split.at(-1) ?? '').toLowerCase()] : split

function parsedGames([year, season = '', hosts = '', usual]: readonly string[]): OlympicGames {
  return { year: Number(year), season, hosts: hosts.split('|'), usual: usual === 'usual' }
}

/** The committed table of named events; read on first use, some 5 ms. */
export const openEventTable = once(() =>
  parseEventTable(modelText('events/events.tsv'), modelText('events/olympics.tsv')),
)

/** What is known of words beside the table of events. */
export interface KnownWords {
  /** Of words joined by a blank: "South Korea". */
  readonly isPlace: (name: string) => boolean
  /** Whether a word is mostly written in lower case. */
  readonly isCommon: (word: string) => boolean
  readonly isFirstName: (word: string) => boolean
}

/** What a reader reads. */
export interface EventWords extends KnownWords {
  /** Of one sentence, with plain signs. */
  readonly words: readonly string[]
  readonly table: EventTable
}

/** An event that begins at a given word. */
export interface ReadEvent {
  /** Index of the word after it. */
  readonly end: number
  /** Canonical name; null: the name is as it is written. */
  readonly name: string | null
}

/** The event that begins at a word, if one does. Looks at a bounded number of words. */
export type EventReader = (given: EventWords, at: number) => ReadEvent | null

export const isCapital = (word = ''): boolean => /^\p{Lu}/u.test(word)

export const isYear = (word = ''): boolean => /^(?:1[89]|20)\d\d$/.test(word)

const SHOUTED = /^\p{Lu}[\p{Lu}\p{N}]+$/u
/** Acronyms of more letters are also written "Nato". */
const LONGEST_STRICT = 3

/** Whether a word of a text is the one expected: a capital must be one, in lower case any form will do. */
export function isSameWord(word: string, expected: string): boolean {
  if (word === expected) return true
  if (word.toLowerCase() !== expected.toLowerCase()) return false
  if (SHOUTED.test(expected)) return expected.length > LONGEST_STRICT && isCapital(word)
  return !isCapital(expected) || isCapital(word)
}
