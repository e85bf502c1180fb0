import { byPlace, inOrder, keyOf, linkChange, type GraphChange, type LinkChange, type StoryChanges } from './change.ts'
import { joinAll, type Pair } from './join.ts'
import { linkOfLedger, linksOf } from './links.ts'
import { liveIndex, type LiveIndex } from './live.ts'
import { near, type Near } from './near.ts'
import { places, type Holding } from './places.ts'
import type { GraphRules } from './rules.ts'
import type { Graph, GraphStory, LedgerLink, Link } from './story.ts'

/** The graph of one namespace, kept up to date story by story: at every moment what `fullGraph` makes of the same stories. */
export interface KeptGraph {
  /** Brings it up to date and says what became different. It keeps the stories it is given: nobody may change them. */
  readonly change: (changes: StoryChanges) => GraphChange
  readonly graph: () => Graph
}

interface Beginning {
  readonly namespace: string
  readonly stories: readonly GraphStory[]
  readonly ledger: readonly LedgerLink[]
}

export function keptGraph({ namespace, stories, ledger }: Beginning, rules: GraphRules): KeptGraph {
  const index = liveIndex(rules)
  const ties = near()
  const threads = places({ namespace, near: ties, get: index.get }, rules)
  const told = new Map(ledger.map((link) => [keyOf(link), linkOfLedger(link)]))

  for (const story of stories) index.put(story)
  for (const pair of joinAll(stories, rules)) tie(ties, pair, rules)
  threads.change({ left: [], loose: [], joined: ends(holding(ties.links(), rules)) })

  const change = ({ put, drop, holds, ended }: StoryChanges): GraphChange => {
    const ids = new Set([...drop, ...put.map(({ cluster_id }) => cluster_id)])
    const before = seenFrom(ids, index, ties)
    for (const id of drop) index.drop(id)
    for (const story of put) index.put(story)
    for (const id of ids) ties.leave(id)
    for (const id of ids) for (const pair of index.neighbours(id)) tie(ties, pair, rules)

    const after = seenFrom(ids, index, ties)
    const ledger = changeOfLedger(told, holds, ended)
    const gone = [...ids].filter((id) => index.get(id) === undefined)
    return inOrder({
      // together: a merge makes the ledger's of what was two stories' own link, which is one change of one link
      links: linkChanges(new Map([...before.links, ...ledger.before]), new Map([...after.links, ...ledger.after])),
      threads: threads.change({ left: gone, ...heldTogether(before, after, rules) }),
    })
  }
  return {
    change,
    graph: () => ({ links: [...ties.links(), ...told.values()].sort(byPlace), threads: new Map(threads.all()) }),
  }
}

function tie(ties: Near, pair: Pair, rules: GraphRules): void {
  ties.tie(pair.one.cluster_id, pair.other.cluster_id, linksOf(pair, rules))
}

/** Some stories and all that they are linked with. */
interface Seen {
  readonly stories: ReadonlyMap<string, GraphStory>
  readonly links: ReadonlyMap<string, Link>
}

function seenFrom(ids: ReadonlySet<string>, index: LiveIndex, ties: Near): Seen {
  const stories = new Map<string, GraphStory>()
  const links = new Map<string, Link>()
  for (const id of ids) {
    const story = index.get(id)
    if (story !== undefined) stories.set(id, story)
    for (const some of ties.of(id).values()) for (const link of some) links.set(keyOf(link), link)
  }
  return { stories, links }
}

function linkChanges(before: Seen['links'], after: Seen['links']): readonly LinkChange[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].flatMap((key) => linkChange(before.get(key), after.get(key)))
}

/** What the ledger said and says of those links that come and go; `told` is brought up to date. */
function changeOfLedger(told: Map<string, Link>, holds: readonly LedgerLink[], ended: readonly LedgerLink[]) {
  const keys = [...ended, ...holds].map(keyOf)
  const now = () => new Map(keys.flatMap((key) => entryOf(told, key)))
  const before = now()
  for (const link of ended) told.delete(keyOf(link))
  for (const link of holds) told.set(keyOf(link), linkOfLedger(link))
  return { before, after: now() }
}

function entryOf(told: ReadonlyMap<string, Link>, key: string): readonly (readonly [string, Link])[] {
  const link = told.get(key)
  return link === undefined ? [] : [[key, link]]
}

/** Which links that hold threads together came, and who lost one or has another founding now. */
function heldTogether(before: Seen, after: Seen, rules: GraphRules): Omit<Holding, 'left'> {
  const [held, holds] = [before, after].map(({ links }) => holding(links.values(), rules)) as [Holders, Holders]
  const renamed = [...after.stories].filter(([id, { founded }]) => {
    const was = before.stories.get(id)?.founded
    return was !== undefined && (was.cluster_id !== founded.cluster_id || was.order !== founded.order)
  })
  const loose = [...ends(without(held, holds)).flat(), ...renamed.map(([id]) => id)]
  return {
    loose: new Set(loose.filter((id) => !before.stories.has(id) || after.stories.has(id))),
    joined: ends(without(holds, held)),
  }
}

type Holders = ReadonlyMap<string, Link>

/** The links that hold a thread together. */
const holding = (links: Iterable<Link>, { thread }: GraphRules): Holders =>
  new Map(
    [...links]
      .filter(({ type, confidence }) => type === 'shared_entities' && confidence >= thread.confidence)
      .map((link) => [keyOf(link), link]),
  )

const without = (links: Holders, others: Holders): Holders => new Map([...links].filter(([key]) => !others.has(key)))

const ends = (links: Holders): readonly (readonly [string, string])[] =>
  [...links.values()].map(({ source, target }) => [source, target])
