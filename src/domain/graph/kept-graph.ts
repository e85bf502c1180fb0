import { byKey, byEnds, sortedChange, keyOf, linkChanges, type GraphChange, type StoryChanges } from './change.ts'
import type { GraphFacts } from './full.ts'
import { joinAll, type StoryPair } from './join.ts'
import { averageLinkage, type Linkage, linkOfStep, stepOf, type ChapterStep } from './linkage.ts'
import { linkOfLedger, linksOf } from './links.ts'
import { liveIndex, type GraphLiveIndex } from './live.ts'
import { connectedGroups, emptyBonds, threadAssignment, type Bonds, type BondChanges } from './thread-assignment.ts'
import type { GraphRules } from './rules.ts'
import type { Graph, GraphStory, LedgerLink, Link } from './story.ts'

/** The graph of one namespace, updated incrementally. It always equals the `fullGraph` of the same stories. */
export interface KeptGraph {
  /**
   * Applies changes to stories and returns the changes to the graph. Stores the given objects: do not modify them.
   */
  readonly change: (changes: StoryChanges) => GraphChange
  readonly graph: () => Graph
}

export function keptGraph({ namespace, stories, ledger }: GraphFacts, rules: GraphRules): KeptGraph {
  const index = liveIndex(rules)
  const pairs = emptyPairs()
  const bonds = emptyBonds()
  const state = { index, pairs, bonds, linkage: averageLinkage(rules) }
  const threads = threadAssignment({ namespace, bonds, get: index.get }, rules)
  const linksByKey = new Map(ledger.map((link) => [keyOf(link), linkOfLedger(link)]))

  for (const story of stories) index.put(story)
  for (const pair of joinAll(stories, rules)) addPair(pairs, pair, rules)
  const first = updateBonds(
    state,
    stories.map(({ cluster_id }) => cluster_id),
  )
  threads.change({ removed: [], weakened: [], joined: ends(first.after) })

  const change = ({ put, drop, holds, ended }: StoryChanges): GraphChange => {
    const ids = new Set([...drop, ...put.map(({ cluster_id }) => cluster_id)])
    const before = snapshotOf(ids, state)
    const connectedBefore = connectedGroups(ids, neighboursIn(pairs)).flat()
    updatePairs(state, { put, drop, ids }, rules)

    const after = snapshotOf(ids, state)
    const { before: removedBonds, after: addedBonds } = updateBonds(state, [...ids, ...connectedBefore])
    const ledger = changeOfLedger(linksByKey, holds, ended)
    const gone = [...ids].filter((id) => index.get(id) === undefined)
    return sortedChange({
      // In one call: a merge replaces the link between two stories with the ledger's link, which is one changed link.
      links: linkChanges(
        new Map([...before.links, ...removedBonds, ...ledger.before]),
        new Map([...after.links, ...addedBonds, ...ledger.after]),
      ),
      threads: threads.change({
        removed: gone,
        ...bondChanges({ ...before, steps: removedBonds }, { ...after, steps: addedBonds }),
      }),
    })
  }
  const graph = () => ({
    links: [...pairs.links(), ...bonds.all().map(linkOfStep), ...linksByKey.values()].sort(byEnds),
    threads: new Map(threads.all()),
  })
  return { change, graph }
}

interface GraphState {
  readonly index: GraphLiveIndex
  readonly pairs: PairIndex
  /** The steps that hold threads together. */
  readonly bonds: Bonds
  readonly linkage: Linkage
}

function addPair(pairs: PairIndex, pair: StoryPair, rules: GraphRules): void {
  pairs.add(pair.one.cluster_id, pair.other.cluster_id, { pair, links: linksOf(pair, rules) })
}

interface IncomingStories extends Pick<StoryChanges, 'put' | 'drop'> {
  /** Ids of all stories in `put` and `drop`. */
  readonly ids: ReadonlySet<string>
}

/** Updates the stories and their pairs, but not the bonds. */
function updatePairs({ index, pairs }: GraphState, { put, drop, ids }: IncomingStories, rules: GraphRules): void {
  for (const id of drop) index.drop(id)
  for (const story of put) index.put(story)
  for (const id of ids) pairs.removeStory(id)
  for (const id of ids) for (const pair of index.neighbours(id)) addPair(pairs, pair, rules)
}

/** Stories that continue the given one or that it continues; these are compared for threads. */
const neighboursIn = (pairs: PairIndex) =>
  function* (cluster_id: string): Iterable<string> {
    for (const [other, { pair }] of pairs.of(cluster_id)) if (pair.next !== null) yield other
  }

