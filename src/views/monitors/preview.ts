import { groupBy } from '../../domain/group-by.ts'
import { compileConditions } from '../../domain/monitors/conditions.ts'
import { queryTerms } from '../../domain/monitors/query.ts'
import { meanSentiment, velocityAt } from '../../domain/monitors/story-facts.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import type { MatchedStory, MonitorConditions } from '../../events/monitors.ts'
import type { Store } from '../../ports/store.ts'
import { independent } from '../clusters/as-of.ts'
import type { AsOf, RowOf } from '../query.ts'
import { persistedStates } from '../stories/queries.ts'
import { articleHits, articleHitsByText, storyArticles } from './candidates.ts'

export interface PreviewQuery extends AsOf {
  readonly conditions: MonitorConditions
  /** Start of the window, exclusive, milliseconds since 1970. */
  readonly from: number
}

export interface MonitorPreview {
  /** Newest matching article first. */
  readonly stories: readonly MatchedStory[]
  /** Whether more stories have a matching article than were compared. */
  readonly truncated: boolean
}

/** Stories that are compared at most, and articles that are looked at for them. */
const MOST_STORIES = 2_000
const MOST_HITS = 50_000

/**
 * The stories that meet a monitor's conditions as of a point in time, by an article in the window. Computed from the
 * views, independently of the stage, and by the same definitions.
 */
export async function monitorPreview(store: Store, request: PreviewQuery): Promise<MonitorPreview> {
  const { namespace, as_of, conditions } = request
  const hits = await hitsOf(store, request)
  const all = new Set(hits.map(({ cluster_id }) => cluster_id))
  const ids = [...all].slice(0, MOST_STORIES)
  const [articles, states] = await Promise.all([
    storyArticles(store)({ namespace, as_of, ids }),
    persistedStates(store)({ namespace, as_of, ids }),
  ])
  const isHit = new Set(hits.map(({ article_id }) => article_id))
  const stateOf = new Map(states.map(({ cluster_id, state }) => [cluster_id, state]))
  const stories = [...groupBy(articles, ({ cluster_id }) => cluster_id)]
    .map(([id, its]) => matchedStory(its, { id, state: stateOf.get(id) ?? null, isHit }))
    .filter(compileConditions(conditions).story)
    .sort((a, b) => b.matched_at - a.matched_at || (a.cluster_id < b.cluster_id ? -1 : 1))
  return { stories, truncated: all.size > MOST_STORIES || hits.length === MOST_HITS }
}

function hitsOf(store: Store, { conditions, namespace, as_of, from }: PreviewQuery) {
  const { entity_ids, entity_names, places, categories, languages, sources } = conditions
  const bound = {
    ...{ namespace, as_of, from, max_articles: MOST_HITS },
    ...{ entity_ids: [...entity_ids], entity_names: [...entity_names], places: [...places] },
    ...{ categories: [...categories], languages: [...languages], sources: [...sources] },
  }
  const terms = queryTerms(conditions.query)
  if (terms.length === 0) return articleHits(store)(bound)
  const patterns = terms.map(({ pattern }) => `(?i)${pattern}`)
  return articleHitsByText(store)({ ...bound, patterns, excluded: terms.map(({ excluded }) => excluded) })
}

type PreviewedArticle = RowOf<typeof storyArticles>

interface PreviewedStory {
  readonly id: string
  readonly state: LifecycleState | null
  /** The articles that meet the conditions on articles. */
  readonly isHit: ReadonlySet<string>
}

const MOST_ARTICLES = 10
const NO_HIT = { title: null, url: null, source: null }

function matchedStory(members: readonly PreviewedArticle[], { id, state, isHit }: PreviewedStory): MatchedStory {
  const hits = members
    .filter(({ article_id }) => isHit.has(article_id))
    .sort((a, b) => b.occurred_ms - a.occurred_ms || (a.article_id < b.article_id ? -1 : 1))
  const times = members.map(({ occurred_ms }) => occurred_ms)
  const newest = Math.max(...times)
  const { title, url, source, occurred_ms } = hits[0] ?? { ...NO_HIT, occurred_ms: newest }
  return {
    cluster_id: id,
    ...{ title, url, source },
    article_ids: hits.slice(0, MOST_ARTICLES).map(({ article_id }) => article_id),
    article_count: members.length,
    origin_count: new Set(independent(members).values()).size,
    lifecycle_state: state,
    velocity: velocityAt(times, newest),
    sentiment_score: meanSentiment(members),
    matched_at: occurred_ms,
  }
}
