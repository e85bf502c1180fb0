import type { EntityType } from '../../events/articles.ts'
import type { EventTable } from '../named-events/event-table.ts'
import { isPolitical } from '../places/political.ts'
import { placeNamed, type Gazetteer } from '../places/places.ts'
import { cleanSpan } from './clean.ts'
import { consistent } from './consistency.ts'
import { isCommonWord, type Lexicon } from './lexicon.ts'
import type { RecognisedSentence, TextSpan } from './read-words.ts'
import { withNamedEvents } from './with-named-events.ts'
import { type NameType, spansOfTags, type WordSpan } from './tags.ts'
import { isInWorkTitle } from './work-titles.ts'
import type { Words } from './words.ts'

export interface EntitySpan extends TextSpan {
  readonly type: EntityType
}

/** What is known of words and places beside the tagger's weights. */
export interface NameLists {
  readonly lexicon: Lexicon
  readonly places: Gazetteer
  /** Named events to find beside the tagger's names; null: none. */
  readonly events: EventTable | null
}

/** A sentence's words and their tags (`Tagger.tags`). */
export interface TaggedWords {
  readonly words: readonly string[]
  readonly tags: ArrayLike<number>
}

/** Names of one article's sentences from their tags: cleaned, with named events, and made consistent over the article. */
export const namedWords = (sentences: readonly TaggedWords[], lists: NameLists): WordSpan[][] =>
  consistent(
    withNamedEvents(
      sentences.map(({ words, tags }) => ({
        words,
        spans: spansOfTags(tags).flatMap((span) => nameOf(words, span) ?? []),
      })),
      lists,
    ),
    rulesOf(lists),
  )

/** As far as it is a name of somebody or something that is spoken of. */
function nameOf(words: readonly string[], span: WordSpan): WordSpan | null {
  const name = cleanSpan(words, span)
  return name?.type === 'PER' && isInWorkTitle(words, name) ? null : name
}

/** The same as places in a text, by sentence; governed places distinguished from land and water. */
export function namedSpans(
  text: string,
  { read, tags }: { readonly read: readonly RecognisedSentence[]; readonly tags: readonly ArrayLike<number>[] },
  lists: NameLists,
): EntitySpan[][] {
  const named = namedWords(
    read.map(({ words }, i) => ({ words: words.texts, tags: tags[i] ?? [] })),
    lists,
  )
  return named.map((spans, i) =>
    spans.flatMap(({ type, start, end }) => {
      const at = characters(read[i]?.words, start, end)
      return at === null ? [] : { type: typeOf(lists, type, text.slice(at.start, at.end)), ...at }
    }),
  )
}

const rulesOf = ({ lexicon, places }: NameLists) => ({
  isPlace: (word: string): boolean => placeNamed(places, word) !== undefined,
  isCommon: (word: string): boolean => isCommonWord(lexicon, word),
})

function characters(words: Words | undefined, start: number, end: number): TextSpan | null {
  const [from, to] = [words?.starts[start], words?.ends[end - 1]]
  return from === undefined || to === undefined ? null : { start: from, end: to }
}

function typeOf({ places }: NameLists, type: NameType, surface: string): EntityType {
  if (type === 'PER') return 'PERSON'
  if (type !== 'LOC') return type
  return isPolitical(places, surface) ? 'GPE' : 'LOC'
}
