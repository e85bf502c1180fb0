import { articleEntry, storyEntry } from '../../state/entry.ts'
import { articlesScored, isNamed, type ArticleScored } from '../../events/articles.ts'
import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import { storiesEnriched, type StoryEnriched } from '../../events/discourse.ts'
import { articlesClustered, isOfEvictedStory, type ArticleClustered, type StoryChange } from '../../events/ledger.ts'
import { isRefused, ledgerChange } from '../../events/ledger-change.ts'
import { storiesMatched, type MatchedStory, type StoryMatched } from '../../events/monitors.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import { trendsDetected, type TrendDetected } from '../../events/trends.ts'
import {
  emit,
  skip,
  type Decided,
  type Input,
  type MemoryStage,
  type Deferred,
  byTopic,
  onTopic,
} from '../../runtime/shapes.ts'
import { STAGES } from '../../events/stages.ts'
import {
  asRemembered,
  evolve,
  noHeld,
  emptyState,
  type ChangedArticle,
  type ChangedState,
  type ChangedStory,
} from './memory.ts'
import { ended, evict, moved, settled } from './moves.ts'
import { factsOf, factsOfPart, NO_FACTS, type ChangeFacts } from './facts.ts'
import {
  changedMemory,
  unpublished,
  type ChangedArticleRecord,
  type ChangedMember,
  type ChangedRecord,
} from './changelog.ts'
import {
  articleData,
  boundedTitle,
  changeOf,
  detectionChange,
  matchChange,
  receptionData,
  storyChange,
  transitionData,
} from './change-of.ts'

/** Revisions kept per article. An older one that arrives again is published again, with the same id. */
const REVISIONS = 20

export interface ChangedDependencies {
  /** Articles kept, over all namespaces of a partition; the oldest are evicted first. */
  readonly budget: number
}

type ChangedInput = ArticleScored | ArticleClustered | StoryTransitioned | StoryEnriched | TrendDetected | StoryMatched
export type ChangedStage = MemoryStage<ChangedState, ChangedInput, ChangePublished, ChangedRecord>
type ChangedOutcome = Decided<ChangePublished, ChangedRecord>
type LaterOutcome = Deferred<ChangedState, ChangePublished, ChangedRecord>

/**
 * Writes the change feed: one change per pipeline event, or none if the current state stays the same. Its state holds
 * which articles were published, and the entities of stories, so that followers of an entity receive changes of its
 * stories.
 */
export const changed = ({ budget }: ChangedDependencies): ChangedStage => ({
  name: STAGES.changed.stage,
  version: STAGES.changed.version,
  writes: changesPublished,
  writesByKey: true, // an article is scored in the partition of its id, but the feed is partitioned by namespace
  memory: { changelog: changedMemory, empty: emptyState, evolve },
  // pipeline order: of the records logged in the same millisecond, causes are read before their effects
  ...byTopic<ChangedState, ReturnType<ChangedStage['decide']>>([
    onTopic(articlesScored, (state, input) => onScored(state, input, budget)),
    onTopic(articlesClustered, (state, input) =>
      input.event.change === null ? onPlaced(state, input, budget) : onChange(state, input, input.event.change),
    ),
    onTopic(storiesTransitioned, onTransition),
    onTopic(storiesEnriched, onReception),
    onTopic(trendsDetected, onDetection),
    onTopic(storiesMatched, onMatch),
  ]),
})

/** The id follows from the revision, so that a repeated revision keeps its id even after its article was evicted. */
function onScored(state: ChangedState, input: Input<ArticleScored>, budget: number): ChangedOutcome {
  const { namespace, article_id, content_hash } = input.event
  const known = articleOf(state, namespace, article_id)
  if (known?.told.includes(content_hash) === true) return { ...skip('known'), remember: [] }

  const type = known === undefined || known.told.length === 0 ? 'article.scored' : 'article.revised'
  const article = known === undefined ? newcomer(state, namespace, article_id) : asRemembered(known)
  const revisions = [...article.told, content_hash].slice(-REVISIONS)
  const forgotten = known === undefined ? evict(state, { namespace, cluster_id: null, budget }) : []
  const change = { type, data: articleData(input.event) } as const
  const facts = { ...NO_FACTS, title: boundedTitle(input.event.title) }
  const news = { change, subject_id: article_id, facts }
  return {
    ...emit(changeOf(input, news, [namespace, article_id, content_hash].join('\n'))),
    remember: [articleEntry(namespace, { ...article, told: revisions }), ...forgotten],
  }
}

/** The entities are those of the article, everything else is that of the story with it. */
function onPlaced(state: ChangedState, input: Input<ArticleClustered>, budget: number): ChangedOutcome | LaterOutcome {
  const { event } = input
  const { namespace, cluster_id, article_id, assignment_confidence } = event
  const known = articleOf(state, namespace, article_id)
  if (isOfEvictedStory(event, known)) return { ...skip('evicted_story'), remember: [] }
  const before = known === undefined ? newcomer(state, namespace, article_id) : asRemembered(known)
  const entities = namedEntities(event)
  const left =
    known === undefined ? evict(state, { namespace, cluster_id, budget }) : ended(namespace, [known], cluster_id)
  const names = { entity_ids: entities.map(({ id }) => id), entity_names: entities.map(({ name }) => name) }
  const member = memberOf(input, known?.member ?? null)
  const article = { ...before, cluster_id, ...names, member, settled: false, assignment_confidence }
  const remember = [articleEntry(namespace, article), ...left]
  const change = ledgerChange(event)
  if (change === null) return { ...skip('revised'), remember }
  return {
    kind: 'deferred',
    remember,
    outcome: (after) => {
      const facts = factsOfPart(storyOf(after, namespace, cluster_id), entities)
      return emit(changeOf(input, { change: storyChange(change, facts), subject_id: cluster_id, facts }))
    },
  }
}

