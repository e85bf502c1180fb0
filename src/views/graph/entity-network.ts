import type { Store } from '../../ports/store.ts'
import type { EntityWanted } from '../entities/find.ts'
import { entitiesBeside, pairsAmong } from './entity-pairs.ts'
import { rootOf, type EntityRelationships } from './entity-relationships.ts'
import { leastArticles, strengthOf, strongestPair, type EntityWindow } from './entity-strength.ts'
import { leadingType, type RelationTold } from './entity-telling.ts'
import { entitiesShown, typesOfPairs } from './entity-told.ts'

export interface NetworkWanted extends EntityWanted {
  readonly window_ms: number
  /** 1 to 3. */
  readonly depth: number
  /** 0 to 1. */
  readonly min_strength: number
  /** With the root. */
  readonly max_nodes: number
}

export interface NetworkNode {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly mentions: number
  /** -1 to +1: mean over articles of how each speaks of it. */
  readonly sentiment_avg: number
}

/** Of a typed one that is directed, who acts is the source; of any other the smaller id. */
export interface NetworkEdge {
  readonly source: string
  readonly target: string
  readonly strength: number
  readonly type: RelationTold['type']
  readonly directed: boolean
  readonly co_mentions: number
}

export interface EntityNetwork {
  readonly entity: EntityRelationships['entity']
  /** The root first, then as they were reached: those of the strongest ways first. */
  readonly nodes: readonly NetworkNode[]
  /** Every pair of the nodes of enough strength, the strongest first. */
  readonly edges: readonly NetworkEdge[]
  /** True: there are more nodes. */
  readonly truncated: boolean
  readonly max_co_mentions: number
}

/**
 * Who is around an entity: of all it reaches within some steps over pairs of enough strength, those with the strongest
 * ways, and every pair of enough strength among these. A way is as strong as its weakest pair, so the steps to a node that
 * is kept are kept too: no node stands apart. Null: no such entity.
 */
export async function entityNetwork(store: Store, wanted: NetworkWanted): Promise<EntityNetwork | null> {
  const window = { namespace: wanted.namespace, from: wanted.as_of - wanted.window_ms, as_of: wanted.as_of }
  const [root, most] = await Promise.all([rootOf(store, wanted), strongestPair(store, window)])
  if (root === null) return null

  const least = leastArticles(wanted.min_strength, most)
  const reached = most === 0 ? [] : await reachedFrom(store, { ...wanted, window, root: root.id, least, most })
  const kept = reached.slice(0, wanted.max_nodes - 1)
  const ids = [root.id, ...kept]
  const [shown, edges] = await Promise.all([
    entitiesShown(store)({ ...window, ids }),
    kept.length === 0 ? [] : edgesAmong(store, window, { ids, least, most }),
  ])
  const byId = new Map(
    shown.map(({ id, called: name, kind: type, ...figures }) => [id, { id, name, type, ...figures }]),
  )
  const unnamed = { ...root, mentions: 0, sentiment_avg: 0 } // the window does not name it
  return {
    entity: root,
    nodes: [byId.get(root.id) ?? unnamed, ...kept.flatMap((id) => byId.get(id) ?? [])],
    edges,
    truncated: reached.length > kept.length,
    max_co_mentions: most,
  }
}

/** The strongest way to an entity that was found: articles of its weakest pair, and its steps. */
interface Way {
  readonly width: number
  readonly steps: number
}

interface Reaching {
  readonly window: EntityWindow
  readonly root: string
  readonly depth: number
  readonly max_nodes: number
  readonly least: number
  readonly most: number
}

/** Ids by their ways, one more than is kept where there are more; only what is among the strongest can lead on to such. */
async function reachedFrom(store: Store, { window, root, least, most, ...wanted }: Reaching): Promise<string[]> {
  let ways: ReadonlyMap<string, Way> = new Map()
  let last: ReadonlyMap<string, Way> = new Map([[root, { width: most, steps: 0 }]])
  for (let steps = 1; steps <= wanted.depth && last.size > 0; steps += 1) {
    const rows = await entitiesBeside(store)({
      ...{ ...window, least, type: '', seen: [root] },
      ids: [...last.keys()],
      widths: [...last.values()].map(({ width }) => width),
      limit: wanted.max_nodes,
    })
    const before = ways
    const better = rows.filter(({ id, width }) => width > (before.get(id)?.width ?? 0))
    ways = strongest([...before, ...better.map(({ id, width }) => [id, { width, steps }] as const)], wanted.max_nodes)
    last = new Map([...ways].filter(([, way]) => way.steps === steps))
  }
  return [...ways.keys()]
}

/** Of ways the strongest, of one strength the shortest; of an entity the last that is given. */
function strongest(ways: readonly (readonly [string, Way])[], most: number): ReadonlyMap<string, Way> {
  const sorted = [...new Map(ways)].sort(
    ([id, one], [otherId, other]) => other.width - one.width || one.steps - other.steps || (id < otherId ? -1 : 1),
  )
  return new Map(sorted.slice(0, most))
}

interface Among {
  readonly ids: readonly string[]
  readonly least: number
  readonly most: number
}

async function edgesAmong(store: Store, window: EntityWindow, { ids, least, most }: Among): Promise<NetworkEdge[]> {
  const pairs = await pairsAmong(store)({ ...window, ids: [...ids], least })
  const types = await typesOfPairs(store)({
    ...window,
    ones: pairs.map(({ one }) => one),
    others: pairs.map(({ other }) => other),
  })
  const byPair = new Map<string, (typeof types)[number][]>()
  for (const row of types)
    byPair.set(`${row.one} ${row.other}`, [...(byPair.get(`${row.one} ${row.other}`) ?? []), row])
  return pairs.map(({ one, other, articles }) => {
    const kinds = byPair.get(`${one} ${other}`) ?? []
    const type = leadingType(kinds)
    const { told = 0, from_one = 0 } = kinds.find((kind) => kind.type === type) ?? {}
    const directed = type !== 'co_mention' && from_one * 2 !== told
    const ends = directed && from_one * 2 < told ? { source: other, target: one } : { source: one, target: other }
    return { ...ends, strength: strengthOf(articles, most), type, directed, co_mentions: articles }
  })
}
