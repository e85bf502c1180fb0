import { type GazetteerPlace, placeKey, placeNamed, type Gazetteer } from './places.ts'

/** A namesake that is at most this many times smaller is meant if the article names its state, or its country. */
const SMALLER_BY_STATE = 50
const SMALLER_BY_COUNTRY = 10

/**
 * The place that each name of an article refers to, in order; `null` if it is not in the table. This is the most
 * prominent one, unless the name itself ("Cambridge, Mass.") or the article's other places indicate a namesake.
 */
export function resolvePlaces(places: Gazetteer, names: readonly string[]): readonly (GazetteerPlace | null)[] {
  const context = contextOf(places, names)
  return names.map((name) => {
    const { first, namesakes } = candidatesFor(places, name)
    if (first === undefined) return inNamedState(places, name)
    return namesakes.find((place) => isMeant(place, first, context)) ?? first
  })
}

function candidatesFor(places: Gazetteer, name: string) {
  const key = placeKey(name.replace(/^the\s+/i, ''))
  return { first: places.get(key), namesakes: places.namesakes.get(key) ?? [] }
}

/** "Paris, Texas": the place with the first part as its name that lies in the second. */
function inNamedState(places: Gazetteer, name: string): GazetteerPlace | null {
  const [city = '', state = ''] = name.split(/,\s*/u, 2)
  const outer = state === '' ? undefined : placeNamed(places, state)
  const { first, namesakes } = candidatesFor(places, city)
  if (first === undefined || outer === undefined) return null
  return [first, ...namesakes].find((place) => liesIn(place, outer)) ?? null
}

const liesIn = (place: GazetteerPlace, { name, country }: GazetteerPlace): boolean =>
  place.within.includes(name) && (country === null || place.country === country)

const stateKey = (country: string | null, state: string): string => `${country ?? ''} ${state}`

/** The unambiguous place names of an article, as evidence for the others. */
type Context = ReturnType<typeof contextOf>

function contextOf(places: Gazetteer, names: readonly string[]) {
  const [named, cityStates] = [new Set<string>(), new Set<string>()]
  for (const { kind, country, name, within } of names.flatMap((each) => unambiguousOf(candidatesFor(places, each)))) {
    if (kind === 'country') named.add(country ?? '')
    else if (kind === 'state') named.add(stateKey(country, name))
    else if (kind === 'city') cityStates.add(stateKey(country, within[0] ?? ''))
  }
  return {
    /** Countries and states that the article names, `US` and `US Texas`. */
    named,
    /** States of the cities that the article names, in the same form. */
    cityStates,
  }
}

/**
 * The place, if its name is unambiguous: a country or state that shares it only with cities, or a city that shares it
 * with no place.
 */
function unambiguousOf({ first, namesakes }: ReturnType<typeof candidatesFor>): readonly GazetteerPlace[] {
  if (first === undefined || namesakes.some(({ kind }) => kind !== 'city')) return []
  return first.kind === 'city' && namesakes.length > 0 ? [] : [first]
}

const isMeant = (place: GazetteerPlace, first: GazetteerPlace, context: Context): boolean =>
  first.kind === 'city' ? isCityMeant(place, first, context) : isStateMeant(place, first, context)

/** A name means a state rather than a country only if the article names one of that state's cities. */
const isStateMeant = (place: GazetteerPlace, first: GazetteerPlace, { named, cityStates }: Context): boolean =>
  place.kind === 'state' && cityStates.has(stateKey(place.country, place.name)) && !named.has(first.country ?? '')

function isCityMeant(place: GazetteerPlace, first: GazetteerPlace, { named }: Context): boolean {
  if (place.kind !== 'city' || isInNamedState(first, named)) return false
  const smaller = first.people / Math.max(1, place.people)
  if (isInNamedState(place, named)) return smaller <= SMALLER_BY_STATE
  return smaller <= SMALLER_BY_COUNTRY && named.has(place.country ?? '') && !named.has(first.country ?? '')
}

const isInNamedState = ({ country, within }: GazetteerPlace, named: ReadonlySet<string>): boolean =>
  named.has(stateKey(country, within[0] ?? ''))
