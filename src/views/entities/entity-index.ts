import { rounded } from '../../domain/rounding.ts'

/** An entity and the articles of a window that mention it. */
export interface IndexedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Log offsets of the articles' analyses, each once. */
  readonly offsets: readonly number[]
}

/**
 * The entities of a window's articles, indexed in both directions. Entities are numbered by descending number of
 * articles.
 */
export interface EntityIndex {
  readonly entities: readonly IndexedEntity[]
  readonly numberOf: ReadonlyMap<string, number>
  /** By log offset of an article's analysis: the numbers of its entities, ascending. */
  readonly articles: ReadonlyMap<number, readonly number[]>
  /** The index is complete for entities with at least this many articles. */
  readonly floor: number
  /** The number of articles of the strongest pair, which has strength 1; 0 if no two entities share an article. */
  readonly maxCommon: number
}

/**
 * `postings` has all entities, or those with the most articles; in the second case, other entities may have as many
 * articles as the last one.
 */
export function entityIndex(postings: readonly IndexedEntity[], isWhole: boolean): EntityIndex {
  const entities = postings.toSorted((a, b) => b.offsets.length - a.offsets.length || compare(a.id, b.id))
  const articles = new Map<number, number[]>()
  entities.forEach(({ offsets }, entity) => {
    for (const place of offsets) {
      const there = articles.get(place)
      if (there === undefined) articles.set(place, [entity])
      else there.push(entity)
    }
  })
  const floor = isWhole ? 1 : (entities.at(-1)?.offsets.length ?? 0) + 1
  const index = { entities, numberOf: new Map(entities.map(({ id }, i) => [id, i])), articles, floor }
  return { ...index, maxCommon: maxCommonArticles(index) }
}

type EntityIndexArticles = Pick<EntityIndex, 'entities' | 'articles'>

/**
 * The articles of the strongest pair. A pair has at most as many articles as each of its entities, so the search stops
 * at the first entity with no more articles than the best pair so far.
 */
function maxCommonArticles(index: EntityIndexArticles): number {
  let most = 0
  for (const [entity, { offsets }] of index.entities.entries()) {
    if (offsets.length <= most) break
    const counts = commonArticleCounts(index, entity)
    for (const count of counts) if (count > most) most = count
  }
  return most
}

/** Whether `maxCommon` is exact, although the index may lack entities. */
export const isDecided = ({ maxCommon, floor }: EntityIndex): boolean => maxCommon >= floor - 1

/** For each entity, by number: how many articles mention it together with `entity`. */
function commonArticleCounts({ entities, articles }: EntityIndexArticles, entity: number): Uint32Array {
  const counts = new Uint32Array(entities.length)
  for (const place of entities[entity]?.offsets ?? []) {
    for (const other of articles.get(place) ?? []) counts[other] = (counts[other] ?? 0) + 1
  }
  counts[entity] = 0
  return counts
}

/** Two entities, and the number of articles that mention both. */
export interface EntityPair {
  readonly one: string
  readonly other: string
  readonly articles: number
}

/** The pairs of an entity with at least `minCount` common articles, unordered; `one` is that entity. */
export function pairsOf(index: EntityIndex, one: string, minCount: number): EntityPair[] {
  const entity = index.numberOf.get(one)
  const pairs: EntityPair[] = []
  if (entity === undefined) return pairs
  const counts = commonArticleCounts(index, entity)
  index.entities.forEach(({ id }, other) => {
    const articles = counts[other] ?? 0
    if (articles >= minCount) pairs.push({ one, other: id, articles })
  })
  return pairs
}

/** The pairs among some entities with at least `minCount` common articles, the most first; `one` is the smaller id. */
export function pairsAmong(
  { entities, numberOf }: EntityIndex,
  ids: readonly string[],
  minCount: number,
): EntityPair[] {
  const sorted = ids.toSorted()
  const byOffset = new Map<number, number[]>() // by article: indexes of the given entities in it, ascending
  sorted.forEach((id, i) => {
    for (const place of entities[numberOf.get(id) ?? -1]?.offsets ?? []) {
      const before = byOffset.get(place)
      if (before === undefined) byOffset.set(place, [i])
      else before.push(i)
    }
  })
  const counts = countsOfTwo([...byOffset.values()], sorted.length)
  return sorted
    .flatMap((one, i) => sorted.map((other, j) => ({ one, other, articles: counts[i * sorted.length + j] ?? 0 })))
    .filter(({ articles }) => articles >= minCount)
    .sort((a, b) => b.articles - a.articles || compare(a.one, b.one) || compare(a.other, b.other))
}

