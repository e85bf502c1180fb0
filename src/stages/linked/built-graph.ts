import { keyOf, type GraphChange } from '../../domain/graph/change.ts'
import { keptGraph } from '../../domain/graph/kept-graph.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import type { GraphStory, LedgerLink } from '../../domain/graph/story.ts'
import { foundingOf, noStories, type BuiltGraph, type LinkedStories } from './memory.ts'
import { graphStory } from './story.ts'

export interface BuiltGraphHome {
  readonly namespace: string
  readonly rules: GraphRules
}

/** The graph of all stories in memory: built at once after a restore, otherwise updated incrementally. */
export function upToDate(held: LinkedStories, home: BuiltGraphHome): BuiltGraph {
  if (held.built === null) {
    held.built = buildGraph(held, home)
    held.touched.clear()
  }
  if (held.touched.size > 0) updateGraph(held, [...held.touched], home)
  return held.built
}

function buildGraph(held: LinkedStories, { namespace, rules }: BuiltGraphHome): BuiltGraph {
  const stories = [...held.living.keys()].flatMap((id) => storyNow(held, id, rules) ?? [])
  const ledger = [...held.stories.keys()].map((id) => [id, held.pasts.linksFrom(id)] as const)
  const built: BuiltGraph = {
    kept: keptGraph({ namespace, stories, ledger: ledger.flatMap(([, links]) => links) }, rules),
    firstAt: new Map(stories.map(({ cluster_id, first_at }) => [cluster_id, first_at])),
    ledger: new Map(ledger.filter(([, links]) => links.length > 0)),
    threadOf: new Map(),
    storiesIn: new Map(),
  }
  for (const [id, thread] of built.kept.graph().threads) setThread(built, id, thread)
  return built
}

/** Event time of a story's first article before and after a ledger entry; `undefined` if it had none. */
export interface FirstAt {
  readonly before: (clusterId: string) => number | undefined
  readonly after: (clusterId: string) => number | undefined
}

interface Update {
  readonly change: GraphChange
  /** Event time of the first article of every story in the graph before or after. */
  readonly firstAt: FirstAt
}

/** Updates these stories in the graph and returns the resulting change. */
export function updateGraph(held: LinkedStories, ids: readonly string[], { namespace, rules }: BuiltGraphHome): Update {
  held.built ??= buildGraph(noStories(), { namespace, rules })
  const { built } = held
  const firstAtBefore = new Map(ids.flatMap((id) => pairOf(id, built.firstAt.get(id))))
  const put = ids.flatMap((id) => storyNow(held, id, rules) ?? [])
  const drop = [...firstAtBefore.keys()].filter((id) => !held.living.has(id))
  const change = built.kept.change({ put, drop, ...ledgerChange(held, built, ids) })

  for (const id of drop) built.firstAt.delete(id)
  for (const { cluster_id, first_at } of put) built.firstAt.set(cluster_id, first_at)
  for (const { action, cluster_id, thread_id } of change.threads) {
    setThread(built, cluster_id, action === 'removed' ? null : thread_id)
  }
  for (const id of ids) held.touched.delete(id)
  const after = (id: string) => built.firstAt.get(id)
  return { change, firstAt: { before: (id) => firstAtBefore.get(id) ?? after(id), after } }
}

const pairOf = (id: string, at: number | undefined) => (at === undefined ? [] : [[id, at] as const])

/** `null` if it has no articles. */
function storyNow(held: LinkedStories, id: string, rules: GraphRules): GraphStory | null {
  const story = held.living.get(id)
  return story === undefined ? null : graphStory(story, foundingOf(held, story), rules)
}

/**
 * The difference between the current ledger links of some stories (and of those split off them) and the links in the
 * graph.
 */
function ledgerChange({ pasts }: LinkedStories, { ledger }: BuiltGraph, ids: readonly string[]) {
  const holds: LedgerLink[] = []
  const ended: LedgerLink[] = []
  for (const id of new Set(ids.flatMap((one) => [one, ...pasts.splitOff(one)]))) {
    const [linksBefore, linksNow] = [ledger.get(id) ?? [], pasts.linksFrom(id)]
    holds.push(...without(linksNow, linksBefore))
    ended.push(...without(linksBefore, linksNow))
    if (linksNow.length > 0) ledger.set(id, linksNow)
    else ledger.delete(id)
  }
  return { holds, ended }
}

const without = (links: readonly LedgerLink[], others: readonly LedgerLink[]): readonly LedgerLink[] => {
  const keys = new Set(others.map(keyOf))
  return links.filter((link) => !keys.has(keyOf(link)))
}

/** `null` removes it from its thread. */
function setThread({ threadOf, storiesIn }: BuiltGraph, id: string, thread: string | null): void {
  const threadBefore = threadOf.get(id)
  if (threadBefore !== undefined) {
    const left = storiesIn.get(threadBefore)
    left?.delete(id)
    if (left?.size === 0) storiesIn.delete(threadBefore)
  }
  if (thread === null) {
    threadOf.delete(id)
    return
  }
  threadOf.set(id, thread)
  storiesIn.set(thread, (storiesIn.get(thread) ?? new Set()).add(id))
}
