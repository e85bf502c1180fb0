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
import { candidates, candidatesByText } from './candidates.ts'

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

/** Stories that are compared at most. */
const MOST_STORIES = 2_000

/**
 * The stories that meet a monitor's conditions as of a point in time, by an article in the window. Computed from the
 * views, independently of the stage, and by the same definitions.
 */
export async function monitorPreview(store: Store, { conditions, ...at }: PreviewQuery): Promise<MonitorPreview> {
  const { namespace, as_of, from } = at
  const { entity_ids, entity_names, places, categories, languages, sources } = conditions
  const lists = { entity_ids, entity_names, places, categories, languages, sources }
  const bound = {
    ...{ namespace, as_of, from, max_stories: MOST_STORIES },
    ...Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, [...values]])),
  } as Parameters<ReturnType<typeof candidates>>[0]
  const terms = queryTerms(conditions.query)
  const rows =
    terms.length === 0
      ? await candidates(store)(bound)
      : await candidatesByText(store)({
          ...bound,
          patterns: terms.map(({ pattern }) => `(?i)${pattern}`),
          excluded: terms.map(({ excluded }) => excluded),
        })
  return {
    stories: await matchingStories(store, { conditions, ...at }, rows),
    truncated: (rows[0]?.candidates ?? 0) > MOST_STORIES,
  }
}

type CandidateRow = RowOf<typeof candidates>

async function matchingStories(
  store: Store,
  { conditions, namespace, as_of }: PreviewQuery,
  rows: readonly CandidateRow[],
): Promise<readonly MatchedStory[]> {
  const members = groupBy(rows, ({ cluster_id }) => cluster_id)
  const states = await persistedStates(store)({ namespace, as_of, ids: [...members.keys()] })
  const stateOf = new Map(states.map(({ cluster_id, state }) => [cluster_id, state]))
  const { story: meets } = compileConditions(conditions)
  return [...members]
    .map(([id, its]) => matchedStory(its, { id, state: stateOf.get(id) ?? null }))
    .filter(meets)
    .sort((a, b) => b.matched_at - a.matched_at || (a.cluster_id < b.cluster_id ? -1 : 1))
}

interface PreviewedStory {
  readonly id: string
  readonly state: LifecycleState | null
}

const MOST_ARTICLES = 10
const NO_HIT = { title: null, url: null, source: null }

function matchedStory(members: readonly CandidateRow[], { id, state }: PreviewedStory): MatchedStory {
  const hits = members
    .filter(({ is_hit }) => is_hit === 1)
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
