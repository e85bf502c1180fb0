import type { EntityType } from '../../events/articles.ts'
import { eventName } from '../named-events/find-events.ts'
import { openEventTable } from '../named-events/event-table.ts'
import { placeNamed, type Gazetteer } from '../places/places.ts'
import { aliasOf, fixedType } from './aliases.ts'
import { type PersonMention, personNames } from './persons.ts'
import {
  type CanonicalName,
  type NamedMention,
  splitTitles,
  titlesOf,
  trimmedName,
  withNormalCase,
  withoutPossessive,
  withoutSeat,
} from './mentions.ts'
import { organisationNames } from './organisations.ts'
import { personForm } from './person-form.ts'
import { spellings } from './name-key.ts'

/**
 * The canonical name of each mention of an article, in order: from the alias map and the table of places, or else the
 * full form that the article uses. Ambiguous short forms are not resolved. Runs in linear time.
 */
export function canonicalNames(mentions: readonly NamedMention[], places: Gazetteer): readonly CanonicalName[] {
  const typed = mentions.map(withFixedType)
  const persons = personMentions(typed.filter(({ type }) => type === 'PERSON'))
  const personWords = new Set(persons.flatMap(({ form }) => form.words))
  const isOther = (short: string): boolean => personWords.has(short) || placeNamed(places, short) !== undefined
  const people = personNames(persons).values()
  const organisations = organisationNames(
    typed.filter(({ type }) => type === 'ORG'),
    isOther,
  ).values()
  const spelling = spellings(typed.filter(({ type }) => isPlaceOrEvent(type)).map(plainName))
  return typed.map((mention) => {
    if (mention.type === 'PERSON') return people.next().value ?? asWritten(mention)
    if (mention.type === 'ORG') return organisations.next().value ?? asWritten(mention)
    return otherName(mention, { places, spelling })
  })
}

/** "White House" is an organisation, whatever type a tagger assigns. */
function withFixedType(mention: NamedMention): NamedMention {
  const name = plainName(mention)
  const type = fixedType(name)
  return type === undefined || type === mention.type ? mention : { ...mention, type }
}

const plainName = ({ surface }: NamedMention): string => withoutPossessive(trimmedName(surface)) || surface

const asWritten = (mention: NamedMention): CanonicalName => ({
  type: mention.type,
  name: plainName(mention),
  wikidata_id: null,
})

function personMentions(mentions: readonly NamedMention[]): readonly PersonMention[] {
  const split = mentions.map((mention) => {
    const { titles, name } = splitTitles(withoutSeat(plainName(mention)))
    return { titles, name: trimmedName(name) || name }
  })
  const spelling = spellings(split.map(({ name }) => name))
  return split.map(({ titles, name }, i) => {
    const spelled = withNormalCase(spelling(name))
    const found = titlesOf(titles, mentions[i]?.before)
    const titled = TITLES_IN_NAMES.test(found.written) ? aliasOf('PERSON', `${found.written} ${spelled}`) : undefined
    return { form: personForm(titled?.name ?? spelled), titles: found, known: titled ?? aliasOf('PERSON', spelled) }
  })
}

/** Titles that are part of names in the alias map: "Pope Francis". */
const TITLES_IN_NAMES = /^(?:pope|king|queen|emperor|prince|princess|mother)$/i

/** Places and events, whose names differ only in spelling. */
const isPlaceOrEvent = (type: EntityType): boolean => type === 'GPE' || type === 'LOC' || type === 'EVENT'

function otherName(
  mention: NamedMention,
  { places, spelling }: { readonly places: Gazetteer; readonly spelling: (name: string) => string },
): CanonicalName {
  const { type, surface } = mention
  if (!isPlaceOrEvent(type)) return { type, name: surface, wikidata_id: null }
  const name = plainName(mention)
  if (type === 'EVENT') return eventNamed(name) ?? { type, name: spelling(name), wikidata_id: null }
  const place = placeNamed(places, name)
  return { type, name: place?.name ?? spelling(name), wikidata_id: place?.wikidata ?? null }
}

/** From the alias map, or else as `named-events` reads it: "Rio Olympics" are the "2016 Summer Olympics". */
function eventNamed(written: string): CanonicalName | undefined {
  const name = eventName(written, openEventTable())
  return aliasOf('EVENT', name ?? written) ?? (name === null ? undefined : { type: 'EVENT', name, wikidata_id: null })
}
