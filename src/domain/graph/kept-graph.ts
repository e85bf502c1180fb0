import { byKey, byPlace, inOrder, keyOf, linkChanges, type GraphChange, type StoryChanges } from './change.ts'
import type { GraphFacts } from './full.ts'
import { joinAll, type StoryPair } from './join.ts'
import { averageLinkage, type Linkage, linkOfStep, stepOf, type ChaptersStep } from './linkage.ts'
import { linkOfLedger, linksOf } from './links.ts'
import { liveIndex, type GraphLiveIndex } from './live.ts'
import { around, bonds, places, type Bonds, type HeldPlaces } from './places.ts'
import type { GraphRules } from './rules.ts'
import type { Graph, GraphStory, LedgerLink, Link } from './story.ts'

/** The graph of one namespace, updated incrementally. It always equals the `fullGraph` of the same stories. */
export interface KeptGraph {
  /**
   * Applies changes to stories and returns the changes to the graph. Keeps the given stories, which must not change.
   */
  readonly change: (changes: StoryChanges) => GraphChange
  readonly graph: () => Graph
}

export function keptGraph({ namespace, stories, ledger }: GraphFacts, rules: GraphRules): KeptGraph {
  const index = liveIndex(rules)
  const ties = near()
  const held = bonds()
  const world = { index, ties, held, linkage: averageLinkage(rules) }
  const threads = places({ namespace, chapters: held, get: index.get }, rules)
  const linksByKey = new Map(ledger.map((link) => [keyOf(link), linkOfLedger(link)]))

  for (const story of stories) index.put(story)
  for (const pair of joinAll(stories, rules)) tie(ties, pair, rules)
  const first = rebond(
    world,
    stories.map(({ cluster_id }) => cluster_id),
  )
  threads.change({ left: [], loose: [], joined: ends(first.after) })

  const change = ({ put, drop, holds, ended }: StoryChanges): GraphChange => {
    const ids = new Set([...drop, ...put.map(({ cluster_id }) => cluster_id)])
    const before = seenFrom(ids, world)
    const were = around(ids, besideIn(ties)).flat()
    bringUpToDate(world, { put, drop, ids }, rules)

    const after = seenFrom(ids, world)
    const { before: left, after: taken } = rebond(world, [...ids, ...were])
    const ledger = changeOfLedger(linksByKey, holds, ended)
    const gone = [...ids].filter((id) => index.get(id) === undefined)
    return inOrder({
      // In one call: a merge replaces the link between two stories with the ledger's link, which is one changed link.
      links: linkChanges(
        new Map([...before.links, ...left, ...ledger.before]),
        new Map([...after.links, ...taken, ...ledger.after]),
      ),
      threads: threads.change({ left: gone, ...heldTogether({ ...before, steps: left }, { ...after, steps: taken }) }),
    })
  }
  const graph = () => ({
    links: [...ties.links(), ...held.all().map(linkOfStep), ...linksByKey.values()].sort(byPlace),
    threads: new Map(threads.all()),
  })
  return { change, graph }
}

interface KeptGraphWorld {
  readonly index: GraphLiveIndex
  readonly ties: GraphNear
  /** The steps that hold threads together. */
  readonly held: Bonds
  readonly linkage: Linkage
}

function tie(ties: GraphNear, pair: StoryPair, rules: GraphRules): void {
  ties.tie(pair.one.cluster_id, pair.other.cluster_id, { pair, links: linksOf(pair, rules) })
}

interface IncomingStories extends Pick<StoryChanges, 'put' | 'drop'> {
  /** Ids of all stories in `put` and `drop`. */
  readonly ids: ReadonlySet<string>
}

/** Updates the stories and their pairs, but not the steps. */
function bringUpToDate({ index, ties }: KeptGraphWorld, { put, drop, ids }: IncomingStories, rules: GraphRules): void {
  for (const id of drop) index.drop(id)
  for (const story of put) index.put(story)
  for (const id of ids) ties.leave(id)
  for (const id of ids) for (const pair of index.neighbours(id)) tie(ties, pair, rules)
}

/** Stories that continue the given one or that it continues; these are compared for threads. */
const besideIn = (ties: GraphNear) =>
  function* (cluster_id: string): Iterable<string> {
    for (const [other, { pair }] of ties.of(cluster_id)) if (pair.next !== null) yield other
  }

/** The steps among stories that have no steps to other stories, each once. */
function* stepsWithin(cluster_ids: readonly string[], ties: GraphNear): Iterable<ChaptersStep> {
  for (const id of cluster_ids) {
    for (const { pair } of ties.of(id).values()) {
      const step = pair.one.cluster_id === id ? stepOf(pair) : null
      if (step !== null) yield step
    }
  }
}

