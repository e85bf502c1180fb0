import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { hasLowSupport, scale, storyVelocity, type StoryVelocity } from '../../domain/trends/velocity.ts'
import { survivors } from '../clusters/surviving-story.ts'
import { titleOf, type ClusterRow } from '../clusters/item.ts'
import { clusterItems } from '../clusters/items.ts'
import { originsSince } from '../stories/evaluated-stories.ts'
import { storyMembers } from '../stories/members.ts'
import { concernedByIds } from '../clusters/as-of.ts'
import { IS_SETTLED, overFacts, overFigures, SETTLED_DAYS, TREND_COLUMNS } from '../clusters/figures.ts'
import { moment } from '../instant.ts'
import { query, type AsOf, type RowOf } from '../query.ts'

/**
 * The stories with at least `min_articles` in a window, unordered: article counts over time and their sentiment. A
 * story has a category if at least a third of its articles do, as in `clusterItems`.
 */
const selectCounts = `
    ${SETTLED_DAYS}
    SELECT
      cluster_id,
      arrayCount(time -> time > {from: DateTime64(3, 'UTC')}, times) AS in_window,
      articles - in_window AS before,
      arrayCount(time -> time > {earlier: DateTime64(3, 'UTC')}, times) - in_window AS previous,
      toUnixTimestamp64Milli(times[1]) AS first_at,
      length(arrayDistinct(arrayMap(time -> toDate32(time), arraySlice(times, 1, before)))) AS days_of_history,
      if(
        before = 0, 0.,
        round(arrayAvg(arraySlice(sentiments, before + 1)) - arrayAvg(arraySlice(sentiments, 1, before)), 6)
      ) AS sentiment_shift
    FROM figures
    WHERE in_window >= {min_articles: UInt32} AND min_confidence >= {min_assignment_confidence: Float64}
      AND ({membership: String} = '' OR ${IS_SETTLED})
      AND ({category: String} = '' OR has(categories, {category: String}))`

const COUNTS = {
  select: selectCounts,
  params: z.object({
    /** Start of the previous window; exclusive, like `from`. */
    earlier: moment,
    from: moment,
    as_of: moment,
    min_articles: z.int().min(1),
    /** Applies to every member of the story. A member with unknown confidence counts as 0. */
    min_assignment_confidence: z.number(),
    /** Empty for settled and provisional stories. */
    membership: z.enum(['', 'settled']),
    /** Empty for any. */
    category: z.string(),
  }),
  row: z.object({
    cluster_id: z.string(),
    in_window: z.number(),
    before: z.number(),
    previous: z.number(),
    /** Milliseconds since 1970. */
    first_at: z.number(),
    days_of_history: z.number(),
    /** Mean of the articles in the window minus the mean of those before it; 0 if there are none before it. */
    sentiment_shift: z.number(),
  }),
}

export const storyCounts = overFigures({ name: 'trends.story_counts', columns: TREND_COLUMNS, ...COUNTS })
/** Computed from facts as a whole. */
export const storyCountsOfFacts = overFacts({ name: 'trends.story_counts_of_facts', ...COUNTS })

/**
 * The first detection of each story that ever held articles of the given stories, as of a point in time; no row without
 * a detection.
 */
