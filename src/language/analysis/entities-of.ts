import type { Entity, Mention, Sentence } from '../../events/articles.ts'
import { entityId } from '../../events/ids.ts'
import { sums } from '../money/sums.ts'
import { fixedType } from '../names/aliases.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import type { CanonicalName } from '../names/mentions.ts'
import { factsOf, isOfPlace, placeNamed, type Gazetteer } from '../places/places.ts'
import { resolvePlaces } from '../places/resolve.ts'
import type { EntitySpan, NameLists } from '../recogniser/named-spans.ts'
import type { Span } from '../sentences.ts'
import { times } from '../times/times.ts'

/** What an entity is, beside where it is mentioned. */
type EntityIdentity = Omit<Entity, 'entity_id' | 'mentions'>

/** A mention and what it is of; character offsets, end exclusive. */
interface MarkedEntity extends Span {
  readonly surface: string
  readonly identity: EntityIdentity
  /** Towards it, -1 to 1; null: as the sentence. */
  readonly sentiment: number | null
}

const NOTHING = { wikidata_id: null, place: null, time: null, money: null }

/** Dates and sums; a name wins over one that touches it ("Black Friday"), and a sum over a date. */
function identityOf(
  text: string,
  { reached, published }: { readonly reached: readonly Span[]; readonly published: number | null },
  names: readonly Span[],
): MarkedEntity[] {
  const amounts = reached.flatMap(({ start, end }) => sums(text, start, end))
  const dates = reached.flatMap((sentence) => times(text, sentence, published))
  const money = without(amounts, names)
  const facts = [
    ...money.map(({ money: sum, ...span }) => ({ ...span, ...NOTHING, money: sum })),
    ...without(without(dates, names), money).map(({ time, ...span }) => ({ ...span, ...NOTHING, time })),
  ]
  return facts.map(({ start, end, ...identity }) => {
    return { start, end, surface: text.slice(start, end), sentiment: null, identity }
  })
}

/** Spans that overlap none of the others; both in the order of the text. */
function without<Item extends Span>(spans: readonly Item[], others: readonly Span[]): Item[] {
  let next = 0
  return spans.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next++
    return (others[next]?.start ?? Infinity) >= end
  })
}

interface FoundNames {
  readonly sentences: readonly Sentence[]
  /** In the order of the text. */
  readonly names: readonly EntitySpan[]
  /** Sentiment towards the first names; of those after them nothing is known. */
  readonly towards: readonly number[]
  /** Sentences that were read for names. */
  readonly reached: readonly Span[]
  /** Milliseconds since 1970. */
  readonly published: number | null
  readonly lists: NameLists
}

/** One entity a (type, canonical name), its mentions in the order of the text; entities in the order of their first. */
export function entitiesOf(text: string, found: FoundNames): Entity[] {
  const named = namedMentions(text, found)
  const marked = [...named, ...identityOf(text, found, named)].sort((a, b) => a.start - b.start)
  const entities = new Map<string, EntityIdentity & { readonly mentions: Mention[] }>()
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

/** Characters before a name that are looked at. */
const BEFORE = 40

function namedMentions(text: string, { names, towards, lists: { places } }: FoundNames): MarkedEntity[] {
  const mentions = names.map(({ type, start, end }) => {
    const surface = text.slice(start, end)
    return {
      ...{ type: fixedType(surface) ?? type, start, end, surface },
      before: text.slice(Math.max(0, start - BEFORE), start),
    }
  })
  const identities = located(canonicalNames(mentions, places), places)
  return mentions.map(({ type, start, end, surface }, i) => ({
    ...{ start, end, surface, sentiment: towards[i] ?? null },
    identity: identities[i] ?? { ...NOTHING, type, name: surface },
  }))
}

/** Names with where their places are. A namesake of a more prominent place has its surroundings in its name, and so an id of its own. */
function located(names: readonly CanonicalName[], places: Gazetteer): readonly EntityIdentity[] {
  const resolved = resolvePlaces(
    places,
    names.filter(isOfPlace).map(({ name }) => name),
  ).values()
  return names.map((name): EntityIdentity => {
    const place = isOfPlace(name) ? resolved.next().value : null
    if (place === null || place === undefined) return { ...NOTHING, ...name }
    const [around] = place.within
    const lesser = around !== undefined && placeNamed(places, place.name)?.within[0] !== around
    return {
      ...NOTHING,
      type: name.type,
      name: lesser ? `${place.name}, ${around}` : name.name,
      wikidata_id: place.wikidata,
      place: factsOf(place),
    }
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
