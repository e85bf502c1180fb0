import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aGraphStory, anyStories, anyStory } from '../../../test/builders/graph.ts'
import { holds } from '../../../test/builders/sizes.ts'
import { keyOf, type GraphChange, type StoryChanges } from './change.ts'
import { fullGraph } from './full.ts'
import { keptGraph } from './kept-graph.ts'
import { GRAPH, type GraphRules } from './rules.ts'
import type { GraphStory, LedgerLink, Link } from './story.ts'

const SHARED = ['ent_03', 'ent_04', 'ent_05']
/** In these small worlds stories are alike often, so that threads come and go. */
const RULES: GraphRules = {
  ...GRAPH,
  shared: { least: 2, confidence: 0.4 },
  candidate: { least: 2, confidence: 0.2 },
  chapter: { ...GRAPH.chapter, near: 8, words: 1, silence: 1, bias: -6, least: -1, mean: new Float64Array(0) },
  merged: { confidence: 0.5, similarity: 0.9 },
}

const nothing = { put: [], drop: [], holds: [], ended: [] }
const empty = { namespace: 'shared', stories: [], ledger: [] }

describe('the graph that is kept', () => {
  it('tells a link when a story comes, when it changes and when it goes, and nothing twice', () => {
    const kept = keptGraph({ ...empty, stories: [aGraphStory('sto_1', SHARED)] }, GRAPH)
    const put = (...entities: string[]) => kept.change({ ...nothing, put: [aGraphStory('sto_2', entities)] })

    const folded = [
      put(...SHARED),
      put(...SHARED),
      put(...SHARED, 'ent_06'),
      kept.change({ ...nothing, drop: ['sto_2'] }),
      kept.change({ ...nothing, drop: ['sto_2'] }),
    ].map(({ links }) =>
      links.flatMap(({ action, link }) => (link.type === 'shared_entities' ? [[action, link.confidence]] : [])),
    )

    expect(folded).toEqual([[['added', 1]], [], [['changed', 6 / 8]], [['removed', 6 / 8]], []])
  })

  it('begins as the graph of what is there and tells nothing of it', () => {
    const stories = ['sto_1', 'sto_2', 'sto_3'].map((id) => aGraphStory(id, SHARED))

    const kept = keptGraph({ ...empty, stories }, GRAPH)

    expect(kept.graph()).toEqual(fullGraph({ ...empty, stories }, GRAPH))
    expect(kept.graph().threads.size).toBe(3)
    expect(kept.change({ ...nothing, put: stories })).toEqual({ links: [], threads: [] })
  })

  it('takes a thread apart when the story goes that held it together', () => {
    const chain = [
      aGraphStory('sto_1', ['ent_03', 'ent_04', 'ent_05']),
      aGraphStory('sto_2', ['ent_03', 'ent_04', 'ent_06', 'ent_07']),
      aGraphStory('sto_3', ['ent_06', 'ent_07', 'ent_08']),
    ]
    const kept = keptGraph({ ...empty, stories: chain }, GRAPH)
    const before = kept.graph().threads.size

    const { threads } = kept.change({ ...nothing, drop: ['sto_2'] })

    expect(before).toBe(3)
    expect(threads.map(({ action, cluster_id }) => `${action} ${cluster_id}`)).toEqual([
      'removed sto_1',
      'removed sto_2',
      'removed sto_3',
    ])
  })

  it('makes one change of it when two that had converged are merged', () => {
    const stories = ['sto_1', 'sto_2'].map((id) => aGraphStory(id, SHARED))
    const kept = keptGraph({ ...empty, stories }, GRAPH)

    const { links } = kept.change({
      ...nothing,
      drop: ['sto_1'],
      holds: [{ source: 'sto_1', target: 'sto_2', type: 'merged_with' }],
    })

    const others = links.filter(({ link }) => link.type !== 'evolved_into')
    expect(others.map(({ action, link }) => [action, link.type, link.confidence, link.shared_entities])).toEqual([
      ['removed', 'shared_entities', 1, SHARED],
      ['changed', 'merged_with', 1, []],
    ])
  })

  it('is the graph of the facts after any stream of changes, and so is what it told', async () => {
    const step = fc.record({
      put: fc.uniqueArray(anyStory(fc.nat({ max: 15 })).map(ofOneWorld), {
        maxLength: 3,
        selector: ({ cluster_id }) => cluster_id,
      }),
      drop: fc.array(
        fc.nat({ max: 15 }).map((id) => `sto_${id}`),
        { maxLength: 2 },
      ),
      ledger: fc.array(aLedgerLink, { maxLength: 2 }),
    })

    let [linked, stepped] = [0, 0]
    const runs = await holds(
      fc.property(
        anyStories(12).map((some) => some.map(ofOneWorld)),
        fc.array(step, { maxLength: 25 }),
        (first, steps) => {
          const stories = new Map(first.map((story) => [story.cluster_id, story]))
          const ledger = new Map<string, LedgerLink>()
          const kept = keptGraph({ ...empty, stories: first }, RULES)
          const folded = new FoldedGraph(kept.graph())
          for (const changes of steps) {
            folded.hear(kept.change(applied(changes, stories, ledger)))
            const facts = { namespace: 'shared', stories: [...stories.values()], ledger: [...ledger.values()] }
            const full = fullGraph(facts, RULES)
            expect(kept.graph()).toEqual(full)
            expect(folded.graph()).toEqual(full)
            linked += full.links.length
            stepped += full.links.filter(({ type }) => type === 'evolved_into').length
          }
        },
      ),
      { most: 300, least: 25, cpuSeconds: 2 },
    )
    expect(linked).toBeGreaterThan(10 * runs)
    expect(stepped).toBeGreaterThan(10 * runs)
  }, 120_000)
})