export const firstDetections = query({
  name: 'trends.first_detections',
  sql: `
    WITH ${concernedByIds()},
    ever AS (
      SELECT cluster_id FROM placements
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
    )
    SELECT subject_id, min(occurred_at) AS first
    FROM detections
    WHERE namespace = {namespace: String} AND type = 'trend.detected' AND subject_id IN (SELECT cluster_id FROM ever)
      AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY subject_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ subject_id: z.string(), first: z.string() }),
})

/** The window ends at `as_of`. */
interface StoryTrendsQuery extends AsOf {
  readonly window_ms: number
  /** `null` for any. */
  readonly category: string | null
  /** `at_least` is inclusive, `below` exclusive. */
  readonly velocity: { readonly at_least: number; readonly below: number }
  /** Articles in the window, at least 1. */
  readonly min_articles: number
  /** Minimum over the members of a story, 0 to 1. */
  readonly min_assignment_confidence: number
  /** `undefined` for settled and provisional stories. */
  readonly membership?: 'settled' | undefined
  /** Leave out stories with low support. */
  readonly supported: boolean
  readonly limit: number
}

const RELATED_ENTITIES = 10

/** The stories whose growth exceeds their baseline most as of a point in time, fastest first. */
export async function storyTrends(store: Store, params: StoryTrendsQuery) {
  const all = await ranked(store, params)
  const fastest = params.supported
    ? await fastestSupported(store, params, all)
    : await withOrigins(store, params, all.slice(0, params.limit))
  const ids = fastest.map(({ cluster_id }) => cluster_id)
  if (ids.length === 0) return []

  const { namespace, as_of } = params
  const [items, detected] = await Promise.all([
    clusterItems(store)({ namespace, as_of, ids, max_entities: RELATED_ENTITIES }),
    detections(store, { namespace, as_of, ids }),
  ])
  const itemOf = new Map(items.map((item) => [item.cluster_id, item]))
  return fastest.flatMap((story) => {
    const item = itemOf.get(story.cluster_id)
    return item === undefined ? [] : [trendOf(story, item, detected.get(story.cluster_id))]
  })
}

type StoryCountsRow = RowOf<typeof storyCounts>
type RankedStory = StoryCountsRow & { readonly speed: StoryVelocity }
/** `origins`: independent sources of its articles in the window. */
type MeasuredStory = RankedStory & { readonly origins: number }

/** Ordered by velocity, then by articles in the window, then by id. */
async function ranked(store: Store, { window_ms, as_of, ...params }: StoryTrendsQuery): Promise<RankedStory[]> {
  const { namespace, min_articles, min_assignment_confidence, membership, velocity } = params
  const from = as_of - window_ms
  const rows = await storyCounts(store)({
    namespace,
    as_of,
    from,
    min_articles,
    min_assignment_confidence,
    membership: membership ?? '',
    earlier: from - window_ms,
    category: params.category ?? '',
  })
  return rows
    .map((row) => ({ ...row, speed: speedOf(row, from, window_ms) }))
    .filter(({ speed }) => speed.velocity >= velocity.at_least && speed.velocity < velocity.below)
    .sort(
      (a, b) =>
        b.speed.velocity - a.speed.velocity || b.in_window - a.in_window || (a.cluster_id < b.cluster_id ? -1 : 1),
    )
}

/** Stories per query of independent sources. Limits memory: all their members are loaded at once. */
const AT_ONCE = 100

/**
 * The first stories with enough support, at most `limit`. A story has at most as many sources as articles, so those
 * with too few articles are skipped without a query.
 */
async function fastestSupported(
  store: Store,
  params: StoryTrendsQuery,
  all: readonly RankedStory[],
): Promise<MeasuredStory[]> {
  const candidates = all.filter((story) => !hasLowSupport({ ...story, origins: story.in_window }))
  const found: MeasuredStory[] = []
  for (let next = 0; next < candidates.length && found.length < params.limit; next += AT_ONCE) {
    const measured = await withOrigins(store, params, candidates.slice(next, next + AT_ONCE))
    found.push(...measured.filter((story) => !hasLowSupport(story)))
  }
  return found.slice(0, params.limit)
}

async function withOrigins(
  store: Store,
  { namespace, as_of, window_ms }: StoryTrendsQuery,
  stories: readonly RankedStory[],
): Promise<MeasuredStory[]> {
  if (stories.length === 0) return []
  const ids = stories.map(({ cluster_id }) => cluster_id)
  const rows = await storyMembers(store)({ namespace, as_of, ids })
  const membersOf = new Map(rows.map((row) => [row.cluster_id, row.members]))
  return stories.map((story) => ({
    ...story,
    origins: originsSince(as_of - window_ms, membersOf.get(story.cluster_id) ?? []),
  }))
}

const speedOf = ({ in_window: count, previous, before, first_at }: StoryCountsRow, from: number, window_ms: number) =>
  storyVelocity({ count, previous, before, windows: Math.max(0, from - first_at) / window_ms })

/** When each story, or a story merged into it, was first detected; no entry without a detection. */
async function detections(store: Store, { ids, ...params }: AsOf & { readonly ids: string[] }) {
  const rows = await firstDetections(store)({ ...params, ids })
  const others = rows.map(({ subject_id }) => subject_id).filter((id) => !ids.includes(id))
  const survivingStories = others.length === 0 ? null : await survivors(store, { ...params, ids: others })
  const first = new Map<string, string>()
  for (const row of rows) {
    const id = survivingStories?.get(row.subject_id)?.cluster_id ?? row.subject_id
    const known = first.get(id)
    if (known === undefined || row.first < known) first.set(id, row.first)
  }
  return first
}

const trendOf = (story: MeasuredStory, item: ClusterRow, firstDetected: string | undefined) => ({
  id: story.cluster_id,
  topic: titleOf(item),
  ...story.speed,
  article_count: story.in_window,
  total_articles: item.article_count,
  first_detected: firstDetected ?? item.created_at,
  related_entities: item.entities.map(({ id }) => id),
  sentiment_shift: story.sentiment_shift,
  geographic_spread: item.geographic_spread,
  categories: item.categories,
  origins: story.origins,
  days_of_history: story.days_of_history,
  low_support: hasLowSupport(story),
  scale: scale(story.speed.velocity),
  updated_at: item.updated_at,
})
