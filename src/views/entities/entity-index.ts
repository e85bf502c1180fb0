import { rounded } from '../../domain/rounding.ts'

/** An entity and the articles of a window that name it. */
export interface IndexedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Places in the log of their analyses, each once. */
  readonly places: readonly number[]
}

/** Which entities a window's articles name, both ways. Entities are numbered by their articles, the most first. */
export interface EntityIndex {
  readonly entities: readonly IndexedEntity[]
  readonly numberOf: ReadonlyMap<string, number>
  /** By place in the log: numbers of the entities there, ascending. */
  readonly articles: ReadonlyMap<number, readonly number[]>
  /** All entities of at least this many articles are there. */
  readonly floor: number
  /** The most articles that name any two of them together, which is strength 1; 0 when none names two. */
  readonly most: number
}

/** `postings` are of all entities, or of those of most articles: then some of as many as the last may be missing. */
export function entityIndex(postings: readonly IndexedEntity[], isWhole: boolean): EntityIndex {
  const entities = postings.toSorted((a, b) => b.places.length - a.places.length || compare(a.id, b.id))
  const articles = new Map<number, number[]>()
  entities.forEach(({ places }, entity) => {
    for (const place of places) {
      const there = articles.get(place)
      if (there === undefined) articles.set(place, [entity])
      else there.push(entity)
    }
  })
  const floor = isWhole ? 1 : (entities.at(-1)?.places.length ?? 0) + 1
  const index = { entities, numberOf: new Map(entities.map(({ id }, i) => [id, i])), articles, floor }
  return { ...index, most: mostTogether(index) }
}

type EntityIndexArticles = Pick<EntityIndex, 'entities' | 'articles'>

/** A pair is in no more articles than either of its two: the first entity that is in no more than the most so far ends it. */
function mostTogether(index: EntityIndexArticles): number {
  let most = 0
  for (const [entity, { places }] of index.entities.entries()) {
    if (places.length <= most) break
    const counts = articlesTogether(index, entity)
    for (const count of counts) if (count > most) most = count
  }
  return most
}

/** Whether `most` is that of all entities, those that are missing included. */
export const isDecided = ({ most, floor }: EntityIndex): boolean => most >= floor - 1

/** At the number of each other: how many articles name an entity and that one. */
function articlesTogether({ entities, articles }: EntityIndexArticles, entity: number): Uint32Array {
  const counts = new Uint32Array(entities.length)
  for (const place of entities[entity]?.places ?? []) {
    for (const other of articles.get(place) ?? []) counts[other] = (counts[other] ?? 0) + 1
  }
  counts[entity] = 0
  return counts
}

/** Two entities that `articles` articles name together. */
export interface EntityPair {
  readonly one: string
  readonly other: string
  readonly articles: number
}

/** Pairs of an entity that at least `least` articles name together, in no order; `one` is that entity. */
export function pairsOf(index: EntityIndex, one: string, least: number): EntityPair[] {
  const entity = index.numberOf.get(one)
  const pairs: EntityPair[] = []
  if (entity === undefined) return pairs
  const counts = articlesTogether(index, entity)
  index.entities.forEach(({ id }, other) => {
    const articles = counts[other] ?? 0
    if (articles >= least) pairs.push({ one, other: id, articles })
  })
  return pairs
}

/** Every two of some that at least `least` articles name together, the most first; `one` is the smaller id. */
export function pairsAmong({ entities, numberOf }: EntityIndex, ids: readonly string[], least: number): EntityPair[] {
  const sorted = ids.toSorted()
  const there = new Map<number, number[]>() // by article: which of the wanted it names, ascending
  sorted.forEach((id, i) => {
    for (const place of entities[numberOf.get(id) ?? -1]?.places ?? []) {
      const before = there.get(place)
      if (before === undefined) there.set(place, [i])
      else before.push(i)
    }
  })
  const counts = countsOfTwo([...there.values()], sorted.length)
  return sorted
    .flatMap((one, i) => sorted.map((other, j) => ({ one, other, articles: counts[i * sorted.length + j] ?? 0 })))
    .filter(({ articles }) => articles >= least)
    .sort((a, b) => b.articles - a.articles || compare(a.one, b.one) || compare(a.other, b.other))
}

