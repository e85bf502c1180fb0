import { byKey, byPlace, inOrder, keyOf, linkChanges, type GraphChange, type StoryChanges } from './change.ts'
import type { GraphFacts } from './full.ts'
import { joinAll, type StoryPair } from './join.ts'
import { averageLinkage, type Linkage, linkOfStep, stepOf, type ChaptersStep } from './linkage.ts'
import { linkOfLedger, linksOf } from './links.ts'
import { liveIndex, type GraphLiveIndex } from './live.ts'
import { around, bonds, places, type Bonds, type HeldPlaces } from './places.ts'
import type { GraphRules } from './rules.ts'
import type { Graph, GraphStory, LedgerLink, Link } from './story.ts'

/** The graph of one namespace, kept up to date story by story: at every moment what `fullGraph` makes of the same stories. */
export interface KeptGraph {
  /** Brings it up to date and says what became different. It keeps the stories it is given, which must not change. */
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
      // together: a merge makes the ledger's of what was two stories' own link, which is one change of one link
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
  /** What holds threads together. */
  readonly held: Bonds
  readonly linkage: Linkage
}

function tie(ties: GraphNear, pair: StoryPair, rules: GraphRules): void {
  ties.tie(pair.one.cluster_id, pair.other.cluster_id, { pair, links: linksOf(pair, rules) })
}

interface IncomingStories extends Pick<StoryChanges, 'put' | 'drop'> {
  /** Of both. */
  readonly ids: ReadonlySet<string>
}

/** Stories and the pairs they are in; no steps. */
function bringUpToDate({ index, ties }: KeptGraphWorld, { put, drop, ids }: IncomingStories, rules: GraphRules): void {
  for (const id of drop) index.drop(id)
  for (const story of put) index.put(story)
  for (const id of ids) ties.leave(id)
  for (const id of ids) for (const pair of index.neighbours(id)) tie(ties, pair, rules)
}

/** Stories that one goes on with, or that go on with it: those that are compared for threads. */
const besideIn = (ties: GraphNear) =>
  function* (cluster_id: string): Iterable<string> {
    for (const [other, { pair }] of ties.of(cluster_id)) if (pair.next !== null) yield other
  }

/** The steps between stories of which none has a step to any other, each once. */
function* stepsWithin(cluster_ids: readonly string[], ties: GraphNear): Iterable<ChaptersStep> {
  for (const id of cluster_ids) {
    for (const { pair } of ties.of(id).values()) {
      const step = pair.one.cluster_id === id ? stepOf(pair) : null
      if (step !== null) yield step
    }
  }
}

/**
 * Brings up to date what holds together all that these stories hang together with: those that are new, changed or gone, and
 * all that they hung together with before.
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

/** Steps that others do not hold: most of a thread stays as it is when one of its stories changes. */
function withoutSame(steps: readonly ChaptersStep[], others: readonly ChaptersStep[]): readonly ChaptersStep[] {
  const same = new Set(others)
  return steps.filter((step) => !same.has(step))
}

type KeptGraphLinks = ReadonlyMap<string, Link>

/** Some stories and all that they are linked with. */
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

/** What the ledger said and says of those links that come and go; `linksByKey` is updated. */
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
  /** Those that hold threads together. */
  readonly steps: KeptGraphLinks
}

/** Which steps from chapter to chapter came, and who lost one or has another founding now. */
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

/** What two stories are to each other. */
interface Ties {
  readonly pair: StoryPair
  readonly links: readonly Link[]
}

type GraphNear = ReturnType<typeof near>

const NOBODY: ReadonlyMap<string, Ties> = new Map()

/** Which stories have ties, from both ends. */
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
    /** Takes all ties of a story away. */
    leave: (cluster_id: string): void => {
      for (const other of all.get(cluster_id)?.keys() ?? []) cut(other, cluster_id)
      all.delete(cluster_id)
    },
    // Each is held from both ends, and counts at one.
    links: (): readonly Link[] =>
      [...all].flatMap(([id, others]) =>
        [...others.values()].flatMap(({ pair, links }) => (pair.one.cluster_id === id ? links : [])),
      ),
  }
}
