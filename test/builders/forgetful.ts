import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import { topic } from '../../src/events/topic.ts'
import type { MemoryStage } from '../../src/runtime/shapes.ts'
import { tombstone, type Entry } from '../../src/state/entry.ts'
import { countedAs, savedWords, type RunningCount, type RunningWord } from './running.ts'

interface WordRow {
  readonly word: string
  readonly count: number
}

const schemaOf = (name: string): string => {
  const word = { name: 'word', type: 'string' }
  const count = { name: 'count', type: 'long' }
  const fields = name.endsWith('.memory')
    ? [count, { name: 'last', type: 'string' }]
    : name.endsWith('.rows')
      ? [word, count]
      : [{ name: 'event_id', type: 'string' }, word]
  return JSON.stringify({ type: 'record', name: 'Word', fields })
}

export const forgetfulCodec = (): PlainCodec => new PlainCodec(schemaOf)

export const rowsOf = (name: string) => topic<WordRow>(`${name}.rows`, ({ word }) => word)

type Forgetful = MemoryStage<Map<string, RunningCount>, RunningWord, RunningWord, RunningCount, WordRow>

/** `isSaved`: its states are saved, so its changelog is not copied. Counts words, with one word in memory: the counts of all others are in its table. Topics have the stage's name. */
export function forgetfulAs(name: string, isSaved = false): Forgetful {
  const { reads, writes, memory } = countedAs(name)
  return {
    name,
    version: '1',
    reads: reads.slice(0, 1),
    writes,
    memory: {
      changelog: memory.changelog,
      empty: () => new Map(),
      evolve: (state, { key, value }: Entry<RunningCount>) => {
        if (value === null) state.delete(key)
        else state.set(key, value)
        return state
      },
      ...(isSaved ? { snapshot: savedWords('1') } : {}),
    },
    table: {
      changelog: rowsOf(name),
      needed: (state, { event: { word } }) => (state.has(word) ? [] : [word]),
    },
    decide: (state, { event: { word }, place }, found = new Map()) => {
      const count = (state.get(word)?.count ?? found.get(word)?.count ?? 0) + 1
      const others = [...state].filter(([known]) => known !== word)
      return {
        kind: 'emit',
        events: [{ event_id: `counted-${place.offset}`, word: `${word} ${count}` }],
        remember: [{ key: word, value: { count, last: '' } }, ...others.map(([known]) => tombstone(known))],
        rows: others.map(([known, it]) => ({ word: known, count: it.count })),
      }
    },
  }
}
