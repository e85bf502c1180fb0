import type { DocExample } from '../example.ts'

export const listLayer1Entities: DocExample = {
  query: { limit: 2, type: 'PERSON' },
  answer: {
    entities: [
      { id: 'ent_3kolvp2jnxxlaqu3', name: 'Barack Obama', type: 'PERSON', mention_count: 83, article_count: 20 },
      { id: 'ent_arof4ke37u4fl2jz', name: 'Tony Thompson', type: 'PERSON', mention_count: 83, article_count: 11 },
    ],
    total: 668,
    next_cursor:
      'WnNzQldvdHNxb3I1eyJhdCI6eyJhc19vZiI6MTc5NTMzMzY4NTE5NiwibWVudGlvbl9jb3VudCI6ODMsImlkIjoiZW50X2Fyb2Y0a2UzN3U0ZmwyanoiLCJzZWVuIjoyfSwiZm9yIjoiaXJ3NUxLSXNSRWdqIn0',
    query: '',
    type_filter: 'PERSON',
    time_range: null,
  },
}

export const getLayer1EntityTimeline: DocExample = {
  params: { entity_name: 'Barack Obama' },
  query: { time_range: '24h' },
  answer: {
    entity: 'Barack Obama',
    entity_ids: ['ent_3kolvp2jnxxlaqu3'],
    type_filter: null,
    time_range: '24h',
    total_mentions: 83,
    timeline: [
      { date: '2026-11-21', mention_count: 0, article_count: 0 },
      { date: '2026-11-22', mention_count: 83, article_count: 20 },
    ],
  },
}

export const getLayer1EntitySentiment: DocExample = {
  params: { entity_name: 'Barack Obama' },
  query: { time_range: '24h' },
  answer: {
    entity: 'Barack Obama',
    entity_ids: ['ent_3kolvp2jnxxlaqu3'],
    type_filter: null,
    time_range: '24h',
    avg_sentiment: 0.288842,
    total_articles: 20,
    timeline: [
      {
        date: '2026-11-21',
        avg_sentiment: 0,
        article_count: 0,
        distribution: { positive: 0, neutral: 0, negative: 0 },
      },
      {
        date: '2026-11-22',
        avg_sentiment: 0.288842,
        article_count: 20,
        distribution: { positive: 14, neutral: 5, negative: 1 },
      },
    ],
  },
}
