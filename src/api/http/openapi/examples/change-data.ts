import type { ChangeData } from '../../../../events/change-data.ts'
import type { ChangeType } from '../../../../events/changes.ts'

const STORY = 'sto_sr3eekx2bvkcggkdj6dmjr3urw'
const ARTICLE = 'art_2p5fteuk6gfonmho7mm7l7xvl7'

const article = {
  article_id: ARTICLE,
  title: 'Harbour bridge to close for a year',
  url: 'https://news.example/harbour-bridge',
  source: 'news.example',
  published_date: '2026-11-22T07:55:00.000Z',
  language: 'en',
  quality_score: 0.71,
  forwarded: true,
  gate_reason: 'passed',
  semantic_hash: 'a3f1c2d4e5b60718',
}

const story = {
  cluster_id: STORY,
  from_cluster_id: null,
  article_ids: [ARTICLE],
  correction_id: null,
  correction_action: null,
}

const left = { ...story, from_cluster_id: 'sto_7b2mzxw5aypc4tn6jrsq3kvhd2' }

const entity = { entity_id: 'ent_k3v7qhd2mzxw5ayp', name: 'Harbour Bridge', window_hours: 6, velocity: 6.5 }

/** What a webhook brings as `data`, an example of each type. */
export const EXAMPLES: ChangeData = {
  'article.scored': article,
  'article.revised': article,
  'cluster.opened': story,
  'cluster.grown': story,
  'cluster.moved': left,
  'cluster.merged': left,
  'cluster.split': left,
  'cluster.settled': story,
  'cluster.corrected': { ...left, correction_id: 'cor_q2x4mvhb7k3zt5wadl6rnc8yfe', correction_action: 'move' },
  'story.transitioned': {
    cluster_id: STORY,
    lifecycle_state: 'developing',
    previous_state: 'breaking',
    rule: 'grows',
    facts: { age_hours: 7.5, articles: 5 },
    evaluated_at: '2026-11-22T08:00:00.000Z',
  },
  'story.enriched': {
    cluster_id: STORY,
    platform: 'bluesky',
    sentiment_score: -0.32,
    sentiment_label: 'negative',
    controversy_score: 0.41,
    counter_narrative_detected: false,
    counter_narrative_confidence: 0.1,
    comment_count_analyzed: 120,
    dominant_themes: ['detour', 'cost'],
    novel_entities: ['Harbour Ferries'],
  },
  'trend.detected': {
    cluster_id: STORY,
    title: 'Harbour bridge to close for a year',
    category: 'politics',
    velocity: 6.5,
    baseline: 0.8,
    window_hours: 6,
    article_count: 5,
    origins: 4,
    low_support: false,
  },
  'entity.spike': { ...entity, baseline: 0.8, mention_count: 14, origins: 4, p_value: 0.0004, low_support: false },
  'sentiment.shift': {
    ...entity,
    sentiment_before: 0.12,
    sentiment_after: -0.38,
    mention_count: 14,
    origins: 4,
    low_support: false,
  },
}

export const DOCUMENTED_CHANGES: readonly { readonly type: ChangeType; readonly summary: string }[] = [
  { type: 'article.scored', summary: 'An article came' },
  { type: 'article.revised', summary: 'An article came with another text or title than before' },
  { type: 'cluster.opened', summary: 'A story began' },
  { type: 'cluster.grown', summary: 'Articles came to a story' },
  { type: 'cluster.moved', summary: 'Articles went to another story' },
  { type: 'cluster.merged', summary: 'Two stories became one' },
  { type: 'cluster.split', summary: 'One story became two' },
  { type: 'cluster.settled', summary: 'The membership of a story has settled: all its articles' },
  { type: 'cluster.corrected', summary: 'A curator corrected a story' },
  { type: 'story.transitioned', summary: 'A story moved to another lifecycle state' },
  { type: 'story.enriched', summary: 'How a platform receives a story now; for professional keys' },
  { type: 'trend.detected', summary: 'A story grows fast' },
  { type: 'entity.spike', summary: 'An entity is named far more than usual' },
  { type: 'sentiment.shift', summary: 'The tone towards an entity changes' },
]
