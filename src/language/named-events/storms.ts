import { wordList } from '../model-files.ts'
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