/**
 * Recomputes the steps that hold threads together, for all stories that are or were connected with the changed ones.
 *
 * `changed`: new, changed and removed stories, and all stories that they were connected with before.
 */
function rebond({ index, ties, held, linkage }: KeptGraphWorld, changed: Iterable<string>) {
  const groups = around(changed, besideIn(ties))
  const next = groups.flatMap((group) => {
    const stories = group.flatMap((id) => index.get(id) ?? [])
    return stories.length < 2 ? [] : linkage(stories, stepsWithin(group, ties))
  })
  const were = held.replace(groups.flat(), next)
  return {
    before: byKey(withoutSame(were, next).map(linkOfStep)),
    after: byKey(withoutSame(next, were).map(linkOfStep)),
  }
}

/** The steps that are not in `others`. If one story changes, most steps of its thread stay the same. */
function withoutSame(steps: readonly ChaptersStep[], others: readonly ChaptersStep[]): readonly ChaptersStep[] {
  const same = new Set(others)
  return steps.filter((step) => !same.has(step))
}

type KeptGraphLinks = ReadonlyMap<string, Link>

/** Some stories and all their links. */
interface GraphSnapshot {
  readonly stories: ReadonlyMap<string, GraphStory>
  readonly links: KeptGraphLinks
}

function seenFrom(ids: ReadonlySet<string>, { index, ties }: KeptGraphWorld): GraphSnapshot {
  const stories = new Map<string, GraphStory>()
  const links = new Map<string, Link>()
  for (const id of ids) {
    const story = index.get(id)
    if (story !== undefined) stories.set(id, story)
    for (const tied of ties.of(id).values()) for (const link of tied.links) links.set(keyOf(link), link)
  }
  return { stories, links }
}

/** The affected ledger links before and after the change. Updates `linksByKey`. */
function changeOfLedger(linksByKey: Map<string, Link>, holds: readonly LedgerLink[], ended: readonly LedgerLink[]) {
  const keys = [...ended, ...holds].map(keyOf)
  const now = () => byKey(keys.flatMap((key) => linksByKey.get(key) ?? []))
  const before = now()
  for (const link of ended) linksByKey.delete(keyOf(link))
  for (const link of holds) linksByKey.set(keyOf(link), linkOfLedger(link))
  return { before, after: now() }
}

interface ConnectedStories {
  readonly stories: GraphSnapshot['stories']
  /** The links of the steps that hold threads together. */
  readonly steps: KeptGraphLinks
}

/** The steps that were added, and the stories that lost a step or have a new founding. */
function heldTogether(before: ConnectedStories, after: ConnectedStories): Omit<HeldPlaces, 'left'> {
  const renamed = [...after.stories].filter(([id, { founded }]) => {
    const was = before.stories.get(id)?.founded
    return was !== undefined && (was.cluster_id !== founded.cluster_id || was.order !== founded.order)
  })
  const gone = (id: string) => before.stories.has(id) && !after.stories.has(id)
  const loose = [...ends(without(before.steps, after.steps)).flat(), ...renamed.map(([id]) => id)]
  return { loose: new Set(loose.filter((id) => !gone(id))), joined: ends(without(after.steps, before.steps)) }
}

const without = (links: KeptGraphLinks, others: KeptGraphLinks): KeptGraphLinks =>
  new Map([...links].filter(([key]) => !others.has(key)))

const ends = (links: KeptGraphLinks): readonly (readonly [string, string])[] =>
  [...links.values()].map(({ source, target }) => [source, target])

/** The pair and the links of two stories. */
interface Ties {
  readonly pair: StoryPair
  readonly links: readonly Link[]
}

type GraphNear = ReturnType<typeof near>

const NOBODY: ReadonlyMap<string, Ties> = new Map()

/** The ties of each story, stored under both stories. */
function near() {
  const all = new Map<string, Map<string, Ties>>()

  const oneWay = (a: string, b: string, ties: Ties) => all.set(a, (all.get(a) ?? new Map<string, Ties>()).set(b, ties))
  const cut = (a: string, b: string): void => {
    const others = all.get(a)
    if (others?.delete(b) === true && others.size === 0) all.delete(a)
  }
  return {
    of: (cluster_id: string) => all.get(cluster_id) ?? NOBODY,
    tie: (a: string, b: string, ties: Ties): void => {
      oneWay(a, b, ties)
      oneWay(b, a, ties)
    },
    /** Removes all ties of a story. */
    leave: (cluster_id: string): void => {
      for (const other of all.get(cluster_id)?.keys() ?? []) cut(other, cluster_id)
      all.delete(cluster_id)
    },
    // Each tie is stored under both stories and is returned once.
    links: (): readonly Link[] =>
      [...all].flatMap(([id, others]) =>
        [...others.values()].flatMap(({ pair, links }) => (pair.one.cluster_id === id ? links : [])),
      ),
  }
}
