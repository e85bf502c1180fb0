import { isNamed } from '../../events/articles.ts'
import { storiesLinked, type StoryLinked } from '../../events/graph.ts'
import { articlesClustered, isOfEvictedStory, type ArticleClustered } from '../../events/ledger.ts'
import { STAGES } from '../../events/stages.ts'
import { vectors, type Vector } from '../../events/vector.ts'
import { quantised } from '../../domain/graph/centre.ts'
import { GRAPH, type GraphRules } from '../../domain/graph/rules.ts'
import { emit, skip, type MemoryStage, type Outcome } from '../../runtime/shapes.ts'
import { updateGraph, upToDate, type FirstAt } from './built-graph.ts'
import { evict, type Evicted } from './evict.ts'
import { evolve, noStories, emptyState, type LinkedState } from './memory.ts'
import { moved, placed, type LedgerRecordLine } from './moves.ts'
import { linkedMemory, type LinkedRecord, type LinkedArticleRecord, type RememberedEntity } from './changelog.ts'
import { derivedEnvelope, type EventCause } from '../../state/derived-envelope.ts'
import type { GraphChange, LinkChange, ThreadChange } from '../../domain/graph/change.ts'

const DIM = 384

export interface LinkedDependencies {
  /**
   * Articles kept, over all namespaces of a partition. The story without a new article for longest is evicted first.
   */
  readonly budget: number
}

export type LinkedStage = MemoryStage<LinkedState, ArticleClustered, StoryLinked, LinkedRecord>

/**
 * Maintains the story graph. After each ledger entry it emits the relationships and thread memberships that were added,
 * changed or removed. At every entry, the sum of the emitted events equals a full build of the graph from the same
 * facts.
 */
export const linked = ({ budget }: LinkedDependencies, rules: GraphRules = GRAPH): LinkedStage => ({
  name: STAGES.linked.stage,
  version: STAGES.linked.version,
  reads: [articlesClustered],
  writes: storiesLinked,
  memory: { changelog: linkedMemory, empty: emptyState, evolve },

  decide(state, { event, place }) {
    const home = { namespace: event.namespace, rules }
    const held = state.namespaces.get(event.namespace)
    if (held !== undefined) upToDate(held, home)
    const line = { event, offset: place.offset }
    const { remember, silent } =
      event.change === null
        ? onArticle(state, line, { budget, rules })
        : { ...NOTHING_EVICTED, remember: moved(held ?? noStories(), line, event.change) }
    return {
      kind: 'deferred',
      remember,
      outcome: (after): Outcome<StoryLinked> => {
        const changed = after.namespaces.get(event.namespace)
        if (changed === undefined) return skip('nothing_moved')
        const about = [...changed.touched].filter((id) => !silent.has(id))
        const { change, firstAt } = updateGraph(changed, about, home)
        const events = linkedEvents(change, { event, place, firstAt })
        return events.length === 0 ? skip(remember.length === 0 ? 'nothing_moved' : 'nothing_changed') : emit(...events)
      },
    }
  },
})

function onArticle(
  state: LinkedState,
  line: LedgerRecordLine,
  { budget, rules }: LinkedDependencies & { readonly rules: GraphRules },
): Evicted {
  const { namespace, cluster_id, article_id } = line.event
  const held = state.namespaces.get(namespace) ?? noStories()
  const known = held.articles.get(article_id)
  if (isOfEvictedStory(line.event, known)) return NOTHING_EVICTED
  const article = remembered(line.event, known?.log_order ?? line.offset)
  const { remember, silent } =
    known === undefined ? evict(state, { namespace, cluster_id, budget }, rules) : NOTHING_EVICTED
  return { remember: [...placed(held, line, article), ...remember], silent }
}

const NOTHING_EVICTED = { remember: [], silent: new Set<string>() }

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

/** Empty if it has another dimension. */
function steps(vector: Vector): Buffer {
  const [lead] = vectors(vector)
  return lead?.length === DIM ? Buffer.from(quantised(lead).buffer) : Buffer.alloc(0)
}

interface LinkCause extends EventCause {
  readonly event: ArticleClustered
  readonly firstAt: FirstAt
}

const linkedEvents = ({ links, threads }: GraphChange, cause: LinkCause): readonly StoryLinked[] => [
  ...links.map((change) => ofLink(change, cause)),
  ...threads.map((change) => ofThread(change, cause)),
]

const ofLink = ({ action, link }: LinkChange, cause: LinkCause): StoryLinked => ({
  ...derivedEnvelope(STAGES.linked, cause, [cause.event.event_id, link.source, link.target, link.type].join('\n')),
  occurred_at: holdsFrom([link.source, link.target], action, cause),
  kind: 'relationship',
  action,
  ...link,
  thread_id: null,
  thread_title: null,
  built: null,
})

const ofThread = ({ action, cluster_id, thread_id }: ThreadChange, cause: LinkCause): StoryLinked => ({
  ...derivedEnvelope(STAGES.linked, cause, [cause.event.event_id, cluster_id, 'thread'].join('\n')),
  occurred_at: holdsFrom([cluster_id], action, cause),
  kind: 'thread',
  action,
  source: cluster_id,
  target: null,
  type: 'thread',
  directed: false,
  confidence: 1,
  shared_entities: [],
  thread_id,
  thread_title: null,
  built: null,
})

/**
 * A change holds from the event time of its ledger entry, but not before all its stories existed, since an article may
 * be older than those that arrived before it. A curator's correction holds as long as the stories exist. For a removed
 * link or membership, the first articles before the change count.
 */
function holdsFrom(stories: readonly string[], action: LinkChange['action'], { event, firstAt }: LinkCause): number {
  const [first, second] = action === 'removed' ? [firstAt.before, firstAt.after] : [firstAt.after, firstAt.before]
  const times = stories.flatMap((id) => first(id) ?? second(id) ?? [])
  return event.action === 'corrected' && times.length > 0 ? Math.max(...times) : Math.max(event.occurred_at, ...times)
}
