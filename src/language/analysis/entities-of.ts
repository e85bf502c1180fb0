import type { Entity, Mention, Sentence } from '../../events/articles.ts'
import { entityId } from '../../events/ids.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import { fixedType } from '../names/aliases.ts'
import { amounts } from '../recogniser/amounts.ts'
import type { EntitySpan, NameLists } from '../recogniser/named-spans.ts'
import type { TextSpan } from '../recogniser/read-words.ts'

export interface Found {
  readonly sentences: readonly Sentence[]
  /** In the order of the text. */
  readonly names: readonly EntitySpan[]
  /** Sentiment towards the first names; of those after them nothing is known. */
  readonly towards: readonly number[]
  /** Sentences that were read for names. */
  readonly reached: readonly TextSpan[]
  /** Milliseconds since 1970. */
  readonly published: number | null
  readonly lists: NameLists
}

/** What an entity is, beside where it is mentioned. */
type Identity = Omit<Entity, 'entity_id' | 'mentions'>

interface Marked extends TextSpan {
  readonly surface: string
  readonly identity: Identity
  /** Null: as the sentence. */
  readonly sentiment: number | null
}

/** One entity a (type, canonical name), its mentions in the order of the text; entities in the order of their first. */
export function entitiesOf(text: string, found: Found): Entity[] {
  const named = namedMentions(text, found)
  const marked = [...named, ...told(text, found, named)].sort((a, b) => a.start - b.start)
  const entities = new Map<string, Identity & { readonly mentions: Mention[] }>()
  const sentenceAt = sentenceFinder(found.sentences)
  for (const { surface, start, end, identity, sentiment } of marked) {
    const sentence = sentenceAt(start)
    const id = entityId(identity.type, identity.name)
    const entity = entities.get(id) ?? { ...identity, mentions: [] }
    const sentiment_score = sentiment ?? found.sentences[sentence]?.sentiment_score ?? 0
    entity.mentions.push({ surface, start, end, sentence, sentiment_score })
    entities.set(id, entity)
  }
  return [...entities].map(([entity_id, entity]) => ({ entity_id, ...entity }))
}

function namedMentions(text: string, { names, towards, lists: { places } }: Found): Marked[] {
  const mentions = names.map(({ type, start, end }) => {
    const surface = text.slice(start, end)
    return { type: fixedType(surface) ?? type, start, end, surface }
  })
  const canonical = canonicalNames(mentions, places)
  return mentions.map(({ type, start, end, surface }, i) => ({
    ...{ start, end, surface, sentiment: towards[i] ?? null },
    identity: { ...NOTHING, ...(canonical[i] ?? { type, name: surface }) },
  }))
}

const NOTHING = { wikidata_id: null, place: null, time: null, money: null }

/** Dates and sums; a name wins over one that touches it: "Black Friday". */
function told(text: string, { reached }: Found, names: readonly TextSpan[]): Marked[] {
  const found = reached.flatMap(({ start, end }) => amounts(text, start, end))
  return without(found, names).map(({ type, start, end }) => {
    const surface = text.slice(start, end)
    return { start, end, surface, sentiment: null, identity: { ...NOTHING, type, name: surface } }
  })
}

/** Spans that overlap none of the others; both in the order of the text. */
function without<Item extends TextSpan>(spans: readonly Item[], others: readonly TextSpan[]): Item[] {
  let next = 0
  return spans.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next++
    return (others[next]?.start ?? Infinity) >= end
  })
}

/** Index of the sentence that holds a character; to be asked in ascending order. */
function sentenceFinder(sentences: readonly Sentence[]): (start: number) => number {
  let at = 0
  return (start) => {
    while (at < sentences.length - 1 && start >= (sentences[at]?.end ?? 0)) at++
    return at
  }
}
