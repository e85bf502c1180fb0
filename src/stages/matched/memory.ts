import { compileConditions, type CompiledConditions } from '../../domain/monitors/conditions.ts'
import { evolveNamespace, type KeyedUpdate, type PartitionState } from '../../state/namespaces.ts'
import { putArticle, putStory, storyIndex, type StoriesHeld, type StoryRules } from '../../state/story-index.ts'
import {
  NONE,
  type MatchedArticleRecord,
  type MatchedHeldRecord,
  type MatchedMonitorRecord,
  type MatchedPaceRecord,
  type MatchedRecord,
  type MatchedStoryRecord,
  type MatchedUpdate,
} from './changelog.ts'

/** A story with the articles that are kept. */
export interface MatchingStory {
  readonly clusterId: string
  readonly articles: Set<MatchedArticleRecord>
  /** By the number of a monitor: articles that meet its conditions on articles. */
  readonly hits: Map<number, number>
  known: MatchedStoryRecord | null
}

/** A monitor with its conditions compiled. */
export interface KnownMonitor extends MatchedMonitorRecord {
  readonly compiled: CompiledConditions
}

/** The state of one namespace. Owned and mutated by `evolve`. */
export interface MatchedNamespace extends StoriesHeld<MatchedArticleRecord, MatchingStory> {
  /** By id. */
  readonly monitors: Map<string, KnownMonitor>
  readonly byNumber: Map<number, KnownMonitor>
  readonly paces: Map<string, MatchedPaceRecord>
  /** By monitor id and story id: matches that are held back. */
  readonly waiting: Map<string, Map<string, MatchedHeldRecord>>
  /** Stories with an article that meets the conditions of some monitor. */
  readonly watched: Set<MatchingStory>
  /** Stories whose articles all moved to others, and that had matched a monitor. */
  readonly emptied: Set<string>
  /** Lists of monitors, interned: many articles meet the same ones. */
  readonly lists: Map<string, readonly number[]>
}

export type MatchedState = PartitionState<MatchedNamespace>

export const emptyState = (): MatchedState => ({ namespaces: new Map(), size: 0 })

export const noMatching = (): MatchedNamespace => ({
  ...storyIndex(({ arrival }) => arrival),
  ...{ monitors: new Map(), byNumber: new Map(), paces: new Map(), waiting: new Map() },
  ...{ watched: new Set(), emptied: new Set(), lists: new Map() },
})

const RULES: StoryRules<MatchedArticleRecord, MatchingStory> = {
  open: (clusterId) => ({ clusterId, articles: new Set(), hits: new Map(), known: null }),
  clusterOf: ({ cluster_id }) => cluster_id,
  add: (story, article) => {
    story.articles.add(article)
    count(story, article, 1)
  },
  remove: (story, article) => {
    story.articles.delete(article)
    count(story, article, -1)
  },
}

function count({ hits }: MatchingStory, article: MatchedArticleRecord, one: 1 | -1): void {
  for (const number of article.hits) {
    const articles = (hits.get(number) ?? 0) + one
    if (articles === 0) hits.delete(number)
    else hits.set(number, articles)
  }
}

export const evolve = (state: MatchedState, update: MatchedUpdate): MatchedState =>
  evolveNamespace(state, update, {
    open: noMatching,
    apply,
    isEmpty: ({ articles, stories, monitors, paces, waiting }) =>
      articles.size + stories.size + monitors.size + paces.size + waiting.size === 0,
  })

function apply(held: MatchedNamespace, { kind, id, value }: KeyedUpdate<MatchedRecord>): void {
  const parts = value ?? NONE
  if (kind === 'article') putMatched(held, id, parts.article)
  else if (kind === 'story') putKnown(held, id, parts.story)
  else if (kind === 'monitor') putMonitor(held, id, parts.monitor)
  else if (kind === 'held') putHeld(held, id, parts.held)
  else putPace(held, id, parts.pace)
}

function putMatched(held: MatchedNamespace, id: string, record: MatchedArticleRecord | null): void {
  const article = record === null ? null : { ...record, ...internedLists(held, record) }
  for (const story of putArticle(held, { id, article }, RULES)) {
    if (story.hits.size > 0) held.watched.add(story)
    else held.watched.delete(story)
  }
}

const MOST_LISTS = 10_000

function internedLists({ lists }: MatchedNamespace, { hits, text_hits }: MatchedArticleRecord) {
  if (lists.size > MOST_LISTS) lists.clear() // only a cache
  const interned = (list: readonly number[]): readonly number[] => {
    const name = list.join()
    const known = lists.get(name) ?? list
    lists.set(name, known)
    return known
  }
  return { hits: interned(hits), text_hits: interned(text_hits) }
}

function putKnown(held: MatchedNamespace, id: string, known: MatchedStoryRecord | null): void {
  putStory(held, { id, known }, RULES)
  if (known !== null && known.emptied_at !== null) held.emptied.add(id)
  else held.emptied.delete(id)
}

function putMonitor({ monitors, byNumber }: MatchedNamespace, id: string, record: MatchedMonitorRecord | null): void {
  const before = monitors.get(id)
  if (before !== undefined) byNumber.delete(before.number)
  monitors.delete(id)
  if (record === null) return
  const monitor = { ...record, compiled: compileConditions(record.conditions) }
  monitors.set(id, monitor)
  byNumber.set(record.number, monitor)
}

function putHeld({ waiting }: MatchedNamespace, id: string, record: MatchedHeldRecord | null): void {
  const [monitorId = '', clusterId = ''] = id.split(':')
  const own = waiting.get(monitorId) ?? new Map<string, MatchedHeldRecord>()
  if (record === null) own.delete(clusterId)
  else own.set(clusterId, record)
  if (own.size === 0) waiting.delete(monitorId)
  else waiting.set(monitorId, own)
}

function putPace({ paces }: MatchedNamespace, id: string, pace: MatchedPaceRecord | null): void {
  if (pace === null) paces.delete(id)
  else paces.set(id, pace)
}

/** The matches of a monitor that are held back, oldest first. */
export const heldOf = (
  { waiting }: Pick<MatchedNamespace, 'waiting'>,
  monitorId: string,
): readonly MatchedHeldRecord[] =>
  [...(waiting.get(monitorId)?.values() ?? [])].sort(
    (a, b) => a.held_at - b.held_at || (a.story.cluster_id < b.story.cluster_id ? -1 : 1),
  )
