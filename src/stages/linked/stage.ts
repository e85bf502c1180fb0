import { isNamed } from '../../events/articles.ts'
import { storiesLinked, type StoryLinked } from '../../events/graph.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { STAGES } from '../../events/stages.ts'
import { vectors, type Vector } from '../../events/vector.ts'
import { quantised } from '../../domain/graph/centre.ts'
import { GRAPH, type GraphRules } from '../../domain/graph/rules.ts'
import { emit, skip, type Input, type MemoryStage, type Outcome, type Deferred } from '../../runtime/shapes.ts'
import { redraw, upToDate } from './built-graph.ts'
import { evict } from './evict.ts'
import { evolve, noStories, nothing, type LinkedState } from './memory.ts'
import { moved, placed } from './moves.ts'
import {
  linkedMemory,
  type LinkedRecord,
  type LinkedArticleRecord,
  type LinkedUpdate,
  type RememberedEntity,
} from './changelog.ts'
import { linkedEvents } from './linked-events.ts'

const DIM = 384

export interface LinkedDependencies {
  /** Articles kept, over all namespaces of a partition; the story without a new article for longest is evicted first. */
  readonly budget: number
}

export type LinkedStage = MemoryStage<LinkedState, ArticleClustered, StoryLinked, LinkedRecord>

/**
 * Keeps the graph over stories: after each line of the ledger it emits which relationships and which places in threads
 * came, changed or went. What it has emitted, from first to last, is at every line what a build of the whole graph from the
 * same facts would come to.
 */
export const linked = ({ budget }: LinkedDependencies, rules: GraphRules = GRAPH): LinkedStage => ({
  name: STAGES.linked.stage,
  version: STAGES.linked.version,
  reads: [articlesClustered],
  writes: storiesLinked,
  memory: { changelog: linkedMemory, empty: nothing, evolve },

  decide(state, input) {
    const held = state.namespaces.get(input.event.namespace)
    if (held !== undefined) upToDate(held, { namespace: input.event.namespace, rules })
    return input.event.change === null ? onArticle(state, input, { budget, rules }) : onChange(state, input, rules)
  },
})

function onArticle(
  state: LinkedState,
  input: Input<ArticleClustered>,
  { budget, rules }: { readonly budget: number; readonly rules: GraphRules },
): Deferred<LinkedState, StoryLinked, LinkedRecord> {
  const { event, place } = input
  const { namespace, cluster_id, article_id } = event
  const held = state.namespaces.get(namespace) ?? noStories()
  const known = held.articles.get(article_id)
  const article = remembered(event, known?.log_order ?? place.offset)
  const { remember, silent } =
    known === undefined ? evict(state, { namespace, cluster_id, budget }, rules) : NOBODY_LEAVES
  const own = placed(held, { event, offset: place.offset }, article)
  return deferredLinks(input, { remember: [...own, ...remember], silent, rules })
}

const NOBODY_LEAVES = { remember: [], silent: new Set<string>() }

function remembered({ member, ...event }: ArticleClustered, log_order: number): LinkedArticleRecord {
  const { cluster_id, article_id, occurred_at } = event
  const read = { entities: entitiesOf(member), vector: steps(member.vector), title: member.title }
  return { cluster_id, article_id, log_order, occurred_at, ...read }
}

function entitiesOf({ entities }: ArticleClustered['member']): readonly RememberedEntity[] {
  const named = new Map<string, RememberedEntity>()
  for (const { entity_id, type, mention_count } of entities.filter(isNamed)) {
    const before = named.get(entity_id)?.mention_count ?? 0
    named.set(entity_id, { entity_id, type, mention_count: before + mention_count })
  }
  return [...named.values()]
}

/** Empty: it is of another size. */
function steps(vector: Vector): Buffer {
  const [lead] = vectors(vector)
  return lead?.length === DIM ? Buffer.from(quantised(lead).buffer) : Buffer.alloc(0)
}

function onChange(
  state: LinkedState,
  input: Input<ArticleClustered>,
  rules: GraphRules,
): Deferred<LinkedState, StoryLinked, LinkedRecord> {
  const { event, place } = input
  const held = state.namespaces.get(event.namespace) ?? noStories()
  const remember = event.change === null ? [] : moved(held, { event, offset: place.offset }, event.change)
  return deferredLinks(input, { remember, silent: NOBODY_LEAVES.silent, rules })
}

interface DeferredLinks {
  readonly remember: readonly LinkedUpdate[]
  /** Stories of which nothing is emitted. */
  readonly silent: ReadonlySet<string>
  readonly rules: GraphRules
}

function deferredLinks(
  { event, place }: Input<ArticleClustered>,
  { remember, silent, rules }: DeferredLinks,
): Deferred<LinkedState, StoryLinked, LinkedRecord> {
  return {
    kind: 'deferred',
    remember,
    outcome: (after): Outcome<StoryLinked> => {
      const held = after.namespaces.get(event.namespace)
      if (held === undefined) return skip('nothing_moved')
      const about = [...held.touched].filter((id) => !silent.has(id))
      const { change, firstAt } = redraw(held, about, { namespace: event.namespace, rules })
      const events = linkedEvents(change, { event, place, firstAt })
      return events.length === 0 ? skip(remember.length === 0 ? 'nothing_moved' : 'nothing_changed') : emit(...events)
    },
  }
}
