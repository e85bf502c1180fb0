import { NO_MEMBER } from '../../src/events/ledger.ts'
import type { StoryTransitioned } from '../../src/events/lifecycle.ts'
import type { KeyChanged, ClockTicked, CorrectionRequested } from '../../src/events/settings.ts'
import { f32 } from '../../src/events/vector.ts'
import type { MemberRecord } from '../../src/stages/clustered/remembered.ts'
import type { Remembered } from '../../src/stages/enriched/remembered.ts'
import type { Remembered as RememberedLifecycle } from '../../src/stages/transitioned/remembered.ts'
import { A_DAY, anIngestedArticle, aScoredArticle, axisVector } from '../builders/articles.ts'
import { aPost } from '../builders/discourse.ts'
import { aClusteredArticle, anAnalyzedArticle, anEnrichedStory } from '../builders/views.ts'

/** Of each topic of the pipeline: a value with everything in it, and one with everything left out that may be. */
export const wireValues: Readonly<Record<string, readonly object[]>> = {
  'articles.ingested': [
    anIngestedArticle({ job_id: 'job' }),
    anIngestedArticle({ url: null, title: null, source: null, author: null, published_date: null, producer: null }),
  ],
  'articles.scored': [
    aScoredArticle({ job_id: 'job', caused_by: { topic: 'articles.ingested', partition: 0, offset: 7 } }),
    aScoredArticle({
      job_id: null,
      caused_by: null,
      url: null,
      title: null,
      source: null,
      author: null,
      published_date: null,
    }),
  ],
  'articles.analyzed': [
    anAnalyzedArticle(),
    anAnalyzedArticle({
      caused_by: null,
      url: null,
      title: null,
      source: null,
      author: null,
      published_date: null,
      entities: [],
    }),
  ],
  'articles.clustered': [
    aClusteredArticle({
      decision: {
        rule: 'copy',
        chosen: { cluster_id: 'sto_a', score: 1.5, features: { lead: 0.9 } },
        runner_up: { cluster_id: 'sto_b', score: 0.5, features: { lead: 0.4 } },
        threshold: 0.75,
        versions: { algorithm: '1' },
      },
    }),
    aClusteredArticle({
      caused_by: null,
      decision: { rule: 'link', chosen: null, runner_up: null, threshold: 0.75, versions: {} },
      member: {
        ...aClusteredArticle().member,
        title: null,
        url: null,
        source: null,
        publisher_family: 'Example Group',
        published_date: null,
        categories: ['health'],
      },
    }),
    aClusteredArticle({
      action: 'merged',
      article_id: '',
      content_hash: '',
      member: NO_MEMBER,
      change: {
        from_cluster_id: 'sto_b',
        article_ids: ['art_b'],
        rebuild_day: '2016-05-03',
        rebuilt_from: '2016-04-29',
        correction: null,
      },
    }),
    aClusteredArticle({
      action: 'corrected',
      article_id: '',
      content_hash: '',
      member: NO_MEMBER,
      change: {
        from_cluster_id: null,
        article_ids: [],
        rebuild_day: null,
        rebuilt_from: null,
        correction: {
          correction_id: 'cor_a',
          action: 'keep_apart',
          refused: 'unknown_story',
          reason: 'No',
          key_id: 'k',
        },
      },
    }),
  ],
  'discourse.posts': [
    aPost({ reply_to: 'p0', article_url: 'https://example.com/bridge' }),
    aPost({ url: null, author: null, cluster_id: null, score: null, deleted: true }),
  ],
  'stories.enriched': [
    anEnrichedStory({
      counter_narrative_summary: 'They say otherwise.',
      evidence: { novel_entities: { Ada: ['u'] }, counter_narrative: ['u'] },
    }),
    anEnrichedStory({ caused_by: null, counter_narrative_summary: null }),
  ],
  'stories.transitioned': [
    {
      event_id: 'evt',
      namespace: 'shared',
      occurred_at: A_DAY,
      caused_by: { topic: 'clock.ticked', partition: 0, offset: 7 },
      produced_by: { stage: 'transitioned', version: '1' },
      cluster_id: 'sto_a',
      lifecycle_state: 'contested',
      previous_state: 'concluded',
      rule: 'contested',
      facts: { controversy_score: 0.6 },
      evaluated_at: A_DAY,
    } satisfies StoryTransitioned,
    {
      event_id: 'evt',
      namespace: 'shared',
      occurred_at: A_DAY,
      caused_by: null,
      produced_by: { stage: 'api', version: '1' },
      cluster_id: 'sto_a',
      lifecycle_state: 'mature',
      previous_state: null,
      rule: 'mature',
      facts: {},
      evaluated_at: A_DAY,
    } satisfies StoryTransitioned,
  ],
  'transitioned.memory': [
    {
      namespace: 'shared',
      article: {
        cluster_id: 'sto_a',
        article_id: 'art_a',
        log_order: 7,
        occurred_at: A_DAY,
        syndication_group: 'syn_a',
        publisher_family: 'family',
        derived_from: 'art_b',
      },
      story: null,
    } satisfies RememberedLifecycle,
    {
      namespace: 'shared',
      article: null,
      story: {
        cluster_id: 'sto_a',
        lifecycle_state: 'contested',
        evaluated_at: A_DAY,
        receptions: {
          reddit: {
            controversy_score: 0.6,
            counter_narrative_confidence: 0,
            posts: 5,
            newest_post: A_DAY,
            updated: A_DAY,
          },
        },
        departed: { first_published: A_DAY, last_published: A_DAY, articles_by_day: { '2016-05-03': 2 } },
      },
    } satisfies RememberedLifecycle,
    {
      namespace: 'shared',
      article: null,
      story: { cluster_id: 'sto_a', lifecycle_state: null, evaluated_at: null, receptions: {}, departed: null },
    } satisfies RememberedLifecycle,
  ],
  'keys.changed': [aKey({ expires_at: A_DAY, revoked_at: A_DAY }), aKey({})],
  'corrections.requested': [
    {
      event_id: 'evt',
      namespace: 'shared',
      occurred_at: A_DAY,
      correction_id: 'cor_a',
      action: 'move',
      cluster_id: 'sto_a',
      other_cluster_id: 'sto_b',
      article_ids: ['art_a'],
      reason: 'another flood',
      key_id: 'key_a',
    } satisfies CorrectionRequested,
    {
      event_id: 'evt2',
      namespace: 'shared',
      occurred_at: A_DAY,
      correction_id: 'cor_a',
      action: 'undo',
      cluster_id: 'sto_a',
      other_cluster_id: null,
      article_ids: [],
      reason: null,
      key_id: 'key_a',
    } satisfies CorrectionRequested,
  ],
  'clock.ticked': [{ event_id: 'evt', namespace: 'shared', tick_at: A_DAY, flush: true } satisfies ClockTicked],
  'clustered.memory': [
    {
      namespace: 'shared',
      article_id: 'art_a',
      cluster_id: 'sto_a',
      seen: ['c0ffee'],
      log_order: 7,
      logged_at: A_DAY,
      founded: true,
      occurred_at: A_DAY,
      dated: true,
      has_body: true,
      lead_vector: f32('test:lead', axisVector(1)),
      title_vector: f32('test:title', axisVector(2)),
      body_terms: Buffer.from([1]),
      title_terms: Buffer.from([2]),
      entity_terms: Buffer.from([3]),
      index_keys: Buffer.from([]),
      text_hash: '0123456789abcdef',
      text_shingles: Buffer.from([4]),
      text_bands: Buffer.from([5]),
      syndication_group: 'syn_a',
      duplicate_of: 'art_b',
      evidence: { numbers: Buffer.from([6]) },
      constraints: [{ correction_id: 'cor_a', role: 'left', from_cluster_id: 'sto_b' }],
      rebuilt: null,
    } satisfies MemberRecord,
  ],
  'enriched.memory': [
    {
      namespace: 'shared',
      member: {
        cluster_id: 'sto_a',
        article_id: 'art_a',
        log_order: 7,
        title: null,
        url: null,
        occurred_at: A_DAY,
        entities: [{ entity_id: 'ent_a', name: 'Ada', type: 'PERSON', mention_count: 1, country: null }],
        vector: f32('test:lead', axisVector(1)),
      },
      post: null,
      alias: null,
    } satisfies Remembered,
    {
      namespace: 'shared',
      member: null,
      post: {
        event_id: 'evt_p1',
        platform: 'reddit',
        post_id: 'p1',
        log_order: 8,
        cluster_id: null,
        claimed_cluster_id: null,
        article_url: null,
        url: null,
        author_hash: '',
        text: 'No.',
        created_at: A_DAY,
        fetched_at: A_DAY,
        score: null,
        stance: 'deny',
        sentiment_score: -0.5,
        entities: [{ entity_id: 'ent_a', name: 'Ada' }],
        vector: f32('test:post', axisVector(3)),
      },
      alias: null,
    } satisfies Remembered,
    {
      namespace: 'shared',
      member: null,
      post: null,
      alias: { cluster_id: 'sto_b', merged_into: 'sto_a' },
    } satisfies Remembered,
  ],
}

function aKey(over: Partial<KeyChanged>): KeyChanged {
  return {
    key_id: 'key',
    key_hash: '00',
    name: 'demo',
    tier: 'professional',
    namespace: 'shared',
    curator: false,
    created_at: A_DAY,
    expires_at: null,
    revoked_at: null,
    ...over,
  }
}
