import { compileConditions, type CompiledConditions } from '../../domain/monitors/conditions.ts'
import { evolveNamespace, type KeyedUpdate, type PartitionState } from '../../state/namespaces.ts'
import { putArticle, putStory, storyIndex, type StoriesHeld, type StoryRules } from '../../state/story-index.ts'
import type {
  MatchedArticleRecord,
  MatchedMonitorRecord,
  MatchedPaceRecord,
  MatchedRecord,
  MatchedStoryRecord,
  MatchedUpdate,
} from './changelog.ts'

/** A story with the articles that are kept. */
export interface MatchingStory {
  readonly clusterId: string
  readonly articles: Set<MatchedArticleRecord>
  known: MatchedStoryRecord | null
}

/** A monitor with its conditions compiled. */
export interface KnownMonitor extends MatchedMonitorRecord {
  /** `<monitor id>:<version of its conditions>`. */
  readonly hit: string
  readonly compiled: CompiledConditions
}

/** The state of one namespace. Owned and mutated by `evolve`. */
export interface MatchedNamespace extends StoriesHeld<MatchedArticleRecord, MatchingStory> {
  /** By hit. */
  readonly monitors: Map<string, KnownMonitor>
  /** By monitor id: the version of its conditions that is in `monitors`. */
  readonly hitOf: Map<string, string>
  readonly paces: Map<string, MatchedPaceRecord>
  /** Stories with an article that meets the conditions of some monitor. */
  readonly watched: Set<MatchingStory>
}

export type MatchedState = PartitionState<MatchedNamespace>

export const emptyState = (): MatchedState => ({ namespaces: new Map(), size: 0 })

export const noMatching = (): MatchedNamespace => ({
  ...storyIndex(({ arrival }) => arrival),
  monitors: new Map(),
  hitOf: new Map(),
  paces: new Map(),
  watched: new Set(),
})

const RULES: StoryRules<MatchedArticleRecord, MatchingStory> = {
  open: (clusterId) => ({ clusterId, articles: new Set(), known: null }),
  clusterOf: ({ cluster_id }) => cluster_id,
  add: ({ articles }, article) => articles.add(article),
  remove: ({ articles }, article) => articles.delete(article),
}

export const evolve = (state: MatchedState, update: MatchedUpdate): MatchedState =>
  evolveNamespace(state, update, {
    open: noMatching,
    apply,
    isEmpty: ({ articles, stories, monitors, paces }) =>
      articles.size + stories.size + monitors.size + paces.size === 0,
  })

const NOTHING = { article: null, story: null, monitor: null, pace: null }

function apply(held: MatchedNamespace, { kind, id, value }: KeyedUpdate<MatchedRecord>): void {
  const { article, story, monitor, pace } = value ?? NOTHING
  if (kind === 'article') for (const one of putArticle(held, { id, article }, RULES)) watch(held, one)
  else if (kind === 'story') putStory(held, { id, known: story }, RULES)
  else if (kind === 'monitor') putMonitor(held, id, monitor)
  else putPace(held, id, pace)
}

function watch({ watched }: MatchedNamespace, story: MatchingStory): void {
  if ([...story.articles].some(({ hits }) => hits.length > 0)) watched.add(story)
  else watched.delete(story)
}

function putMonitor({ monitors, hitOf }: MatchedNamespace, id: string, record: MatchedMonitorRecord | null): void {
  const before = hitOf.get(id)
  if (before !== undefined) monitors.delete(before)
  hitOf.delete(id)
  if (record === null) return
  const hit = hitName(record)
  hitOf.set(id, hit)
  monitors.set(hit, { ...record, hit, compiled: compileConditions(record.conditions) })
}

function putPace({ paces }: MatchedNamespace, id: string, pace: MatchedPaceRecord | null): void {
  if (pace === null) paces.delete(id)
  else paces.set(id, pace)
}

export const hitName = (monitor: Pick<MatchedMonitorRecord, 'monitor_id' | 'conditions_version'>): string =>
  `${monitor.monitor_id}:${monitor.conditions_version}`
