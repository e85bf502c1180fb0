import { wordList } from '../model-files.ts'
import type { Span } from '../sentences.ts'
import {
  readElection,
  readClimateConference,
  readEuro,
  readFestival,
  readOperation,
  readWar,
  readStorm,
} from './event-forms.ts'
import {
  type EventTable,
  plainSign,
  splitWords,
  type EventReader,
  type EventWords,
  isCapital,
  type KnownWords,
  type ReadEvent,
} from './event-table.ts'
import { readTableEvent } from './table-events.ts'

/** Reader of each form, with its cue words: a sentence without one of them has no event of this form. */
const FORMS: readonly (readonly [read: EventReader, cues: string])[] = [
  [readStorm, 'Hurricane Hurricanes HURRICANE Typhoon Typhoons TYPHOON Cyclone Cyclones CYCLONE Storm Superstorm'],
  [readElection, 'election elections Election Elections referendum Referendum midterms Midterms'],
  [readElection, 'primary primaries caucuses Primary Primaries Caucuses'],
  [readWar, 'War WAR Revolution REVOLUTION'],
  [readOperation, 'Battle Siege Operation'],
  [readFestival, 'Festival'],
  [readClimateConference, 'COP'],
  [readEuro, 'Euro'],
]
const BY_CUE = new Map(FORMS.flatMap(([read, cues]) => cues.split(' ').map((cue) => [cue, read] as const)))

/** The readers to use for a sentence; for most, which have no cue word, only that of the table. */
function readersOf(words: readonly string[]): readonly EventReader[] {
  const readers = new Set([readTableEvent])
  for (const word of words) {
    const reader = BY_CUE.get(word.startsWith('COP') ? 'COP' : word)
    if (reader !== undefined) readers.add(reader)
  }
  return [...readers]
}

/** Named events of a sentence, in order: spans of word indexes, the longest at each word. Runs in linear time. */
export function findEvents(sentence: readonly string[], known: KnownWords, table: EventTable): Span[] {
  const given: EventWords = { ...known, table, words: sentence.map(plainSign) }
  const readers = readersOf(given.words)
  const found: Span[] = []
  let at = 0
  while (at < sentence.length) {
    const event = mayBegin(given.words[at] ?? '') ? eventAt(given, at, readers) : null
    if (event !== null) found.push({ start: at, end: event.end })
    at = event?.end ?? at + 1
  }
  return found
}

const ALL_KNOWN: KnownWords = { isPlace: () => true, isCommon: () => false, isFirstName: () => true }

/** The canonical name of an event; `null` if it is neither in the table nor of a known form, or is used as written. */
export function eventName(surface: string, table: EventTable): string | null {
  const words = splitWords(surface)
  const event = eventAt({ ...ALL_KNOWN, table, words }, 0, readersOf(words))
  return event?.end === words.length ? event.name : null
}

const mayBegin = (word: string): boolean => (/^[a-z]/.test(word) ? LOWER_START.has(word) : /^[\p{Lu}\p{N}]/u.test(word))
const LOWER_START = new Set(['midterm', 'eleventh', 'ninth', 'tenth', 'twelfth', 'bombing', 'attacks'])

function eventAt(given: EventWords, at: number, readers: readonly EventReader[]): ReadEvent | null {
  let best: ReadEvent | null = null
  for (const read of readers) {
    const event = read(given, at)
    if (event !== null && event.end > (best?.end ?? 0)) best = event
  }
  return best === null || isPartOfOther(given.words, at, best.end) ? null : best
}

/**
 * Things named after an event are not the event: "Vietnam War Memorial", "9/11 Commission", "the Watergate hotel",
 * "9/11/2017".
 */
function isPartOfOther(words: readonly string[], start: number, end: number): boolean {
  const after = words[end] ?? ''
  if (after === '/' || words[start - 1] === '/') return true
  if (isCapital(after) && THINGS_NAMED_AFTER_EVENTS.has(after.toLowerCase())) return true
  return words[start] === 'Watergate' && end === start + 1 && BUILDING.test(after)
}

const BUILDING = /^(?:hotel|complex|buildings?|apartments?|offices?|headquarters)$/i
const THINGS_NAMED_AFTER_EVENTS = wordList('named-events/called-after')
