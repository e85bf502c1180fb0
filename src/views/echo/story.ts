import { z } from 'zod'
import { groupBy } from '../../domain/group-by.ts'
import { enrichmentAge } from '../../domain/lifecycle/lifecycle.ts'
import { sourceStatus } from '../../domain/platforms/status.ts'
import type { Store } from '../../ports/store.ts'
import { survivors } from '../clusters/surviving-story.ts'
import { pollStatuses, withIngestion, type Freshness } from './freshness.ts'
import { RECEPTION, storyEnrichments } from './queries.ts'
import type { AsOf, RowOf } from '../query.ts'

const reception = z.object(RECEPTION)
type EchoStoryRow = RowOf<typeof storyEnrichments>

interface ReceptionQuery extends AsOf {
  readonly ids: readonly string[]
  /** A record written up to this long after the point in time still counts. */
  readonly aheadMs: number
}

/**
 * By requested id: the story it resolves to as of a point in time, and its enrichments, one per platform with posts.
 * Ids without a story at that time are omitted.
 */
export async function received(store: Store, { ids, aheadMs, ...params }: ReceptionQuery) {
  const stories = await survivors(store, { ...params, ids })
  const surviving = [...new Set([...stories.values()].map(({ cluster_id }) => cluster_id))]
  const [rows, polls] = await Promise.all([
    storyEnrichments(store)({ ...params, ids: surviving }),
    pollStatuses(store, params),
  ])
  const byStory = groupBy(rows, ({ cluster_id }) => cluster_id)
  const enrichmentsOf = (id: string) =>
    (byStory.get(id) ?? []).map((row) => enrichment(row, freshnessOf(row, polls, { at: params.as_of, aheadMs })))
  return new Map([...stories].map(([id, story]) => [id, { story, enrichments: enrichmentsOf(story.cluster_id) }]))
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly aheadMs: number
}

/** If a record was fetched after the point in time, the time of its newest post is used instead. */
function freshnessOf(row: EchoStoryRow, polls: Freshness, { at, aheadMs }: Moment) {
  const { platform } = row
  const ingestedAt = row.fetched > at + aheadMs ? row.newest_post : row.fetched
  return {
    source_status: sourceStatus(platform, withIngestion(polls.get(platform), ingestedAt), at),
    age_seconds: Math.floor(enrichmentAge(row, at, aheadMs) / 1_000),
  }
}

/** An enrichment record as the contract names it. */
const enrichment = (row: EchoStoryRow, freshness: ReturnType<typeof freshnessOf>) => ({
  platform: row.platform,
  thread_urls: row.thread_urls,
  fetched_at: row.fetched_at,
  updated_at: row.updated_at,
  comment_count_analyzed: row.comment_count_analyzed,
  ...reception.parse(row),
  evidence: { novel_entities: row.evidence_novel_entities, counter_narrative: row.evidence_counter_narrative },
  sample: {
    posts: row.sample_posts,
    authors: row.sample_authors,
    window: { start: row.sample_window_start, end: row.sample_window_end },
  },
  ...freshness,
})
