import type { EntityType } from '../../events/articles.ts'
import type { SentenceInWords, Words } from '../../ports/reader.ts'
import type { EventTable, KnownWords } from '../named-events/event-table.ts'
import { findEvents } from '../named-events/find-events.ts'
import { placeNamed, type Gazetteer, isPolitical } from '../places/places.ts'
import type { Span } from '../sentences.ts'
import { cleanSpan, isInWorkTitle } from './clean.ts'
import { consistent } from './consistency.ts'
import { isCommonWord, type Lexicon, factsOf, KNOWN } from './lexicon.ts'
import { type NameType, spansOfTags, type WordSpan } from './tags.ts'

export interface EntitySpan extends Span {
  readonly type: EntityType
}

/** Knowledge of words and places in addition to the tagger's weights. */
export interface NameLists {
  readonly lexicon: Lexicon
  readonly places: Gazetteer
  /** Named events to find in addition to the tagger's names; `null` if none. */
  readonly events: EventTable | null
}

/** A sentence's words and their tags (`Tagger.tags`). */
interface TaggedWords {
  readonly words: readonly string[]
  readonly tags: ArrayLike<number>
}

/** Names of an article's sentences from their tags: cleaned, with named events, and consistent over the article. */
export function namedWords(sentences: readonly TaggedWords[], { lexicon, places, events }: NameLists): WordSpan[][] {
  const known: KnownWords = {
    isPlace: (name) => placeNamed(places, name) !== undefined,
    isCommon: (word) => isCommonWord(lexicon, word),
    isFirstName: (word) => (factsOf(lexicon, word).known & KNOWN.firstName) !== 0,
  }
  const named = sentences.map(({ words, tags }) => {
    const spans = spansOfTags(tags).flatMap((span) => nameOf(words, span) ?? [])
    return { words, spans: events === null ? spans : withEvents(spans, findEvents(words, known, events)) }
  })
  return consistent(named, known)
}

/** The cleaned name; `null` if it is not a name, or is a person's in the title of a work. */
function nameOf(words: readonly string[], span: WordSpan): WordSpan | null {
  const name = cleanSpan(words, span)
  return name?.type === 'PER' && isInWorkTitle(words, name) ? null : name
}

/** The names of each sentence as character offsets. Political places are `GPE`, land and water `LOC`. */
export function namedSpans(
  text: string,
  { read, tags }: { readonly read: readonly SentenceInWords[]; readonly tags: readonly ArrayLike<number>[] },
  lists: NameLists,
): EntitySpan[][] {
  const named = namedWords(
    read.map(({ words }, i) => ({ words: words.texts, tags: tags[i] ?? [] })),
    lists,
  )
  return named.map((spans, i) =>
    spans.flatMap(({ type, start, end }) => {
      const at = charactersOf(read[i]?.words, start, end)
      return at === null ? [] : { type: typeOf(lists, type, text.slice(at.start, at.end)), ...at }
    }),
  )
}

function charactersOf(words: Words | undefined, start: number, end: number): Span | null {
  const [from, to] = [words?.starts[start], words?.ends[end - 1]]
  return from === undefined || to === undefined ? null : { start: from, end: to }
}

function typeOf({ places }: NameLists, type: NameType, surface: string): EntityType {
  if (type === 'PER') return 'PERSON'
  if (type !== 'LOC') return type
  return isPolitical(places, surface) ? 'GPE' : 'LOC'
}

/**
 * A sentence's names with its named events, found by rule. An event replaces names of the tagger that it overlaps
 * ("Vietnam" in "Vietnam War"), but not a longer one that contains it ("National World War II Museum").
 */
function withEvents(spans: readonly WordSpan[], events: readonly Span[]): readonly WordSpan[] {
  if (events.length === 0) return spans
  const added = events.filter((event) => !spans.some((span) => isLonger(span, event)))
  const kept = spans.filter((span) => !added.some((event) => span.start < event.end && event.start < span.end))
  return [...kept, ...added.map((event) => ({ type: 'EVENT' as const, ...event }))].sort((a, b) => a.start - b.start)
}

const isLonger = (span: Span, event: Span): boolean =>
  span.start <= event.start && span.end >= event.end && span.end - span.start > event.end - event.start