/** All chapter steps of a group of connected stories, each once. */
function* stepsWithin(cluster_ids: readonly string[], pairs: PairIndex): Iterable<ChapterStep> {
  for (const id of cluster_ids) {
    for (const { pair } of pairs.of(id).values()) {
      const step = pair.one.cluster_id === id ? stepOf(pair) : null
      if (step !== null) yield step
    }
  }
}

/**
 * Recomputes the bonds of all stories that are or were connected with the changed ones. Returns the bonds that were
 * removed (`before`) and added (`after`), as links by key.
 *
 * `changed`: new, changed and removed stories, and all stories that they were connected with before.
 */
function updateBonds({ index, pairs, bonds: held, linkage }: GraphState, changed: Iterable<string>) {
  const groups = connectedGroups(changed, neighboursIn(pairs))
  const next = groups.flatMap((group) => {
    const stories = group.flatMap((id) => index.get(id) ?? [])
    return stories.length < 2 ? [] : linkage(stories, stepsWithin(group, pairs))
  })
  const previous = held.replace(groups.flat(), next)
  return {
    before: byKey(withoutSame(previous, next).map(linkOfStep)),
    after: byKey(withoutSame(next, previous).map(linkOfStep)),
  }
}

/** The steps that are not in `others`. If one story changes, most steps of its thread stay the same. */
function withoutSame(steps: readonly ChapterStep[], others: readonly ChapterStep[]): readonly ChapterStep[] {
  const same = new Set(others)
  return steps.filter((step) => !same.has(step))
}

type KeptGraphLinks = ReadonlyMap<string, Link>

/** Some stories and all their links. */
interface GraphSnapshot {
  readonly stories: ReadonlyMap<string, GraphStory>
  readonly links: KeptGraphLinks
}

function snapshotOf(ids: ReadonlySet<string>, { index, pairs }: GraphState): GraphSnapshot {
  const stories = new Map<string, GraphStory>()
  const links = new Map<string, Link>()
  for (const id of ids) {
    const story = index.get(id)
    if (story !== undefined) stories.set(id, story)
    for (const tied of pairs.of(id).values()) for (const link of tied.links) links.set(keyOf(link), link)
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
  /** The links of the bonds that were removed, or those that were added. */
  readonly steps: KeptGraphLinks
}

/** The bonds that were added, and the stories that lost a bond or have a new founding. */
function bondChanges(before: ConnectedStories, after: ConnectedStories): Omit<BondChanges, 'removed'> {
  const renamed = [...after.stories].filter(([id, { founded }]) => {
    const foundedBefore = before.stories.get(id)?.founded
    return (
      foundedBefore !== undefined &&
      (foundedBefore.cluster_id !== founded.cluster_id || foundedBefore.order !== founded.order)
    )
  })
  const gone = (id: string) => before.stories.has(id) && !after.stories.has(id)
  const weakened = [...ends(without(before.steps, after.steps)).flat(), ...renamed.map(([id]) => id)]
  return { weakened: new Set(weakened.filter((id) => !gone(id))), joined: ends(without(after.steps, before.steps)) }
}

const without = (links: KeptGraphLinks, others: KeptGraphLinks): KeptGraphLinks =>
  new Map([...links].filter(([key]) => !others.has(key)))

const ends = (links: KeptGraphLinks): readonly (readonly [string, string])[] =>
  [...links.values()].map(({ source, target }) => [source, target])

/** A pair of stories and its links. */
interface PairLinks {
  readonly pair: StoryPair
  readonly links: readonly Link[]
}

type PairIndex = ReturnType<typeof emptyPairs>

const NO_PAIRS: ReadonlyMap<string, PairLinks> = new Map()

/** The pairs of each story, stored under both stories. */
function emptyPairs() {
  const all = new Map<string, Map<string, PairLinks>>()

  const setOneWay = (a: string, b: string, pairs: PairLinks) =>
    all.set(a, (all.get(a) ?? new Map<string, PairLinks>()).set(b, pairs))
  const cut = (a: string, b: string): void => {
    const others = all.get(a)
    if (others?.delete(b) === true && others.size === 0) all.delete(a)
  }
  return {
    of: (cluster_id: string) => all.get(cluster_id) ?? NO_PAIRS,
    add: (a: string, b: string, pairs: PairLinks): void => {
      setOneWay(a, b, pairs)
      setOneWay(b, a, pairs)
    },
    /** Removes all pairs of a story. */
    removeStory: (cluster_id: string): void => {
      for (const other of all.get(cluster_id)?.keys() ?? []) cut(other, cluster_id)
      all.delete(cluster_id)
    },
    // Each pair is stored under both stories and is returned once.
    links: (): readonly Link[] =>
      [...all].flatMap(([id, others]) =>
        [...others.values()].flatMap(({ pair, links }) => (pair.one.cluster_id === id ? links : [])),
      ),
  }
}