/**
 * Counts pairs in ascending lists of numbers below `size`: the element `i * size + j` is the number of lists with both
 * `i` and `j`, i < j.
 */
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

/** Orders ids by code unit, independently of the locale. */
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The articles that mention both entities of a pair, as log offsets of their analyses. */
export function commonOffsets(
  { entities, numberOf }: EntityIndex,
  { one, other }: Pick<EntityPair, 'one' | 'other'>,
): number[] {
  const [first, second] = [one, other].map((id) => entities[numberOf.get(id) ?? -1]?.offsets ?? [])
  const ofOther = new Set(second)
  return (first ?? []).filter((place) => ofOther.has(place))
}

/** The strength of a pair: its articles divided by those of the strongest pair, 0 to 1. */
export const strengthOf = (articles: number, most: number): number => rounded(articles / most)

/** The minimum number of articles of a pair with this strength; at least 1. */
export const minArticles = (strength: number, most: number): number =>
  Math.max(1, Math.ceil(strength * most - ROUNDING))

/** Tolerance for floating-point errors: 0.3 x 10 is slightly more than 3. */
const ROUNDING = 1e-6

interface EntityWalk {
  readonly root: string
  /** 1 to 3. */
  readonly depth: number
  /** Minimum number of common articles of a pair. */
  readonly least: number
  /** Maximum number of entities to return. */
  readonly most: number
}

interface NextStepsQuery {
  readonly from: readonly string[]
  readonly seen: ReadonlySet<string>
  readonly least: number
  readonly includes: (pair: EntityPair) => boolean
}

/**
 * The next step from some entities: each entity that is not in `seen`, once, by its strongest pair with one of them;
 * strongest first.
 */
export function nextSteps(index: EntityIndex, { from, seen, least, includes }: NextStepsQuery): EntityPair[] {
  const pairs = from.flatMap((one) => pairsOf(index, one, least).filter(({ other }) => !seen.has(other)))
  const next = new Map<string, EntityPair>()
  for (const pair of pairs.sort(strongestFirst)) if (!next.has(pair.other) && includes(pair)) next.set(pair.other, pair)
  return [...next.values()]
}

const strongestFirst = (a: EntityPair, b: EntityPair): number =>
  b.articles - a.articles || compare(a.other, b.other) || compare(a.one, b.one)

/** The strongest path to an entity: the articles of its weakest pair (`width`), and its length. */
interface Path {
  readonly width: number
  readonly steps: number
}

/**
 * The entities that a walk reaches, at most `most`, ordered by the strength of their paths, then by distance. An entity
 * on the path to another one ranks before it, so each step only needs to continue from the strongest entities so far.
 */
export function reachedFrom(index: EntityIndex, { root, depth, least, most }: EntityWalk): string[] {
  let paths: ReadonlyMap<string, Path> = new Map()
  let last: ReadonlyMap<string, Path> = new Map([[root, { width: index.maxCommon, steps: 0 }]])
  for (let steps = 1; steps <= depth && last.size > 0; steps += 1) {
    const found = [...last].flatMap(([from, { width }]) =>
      pairsOf(index, from, least).map(({ other: id, articles }) => ({ id, width: Math.min(width, articles), steps })),
    )
    const others = found.filter(({ id }) => id !== root)
    paths = strongest(better(paths, others), most)
    last = new Map([...paths].filter(([, path]) => path.steps === steps))
  }
  return [...paths.keys()]
}

function better(
  known: ReadonlyMap<string, Path>,
  found: readonly (Path & { readonly id: string })[],
): Map<string, Path> {
  const paths = new Map(known)
  for (const { id, width, steps } of found) {
    if (width > (paths.get(id)?.width ?? 0)) paths.set(id, { width, steps })
  }
  return paths
}

const strongest = (paths: ReadonlyMap<string, Path>, most: number): ReadonlyMap<string, Path> =>
  new Map(
    [...paths]
      .sort(([id, a], [otherId, b]) => b.width - a.width || a.steps - b.steps || compare(id, otherId))
      .slice(0, most),
  )
