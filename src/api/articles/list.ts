import { z } from '@hono/zod-openapi'
import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { LISTED_FACTS, listArticles } from '../../views/articles/list.ts'
import { surviving } from '../../views/clusters/surviving-story.ts'
import { idsOf } from '../../views/entities/queries.ts'
import type { AsOf } from '../../views/query.ts'
import { clusterNotFound } from '../clusters/parts.ts'
import { entityNotFound, entityPath, NAMED_TYPES } from '../entities/parts.ts'
import type { Dependencies } from '../http/dependencies.ts'
import {
  anyTimeRange,
  asOf,
  flag,
  genre,
  languages,
  moment,
  nextCursor,
  paging,
  pointInTime,
  sentimentScore,
  share,
  timestamp,
  WINDOWS,
} from '../http/parameters.ts'
import { isProblem, validationFailed, type Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

const { title, url, source, author, language, forwarded, text_source } = LISTED_FACTS

const ListedArticle = z
  .object({
    article_id: z.string(),
    title,
    url,
    source,
    author,
    published_date: timestamp.nullable(),
    occurred_at: timestamp.describe('Event time, by which the list is sorted: publication, or arrival if undated.'),
    language,
    genre,
    quality_score: share,
    sentiment_score: sentimentScore.nullable().describe('`null` if the article is not analysed (yet).'),
    forwarded,
    text_source,
    cluster_id: z.string().nullable().describe('Story of the article at `as_of`. `null` if it is in none.'),
  })
  .openapi('ListedArticle')

const Articles = z
  .object({
    articles: z.array(ListedArticle),
    total: z.int().describe('Total over all pages.'),
    next_cursor: nextCursor,
  })
  .openapi('Articles')

const MAX_WORDS = 20

const ArticlesQuery = z.object({
  entity: entityPath.optional().describe('Articles that mention this entity: its id or name (case-insensitive).'),
  query: z
    .string()
    .max(200)
    .trim()
    .min(1)
    .transform((text) => text.split(/\s+/))
    .refine(({ length }) => length <= MAX_WORDS, { message: `expected at most ${MAX_WORDS} words` })
    .default([])
    .openapi({ type: 'string', description: 'Words that the title or the text contains, all of them.' }),
  source: z
    .string()
    .max(1_000)
    .trim()
    .min(1)
    .toLowerCase()
    .transform((name) => name.replace(/^www\.(?=\S+$)/, ''))
    .optional()
    .openapi({
      type: 'string',
      description: 'Outlet: its name as in `source`, or the host of its articles (case-insensitive).',
    }),
  languages: languages('Only articles in one of these languages.'),
  cluster_id: z.string().min(1).max(100).optional().describe('Articles of this story.'),
  time_range: anyTimeRange().describe('Window before `as_of`. Default: `24h`, or all time with `cluster_id`.'),
  since: moment().optional().describe('Start of the window, inclusive; in place of `time_range`.'),
  until: moment().optional().describe('End of the window, exclusive. Default: `as_of`.'),
  include_below_gate: flag()
    .default(false)
    .describe('Also list articles whose quality is too low for analysis and stories.'),
  sort: z.enum(['recency']).default('recency'),
  ...paging({ limit: 20, max: 1_000 }),
  as_of: asOf(),
})
type ArticlesQuery = z.output<typeof ArticlesQuery>

export const articleList = ({ store }: Pick<Dependencies, 'store'>): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Layer 0', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/articles',
      operationId: 'listArticles',
      summary: 'List articles',
      description:
        'Returns articles in their newest revision as of a point in time, newest first, without their texts.',
      problems: ['entity_not_found', 'cluster_not_found'],
      request: { query: ArticlesQuery },
      answer: Articles,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const time = pointInTime(query.as_of, now)
      const refused = windowProblem(query, time.as_of)
      if (refused !== null) return refused
      const filters = await resolveFilters(store, query, { namespace, as_of: time.as_of })
      if (isProblem(filters)) return filters
      const { query: words, source: outlet = null, languages: codes = [], include_below_gate: below_gate } = query
      const { limit, cursor } = query
      return listArticles(store, {
        ...{ namespace, ...time, ...windowOf(query, time.as_of), ...filters },
        ...{ words, outlet, languages: codes, below_gate, limit, cursor },
      })
    },
  )

const endOf = ({ until }: ArticlesQuery, as_of: number): number => (until === undefined ? as_of : until - 1)

function windowProblem(query: ArticlesQuery, as_of: number): Problem | null {
  const { since, time_range } = query
  if (since === undefined) return null
  if (time_range !== undefined) {
    return validationFailed([{ path: 'since', message: 'cannot be combined with time_range' }])
  }
  return since > endOf(query, as_of) ? validationFailed([{ path: 'until', message: 'must be after since' }]) : null
}

/** The window of event time: `from` exclusive, `until` inclusive, in whole milliseconds. */
function windowOf(query: ArticlesQuery, as_of: number) {
  const { since, time_range, cluster_id } = query
  const until = endOf(query, as_of)
  const byDefault = cluster_id === undefined ? WINDOWS['24h'] : ALL_TIME_MS
  return { from: since === undefined ? Math.min(until, as_of) - (time_range?.ms ?? byDefault) : since - 1, until }
}

/** Longer than there have been articles. */
const ALL_TIME_MS = 200 * 366 * DAY_MS

interface NamedFilters {
  readonly entity_ids: readonly string[] | null
  readonly cluster_id: string | null
}

/** Resolves the entity and the story. */
async function resolveFilters(
  store: Store,
  { entity, cluster_id }: ArticlesQuery,
  at: AsOf,
): Promise<NamedFilters | Problem> {
  const [entity_ids, story] = await Promise.all([entityIds(store, entity, at), storyId(store, cluster_id, at)])
  if (isProblem(entity_ids)) return entity_ids
  return isProblem(story) ? story : { entity_ids, cluster_id: story }
}

async function entityIds(
  store: Store,
  entity: string | undefined,
  at: AsOf,
): Promise<NamedFilters['entity_ids'] | Problem> {
  if (entity === undefined) return null
  const ids = await idsOf(store, { ...at, entity, type: null, types: NAMED_TYPES })
  return ids.length === 0 ? entityNotFound(entity) : ids
}

async function storyId(store: Store, cluster_id: string | undefined, at: AsOf): Promise<string | Problem | null> {
  if (cluster_id === undefined) return null
  return (await surviving(store, { ...at, cluster_id }))?.cluster_id ?? clusterNotFound(cluster_id)
}
