import type { ArticleClustered } from '../../src/events/ledger.ts'
import type { PlatformPolled, PostObserved } from '../../src/events/discourse.ts'
import { sha256 } from '../../src/events/ids.ts'
import { f32, NO_VECTOR } from '../../src/events/vector.ts'

export const aPost = (over: Partial<PostObserved> = {}): PostObserved => ({
  event_id: `evt_post_${over.post_id ?? '1'}`,
  namespace: 'shared',
  platform: 'reddit',
  post_id: '1',
  url: `https://reddit.example/${over.post_id ?? '1'}`,
  author: `author of ${over.post_id ?? '1'}`,
  text: 'The bridge should have been repaired years ago.',
  created_at: Date.UTC(2016, 4, 3, 15),
  reply_to: null,
  cluster_id: 'sto_bridge',
  article_url: null,
  score: 1,
  deleted: false,
  ...over,
})

/** A connector looked for posts on `sto_bridge` and it went well. */
export const aPoll = (over: Partial<PlatformPolled> = {}): PlatformPolled => ({
  event_id: `evt_polled_${over.platform ?? 'reddit'}_${over.polled_at ?? 0}`,
  namespace: 'shared',
  platform: 'reddit',
  cluster_id: 'sto_bridge',
  polled_at: Date.UTC(2016, 4, 3, 16),
  outcome: 'ok',
  detail: null,
  published: 1,
  posts_read: 1,
  posts_read_in_month: 1,
  cursor: 't3_1',
  ...over,
})

/** A unit vector that depends on the text alone; for tests in which likeness does not matter. */
export function aVector(text: string): Float32Array {
  const values = Float32Array.from(
    { length: 384 },
    (_, i) => (sha256(`${text}${Math.floor(i / 32)}`)[i % 32] ?? 0) - 128,
  )
  const norm = Math.hypot(...values)
  return values.map((value) => value / norm)
}

/** An article of the story `sto_bridge`. */
export const aStoryArticle = (over: Partial<ArticleClustered> = {}): ArticleClustered => ({
  event_id: `evt_clustered_${over.article_id ?? '1'}`,
  namespace: 'shared',
  occurred_at: Date.UTC(2016, 4, 3, 12),
  caused_by: null,
  produced_by: { stage: 'clustered', version: '1' },
  action: 'opened',
  cluster_id: 'sto_bridge',
  article_id: 'art_bridge',
  content_hash: 'c0ffee',
  decision: { rule: 'link', chosen: null, runner_up: null, threshold: 0.75, versions: {} },
  origin: null,
  member: {
    title: 'Harbour bridge to close',
    url: 'https://example.com/bridge',
    source: 'Example Times',
    publisher: 'example times',
    publisher_family: null,
    published_date: Date.UTC(2016, 4, 3),
    dated: true,
    semantic_hash: 'ffff',
    quality_score: 0.8,
    genre: 'report',
    language: 'en',
    sentiment_score: 0,
    sentiment_label: 'neutral',
    entities: [
      {
        entity_id: 'ent_mayor',
        name: 'Ada Quill',
        type: 'PERSON',
        mention_count: 2,
        country: null,
        sentiment_score: null,
      },
    ],
    categories: [],
    vector: f32('test:lead', aVector('bridge')),
    cross_title_vector: NO_VECTOR,
  },
  change: null,
  assignment_confidence: 0.9,
  subject_id: null,
  ...over,
})
