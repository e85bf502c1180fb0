import type { Entity, EntityType, Mention, Sentence } from '../../events/articles.ts'
import { entityId } from '../../events/ids.ts'
import { datesIn } from '../foreign/dates.ts'
import { inEnglish } from '../foreign/english-names.ts'
import { sumsIn } from '../foreign/sums.ts'
import { isReadAsEnglish } from '../language-of.ts'
import { sums } from '../money/sums.ts'
import { fixedType } from '../names/aliases.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import type { CanonicalName, NamedMention } from '../names/mentions.ts'
import { factsOf, isOfPlace, placeNamed, type Gazetteer } from '../places/places.ts'
import { resolvePlaces } from '../places/resolve.ts'
import type { EntitySpan, NameLists } from '../recogniser/named-spans.ts'
import type { Span } from '../sentences.ts'
import { withoutOverlaps } from '../spans.ts'
import { times } from '../times/times.ts'

/** The properties of an entity, without its mentions. */
type EntityIdentity = Omit<Entity, 'entity_id' | 'mentions'>

/** A mention and the entity it refers to; character offsets, end exclusive. */
interface MarkedEntity extends Span {
  readonly surface: string
  readonly identity: EntityIdentity
  /** Sentiment towards the mention, -1 to 1; `null` means that of the sentence. */
  readonly sentiment: number | null
}

const NO_FACTS = { wikidata_id: null, place: null, time: null, money: null }

/** Mentions of dates and sums of money. A name takes precedence over both ("Black Friday"), and a sum over a date. */
function datesAndSums(
  text: string,
  { tagged, published, language }: Pick<FoundNames, 'tagged' | 'published' | 'language'>,
  names: readonly Span[],
): MarkedEntity[] {
  const isEnglish = isReadAsEnglish(language)
  const amounts = tagged.flatMap((span) => (isEnglish ? sums(text, span.start, span.end) : sumsIn(text, span)))
  const dates = tagged.flatMap((span) =>
    isEnglish ? times(text, span, published) : datesIn(text, span, { language, published }),
  )
  const money = withoutOverlaps(amounts, names)
  const facts = [
    ...money.map(({ money: sum, ...span }) => ({ ...span, ...NO_FACTS, money: sum })),
    ...withoutOverlaps(withoutOverlaps(dates, names), money).map(({ time, ...span }) => ({
      ...span,
      ...NO_FACTS,
      time,
    })),
  ]
  return facts.map(({ start, end, ...identity }) => {
    return { start, end, surface: text.slice(start, end), sentiment: null, identity }
  })
}

interface FoundNames {
  readonly sentences: readonly Sentence[]
  /** In the order of the text. */
  readonly names: readonly EntitySpan[]
  /** Sentiment towards each name, -1 to 1. */
  readonly targetScores: readonly number[]
  /** Sentences that were read. */
  readonly tagged: readonly Span[]
  /** Milliseconds since 1970; `null` if unknown. */
  readonly published: number | null
  /** ISO 639-1, or `und`. */
  readonly language: string
  readonly lists: NameLists
}

/** One entity for each (type, canonical name), in the order of the first mentions; mentions in text order. */
export function entitiesOf(text: string, found: FoundNames): Entity[] {
  const named = namedMentions(text, found)
  const marked = [...named, ...datesAndSums(text, found, named)].sort((a, b) => a.start - b.start)
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

/** Number of characters before a name that are examined. */
const BEFORE = 40

function namedMentions(text: string, { names, targetScores, language, lists: { places } }: FoundNames): MarkedEntity[] {
  // The reader of other languages takes short names of countries for organisations: "США".
  const isForeignCountry = (type: EntityType, name: string): boolean =>
    type === 'ORG' && !isReadAsEnglish(language) && placeNamed(places, name)?.kind === 'country'
  const mentions = names.map(({ type, start, end }) => {
    const surface = text.slice(start, end)
    return {
      ...{ type: fixedType(surface) ?? (isForeignCountry(type, surface) ? 'GPE' : type), start, end, surface },
      before: text.slice(Math.max(0, start - BEFORE), start),
    }
  })
  const identities = located(canonicalNames(asEnglishWrites(mentions, language), places), places)
  return mentions.map(({ type, start, end, surface }, i) => ({
    ...{ start, end, surface, sentiment: targetScores[i] ?? null },
    identity: identities[i] ?? { ...NO_FACTS, type, name: surface },
  }))
}

/** Mentions whose names are written as in English. */
function asEnglishWrites(mentions: readonly NamedMention[], language: string): readonly NamedMention[] {
  if (isReadAsEnglish(language)) return mentions
  const names = inEnglish(mentions, language)
  return mentions.map((mention, i) => ({ ...mention, surface: names[i] ?? mention.surface }))
}

/** Adds the place to each place name. A less prominent namesake becomes an entity of its own: "Paris, Texas". */
function located(names: readonly CanonicalName[], places: Gazetteer): readonly EntityIdentity[] {
  const resolved = resolvePlaces(
    places,
    names.filter(isOfPlace).map(({ name }) => name),
  ).values()
  return names.map((name): EntityIdentity => {
    const place = isOfPlace(name) ? resolved.next().value : null
    if (place === null || place === undefined) return { ...NO_FACTS, ...name }
    const [around] = place.within
    const isLessProminent = around !== undefined && placeNamed(places, place.name)?.within[0] !== around
    return {
      ...NO_FACTS,
      type: name.type,
      name: isLessProminent ? `${place.name}, ${around}` : name.name,
      wikidata_id: place.wikidata,
      place: factsOf(place),
    }
  })
}

/** Returns a function for the index of the sentence that contains a character. Must be called in ascending order. */
function sentenceFinder(sentences: readonly Sentence[]): (start: number) => number {
  let at = 0
  return (start) => {
    while (at < sentences.length - 1 && start >= (sentences[at]?.end ?? 0)) at++
    return at
  }
}
