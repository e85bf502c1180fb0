import { groupedBy } from '../grouped-by.ts'
import { once } from '../memoize.ts'
import { modelText, tableLines } from '../model-files.ts'
import { words } from '../recogniser/words.ts'

/** One spelling of a named event. */
export interface WrittenEvent {
  /** Canonical name. */
  readonly name: string
  /** The words without commas; in lower case those that texts may write in lower case: "Vietnam war". */
  readonly words: readonly string[]
  /**
   * Whether it has editions, so that a year or an ordinal is part of the name: "2018 World Cup", "89th Academy Awards".
   */
  readonly recurring: boolean
}

/** One edition of the Olympic Games. */
export interface OlympicGames {
  readonly year: number
  readonly season: string
  /** The canonical name of the host, then its aliases. */
  readonly hosts: readonly string[]
  /** Whether the host alone refers to this edition: "the London Olympics" are those of 2012. */
  readonly usual: boolean
}

interface Host {
  readonly name: string
  readonly words: readonly string[]
}

export interface EventTable {
  /** By the first word in lower case, the longest first. */
  readonly byFirst: ReadonlyMap<string, readonly WrittenEvent[]>
  readonly games: readonly OlympicGames[]
  /** Hosts of Olympic Games by the first word, the longest first. */
  readonly hosts: ReadonlyMap<string, readonly Host[]>
  /** All canonical names, to find the hurricane that a "Tropical Storm Harvey" became. */
  readonly names: ReadonlySet<string>
}

/**
 * Reads lines `EVENT<TAB>name<TAB>Wikidata id or nothing<TAB>alias|alias<TAB>flags`. An alias that begins with "~" is
 * not searched for in texts; it is only for the alias map (`names/aliases.ts`).
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

/** Replaces apostrophes and hyphens, which are words of their own, by one form of each. */
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
    .map((words) => ({ name, words: given.includes('noun') ? withLowerCaseNoun(words) : words, recurring }))
}

const withLowerCaseNoun = (split: readonly string[]): readonly string[] =>
  split.length > 1 ? [...split.slice(0, -1), (split.at(-1) ?? '').toLowerCase()] : split

function parsedGames([year, season = '', hosts = '', usual]: readonly string[]): OlympicGames {
  return { year: Number(year), season, hosts: hosts.split('|'), usual: usual === 'usual' }
}

/** The table of named events in the repository; read on first use, in some 5 ms. */
export const openEventTable = once(() =>
  parseEventTable(modelText('events/events.tsv'), modelText('events/olympics.tsv')),
)

/** Facts about words from other tables. */
export interface KnownWords {
  /** Takes words joined by a space: "South Korea". */
  readonly isPlace: (name: string) => boolean
  /** Whether a word is mostly written in lower case. */
  readonly isCommon: (word: string) => boolean
  readonly isFirstName: (word: string) => boolean
}

/** The input of an event reader. */
export interface EventWords extends KnownWords {
  /** The words of one sentence, with normalised apostrophes and hyphens. */
  readonly words: readonly string[]
  readonly table: EventTable
}

/** An event found at a given word. */
export interface ReadEvent {
  /** Index of the word after it. */
  readonly end: number
  /** Canonical name; `null` if the name is used as written. */
  readonly name: string | null
}

/** Returns the event that begins at a word, or `null`. Examines a bounded number of words. */
export type EventReader = (given: EventWords, at: number) => ReadEvent | null

export const isCapital = (word = ''): boolean => /^\p{Lu}/u.test(word)

export const isYear = (word = ''): boolean => /^(?:1[89]|20)\d\d$/.test(word)

const ALL_CAPITALS = /^\p{Lu}[\p{Lu}\p{N}]+$/u
/** Longer acronyms are also written like "Nato". */
const LONGEST_STRICT = 3

/**
 * Whether a word of a text matches the expected one: an expected capital is required; other words match in any case.
 */
export function isSameWord(word: string, expected: string): boolean {
  if (word === expected) return true
  if (word.toLowerCase() !== expected.toLowerCase()) return false
  if (ALL_CAPITALS.test(expected)) return expected.length > LONGEST_STRICT && isCapital(word)
  return !isCapital(expected) || isCapital(word)
}
