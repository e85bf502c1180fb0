import type { Store } from '../../ports/store.ts'
import { storyEnrichments } from './queries.ts'

type Row = Awaited<ReturnType<ReturnType<typeof storyEnrichments>>>[number]

/** An enrichment record as the contract names it. */
export type Enrichment = ReturnType<typeof enrichment>

interface Wanted {
  readonly namespace: string
  readonly cluster_id: string
  /** Milliseconds since 1970. */
  readonly as_of: number
}

/** How each platform received a story as of a moment, one record a platform. */
export const enrichmentsOf = async (store: Store, wanted: Wanted): Promise<Enrichment[]> =>
  (await storyEnrichments(store)(wanted)).map(enrichment)

const enrichment = (row: Row) => ({
  platform: row.platform,
  thread_urls: row.thread_urls,
  fetched_at: row.fetched_at,
  updated_at: row.updated_at,
  comment_count_analyzed: row.comment_count_analyzed,
  sentiment_score: row.sentiment_score,
  sentiment_label: row.sentiment_label,
  controversy_score: row.controversy_score,
  dominant_themes: row.dominant_themes,
  editorial_entities: row.editorial_entities,
  public_entities: row.public_entities,
  novel_entities: row.novel_entities,
  counter_narrative_detected: row.counter_narrative_detected,
  counter_narrative_summary: row.counter_narrative_summary,
  counter_narrative_confidence: row.counter_narrative_confidence,
  evidence: { novel_entities: row.evidence_novel_entities, counter_narrative: row.evidence_counter_narrative },
  sample: {
    posts: row.sample_posts,
    authors: row.sample_authors,
    window: { start: row.sample_window_start, end: row.sample_window_end },
  },
  source_status: row.source_status,
})