/** Of lists of numbers below `size`, each ascending: at `i * size + j` how many have both, `i` before `j`. */
function countsOfTwo(lists: readonly (readonly number[])[], size: number): Uint32Array {
  const counts = new Uint32Array(size * size)
  for (const list of lists) {
    list.forEach((one, i) => {
      for (let j = i + 1; j < list.length; j += 1) {
        const at = one * size + (list[j] ?? 0)
        counts[at] = (counts[at] ?? 0) + 1
      }
    })
  }
  return counts
}

/** Ids in their order, the same everywhere. */
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The articles that name both of a pair, as places in the log. */
export function placesOf(
  { entities, numberOf }: EntityIndex,
  { one, other }: Pick<EntityPair, 'one' | 'other'>,
): number[] {
  const [first, second] = [one, other].map((id) => entities[numberOf.get(id) ?? -1]?.places ?? [])
  const there = new Set(second)
  return (first ?? []).filter((place) => there.has(place))
}

/** What is shown of counts: a share of the strongest pair's, 0 to 1. */
export const strengthOf = (articles: number, most: number): number => rounded(articles / most)

/** The fewest articles that make a pair of so much strength; at least one. */
export const leastArticles = (strength: number, most: number): number =>
  Math.max(1, Math.ceil(strength * most - ROUNDING))

/** 0.3 x 10 is a little more than 3. */
const ROUNDING = 1e-6

interface EntityWalk {
  readonly root: string
  /** 1 to 3. */
  readonly depth: number
  /** Articles that name both of a pair. */
  readonly least: number
  /** Entities that are wanted. */
  readonly most: number
}

interface NextStepsQuery {
  readonly from: readonly string[]
  readonly seen: ReadonlySet<string>
  readonly least: number
  readonly includes: (pair: EntityPair) => boolean
}

/** A step on from some entities: each that is not yet seen, once, by its strongest pair with one of them; the strongest first. */
export function nextSteps(index: EntityIndex, { from, seen, least, includes }: NextStepsQuery): EntityPair[] {
  const pairs = from.flatMap((one) => pairsOf(index, one, least).filter(({ other }) => !seen.has(other)))
  const next = new Map<string, EntityPair>()
  for (const pair of pairs.sort(strongestFirst)) if (!next.has(pair.other) && includes(pair)) next.set(pair.other, pair)
  return [...next.values()]
}

const strongestFirst = (a: EntityPair, b: EntityPair): number =>
  b.articles - a.articles || compare(a.other, b.other) || compare(a.one, b.one)

/** The strongest way to an entity: articles of its weakest pair, and its steps. */
interface Way {
  readonly width: number
  readonly steps: number
}

/**
 * Entities that a walk reaches, those of the strongest ways first, of one strength the nearest; at most `most`. An
 * entity that leads to one of these comes before it, so only what is among the strongest after each step need be gone on from.
 */
export function reachedFrom(index: EntityIndex, { root, depth, least, most }: EntityWalk): string[] {
  let ways: ReadonlyMap<string, Way> = new Map()
  let last: ReadonlyMap<string, Way> = new Map([[root, { width: index.most, steps: 0 }]])
  for (let steps = 1; steps <= depth && last.size > 0; steps += 1) {
    const found = [...last].flatMap(([from, { width }]) =>
      pairsOf(index, from, least).map(({ other: id, articles }) => ({ id, width: Math.min(width, articles), steps })),
    )
    const others = found.filter(({ id }) => id !== root)
    ways = widest(better(ways, others), most)
    last = new Map([...ways].filter(([, way]) => way.steps === steps))
  }
  return [...ways.keys()]
}

function better(known: ReadonlyMap<string, Way>, found: readonly (Way & { readonly id: string })[]): Map<string, Way> {
  const ways = new Map(known)
  for (const { id, width, steps } of found) {
    if (width > (ways.get(id)?.width ?? 0)) ways.set(id, { width, steps })
  }
  return ways
}

const widest = (ways: ReadonlyMap<string, Way>, most: number): ReadonlyMap<string, Way> =>
  new Map(
    [...ways]
      .sort(([id, a], [otherId, b]) => b.width - a.width || a.steps - b.steps || compare(id, otherId))
      .slice(0, most),
  )