const namedEntities = ({ member }: ArticleClustered) => [
  ...new Map(member.entities.filter(isNamed).map(({ entity_id: id, name }) => [id, { id, name }])).values(),
]

const memberOf = ({ event, place }: Input<ArticleClustered>, before: ChangedMember | null): ChangedMember => ({
  log_order: before?.log_order ?? place.offset,
  title: boundedTitle(event.member.title),
  syndication_group: event.origin?.syndication_group ?? event.member.semantic_hash,
  publisher_family: event.member.publisher_family,
  derived_from: event.origin?.derived_from ?? null,
})

/** The story's entities are those after the change. */
function onChange(
  state: ChangedState,
  input: Input<ArticleClustered>,
  change: StoryChange,
): ChangedOutcome | LaterOutcome {
  const { event } = input
  const { namespace, cluster_id } = event
  if (isRefused(change)) return { ...skip('refused'), remember: [] }
  const held = state.namespaces.get(namespace) ?? noHeld()
  const remember = event.action === 'settled' ? settled(held, event, change) : moved(held, event, change)
  const line = ledgerChange(event)
  if (line === null) return { ...skip('rebuilt'), remember }
  return {
    kind: 'deferred',
    remember,
    outcome: (after) => {
      const facts = factsOf(storyOf(after, namespace, cluster_id))
      return emit(changeOf(input, { change: storyChange(line, facts), subject_id: cluster_id, facts }))
    },
  }
}

/**
 * A transition evaluated for an earlier time than the newest published one corrects the past and is not published. Two
 * writers may emit the same transition.
 */
function onTransition(state: ChangedState, input: Input<StoryTransitioned>): ChangedOutcome {
  const { namespace, cluster_id, lifecycle_state, previous_state, evaluated_at } = input.event
  const story = storyOf(state, namespace, cluster_id)
  const known = story?.known ?? unpublished(cluster_id)
  const isMove = ![previous_state, known.lifecycle_state].includes(lifecycle_state)
  if (!isMove) return { ...skip('same_state'), remember: [] }
  if (evaluated_at < (known.evaluated_at ?? -Infinity)) return { ...skip('earlier_moment'), remember: [] }
  const now = { ...known, lifecycle_state, evaluated_at }
  const facts = factsOf(story)
  const change = { type: 'story.transitioned', data: transitionData(input.event, facts) } as const
  return {
    ...emit(changeOf(input, { change, subject_id: cluster_id, facts })),
    remember: story === undefined ? [] : [storyEntry(namespace, now)],
  }
}

function onReception(state: ChangedState, input: Input<StoryEnriched>): ChangedOutcome {
  const { namespace, cluster_id, platform, occurred_at } = input.event
  const story = storyOf(state, namespace, cluster_id)
  const known = story?.known ?? unpublished(cluster_id)
  if (occurred_at < (known.enriched_at[platform] ?? -Infinity)) return { ...skip('earlier_moment'), remember: [] }
  const now = { ...known, enriched_at: { ...known.enriched_at, [platform]: occurred_at } }
  const change = { type: 'story.enriched', data: receptionData(input.event) } as const
  return {
    ...emit(changeOf(input, { change, subject_id: cluster_id, facts: factsOf(story) })),
    remember: story === undefined ? [] : [storyEntry(namespace, now)],
  }
}

function onDetection(state: ChangedState, input: Input<TrendDetected>): ChangedOutcome {
  const { type, namespace, subject_id, name, velocity } = input.event
  const about =
    type === 'trend.detected'
      ? factsOf(storyOf(state, namespace, subject_id))
      : factsOfPart(undefined, [{ id: subject_id, name }])
  const news = { change: detectionChange(input.event), subject_id, facts: { ...about, velocity } }
  return { ...emit(changeOf(input, news)), remember: [] }
}

/** A digest concerns several stories, so it has no values for filters; webhooks deliver it without comparing them. */
function onMatch(state: ChangedState, input: Input<StoryMatched>): ChangedOutcome {
  const { namespace, monitor_id, owner, stories } = input.event
  const change = matchChange(input.event)
  if (change === null) return { ...skip('no_story'), remember: [] }
  const [story] = change.type === 'monitor.matched' ? stories : []
  const facts = story === undefined ? NO_FACTS : matchFacts(storyOf(state, namespace, story.cluster_id), story)
  return { ...emit(changeOf(input, { change, subject_id: monitor_id, facts, owner, monitor_id })), remember: [] }
}

/** Sources and title are those of the match, which subscribers receive. */
function matchFacts(story: ChangedStory | undefined, { origin_count, title }: MatchedStory): ChangeFacts {
  const facts = factsOf(story)
  return { ...facts, origin_count, title: boundedTitle(title) ?? facts.title }
}

const articleOf = ({ namespaces }: ChangedState, namespace: string, id: string): ChangedArticle | undefined =>
  namespaces.get(namespace)?.articles.get(id)

const storyOf = ({ namespaces }: ChangedState, namespace: string, id: string) =>
  namespaces.get(namespace)?.stories.get(id)

const newcomer = ({ namespaces }: ChangedState, namespace: string, article_id: string): ChangedArticleRecord => ({
  article_id,
  arrival: Math.max(-1, namespaces.get(namespace)?.articles.newest ?? -1) + 1,
  told: [],
  cluster_id: null,
  entity_ids: [],
  entity_names: [],
  member: null,
  settled: false,
  assignment_confidence: null,
})
