import { compare, pairsOf, type EntityIndex, type EntityPair } from './entity-index.ts'

export interface EntityWalk {
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
interface EntityWalkWay {
  readonly width: number
  readonly steps: number
}

/**
 * Entities that a walk reaches, those of the strongest ways first, of one strength the nearest; at most `most`. An
 * entity that leads to one of these comes before it, so only what is among the strongest after each step need be gone on from.
 */
export function reachedFrom(index: EntityIndex, { root, depth, least, most }: EntityWalk): string[] {
  let ways: ReadonlyMap<string, EntityWalkWay> = new Map()
  let last: ReadonlyMap<string, EntityWalkWay> = new Map([[root, { width: index.most, steps: 0 }]])
  for (let steps = 1; steps <= depth && last.size > 0; steps += 1) {
    const found = [...last].flatMap(([from, { width }]) =>
      pairsOf(index, from, least).map(({ other, articles }) => ({
        id: other,
        width: Math.min(width, articles),
        steps,
      })),
    )
    ways = widest(
      better(
        ways,
        found.filter(({ id }) => id !== root),
      ),
      most,
    )
    last = new Map([...ways].filter(([, way]) => way.steps === steps))
  }
  return [...ways.keys()]
}

function better(
  known: ReadonlyMap<string, EntityWalkWay>,
  found: readonly (EntityWalkWay & { readonly id: string })[],
): Map<string, EntityWalkWay> {
  const ways = new Map(known)
  for (const { id, width, steps } of found) {
    if (width > (ways.get(id)?.width ?? 0)) ways.set(id, { width, steps })
  }
  return ways
}

const widest = (ways: ReadonlyMap<string, EntityWalkWay>, most: number): ReadonlyMap<string, EntityWalkWay> =>
  new Map(
    [...ways]
      .sort(([id, a], [otherId, b]) => b.width - a.width || a.steps - b.steps || compare(id, otherId))
      .slice(0, most),
  )
