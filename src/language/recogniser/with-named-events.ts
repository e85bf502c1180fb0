import { type EventSpan, findEvents } from '../named-events/find-events.ts'
import type { KnownWords } from '../named-events/reading.ts'
import type { EventTable } from '../named-events/event-table.ts'
import { placeNamed, type Gazetteer } from '../places/places.ts'
import type { NamedSentence } from './consistency.ts'
import { factsOf, isCommonWord, KNOWN, type Lexicon } from './lexicon.ts'
import type { WordSpan } from './tags.ts'

interface EventLists {
  readonly lexicon: Lexicon
  readonly places: Gazetteer
  /** Null: no events are searched for. */
  readonly events: EventTable | null
}

/**
 * Sentences with their named events, found by rule. An event replaces the tagger's names that it covers or overlaps
 * ("Vietnam" in "Vietnam War"), but not a longer one that holds it ("National World War II Museum").
 */
export function withNamedEvents(sentences: readonly NamedSentence[], lists: EventLists): readonly NamedSentence[] {
  const { events } = lists
  if (events === null) return sentences
  const known = knownWords(lists)
  return sentences.map((sentence) => {
    const found = findEvents(sentence.words, known, events)
    return found.length === 0 ? sentence : { ...sentence, spans: merged(sentence.spans, found) }
  })
}

const knownWords = ({ lexicon, places }: EventLists): KnownWords => ({
  isPlace: (name) => placeNamed(places, name) !== undefined,
  isCommon: (word) => isCommonWord(lexicon, word),
  isFirstName: (word) => (factsOf(lexicon, word).known & KNOWN.firstName) !== 0,
})

function merged(spans: readonly WordSpan[], events: readonly EventSpan[]): WordSpan[] {
  const added = events.filter((event) => !spans.some((span) => isLonger(span, event)))
  const kept = spans.filter((span) => !added.some((event) => span.start < event.end && event.start < span.end))
  return [...kept, ...added.map((event) => ({ type: 'EVENT' as const, ...event }))].sort((a, b) => a.start - b.start)
}

const isLonger = (span: EventSpan, event: EventSpan): boolean =>
  span.start <= event.start && span.end >= event.end && span.end - span.start > event.end - event.start