/** All name two entities, so that the one goes on with the other. */
const ofOneWorld = (story: GraphStory): GraphStory => ({
  ...story,
  entities: aGraphStory('sto_0', ['ent_03', 'ent_04', ...story.entities.map(({ entity_id }) => entity_id)]).entities,
})

const aLedgerLink: fc.Arbitrary<LedgerLink> = fc
  .tuple(fc.nat({ max: 15 }), fc.nat({ max: 15 }), fc.constantFrom('merged_with' as const, 'split_from' as const))
  .map(([source, target, type]) => ({ source: `sto_${source}`, target: `sto_${target}`, type }))

interface KeptGraphStep extends Pick<StoryChanges, 'put' | 'drop'> {
  readonly ledger: readonly LedgerLink[]
}

/**
 * Does to the facts what the graph is told of. A link of the ledger that was there ends, one that was not holds; a story
 * that has articles was merged with none.
 */
function applied(step: KeptGraphStep, stories: Map<string, GraphStory>, ledger: Map<string, LedgerLink>): StoryChanges {
  for (const id of step.drop) stories.delete(id)
  for (const story of step.put) stories.set(story.cluster_id, story)
  const lives = ({ type, source }: LedgerLink): boolean => type === 'merged_with' && stories.has(source)
  const named = new Set(step.ledger.map(keyOf))
  const ended = [...ledger.values()].filter((link) => named.has(keyOf(link)) || lives(link))
  const once = new Map(step.ledger.map((link) => [keyOf(link), link]))
  const holds = [...once].flatMap(([key, link]) => (ledger.has(key) || lives(link) ? [] : [link]))
  for (const link of ended) ledger.delete(keyOf(link))
  for (const link of holds) ledger.set(keyOf(link), link)
  return { put: step.put, drop: step.drop, holds, ended }
}

/** What somebody knows who only hears of the changes; each has to fit what was told before. */
class FoldedGraph {
  private readonly links = new Map<string, Link>()
  private readonly threads = new Map<string, string>()

  constructor(first: { readonly links: readonly Link[]; readonly threads: ReadonlyMap<string, string> }) {
    for (const link of first.links) this.links.set(keyOf(link), link)
    for (const [id, thread] of first.threads) this.threads.set(id, thread)
  }

  hear({ links, threads }: GraphChange): void {
    for (const { action, link } of links) {
      expect(this.links.has(keyOf(link))).toBe(action !== 'added')
      if (action === 'removed') this.links.delete(keyOf(link))
      else this.links.set(keyOf(link), link)
    }
    for (const { action, cluster_id, thread_id } of threads) {
      expect(this.threads.has(cluster_id)).toBe(action !== 'added')
      if (action === 'removed') this.threads.delete(cluster_id)
      else this.threads.set(cluster_id, thread_id)
    }
  }

  graph() {
    const key = (link: Link) => [link.source, link.target, link.type]
    const links = [...this.links.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1))
    return { links, threads: this.threads }
  }
}
