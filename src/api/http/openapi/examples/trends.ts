import type { DocExample } from '../example.ts'

export const listStoryTrends: DocExample = {
  query: { limit: 1, time_range: '7d' },
  answer: {
    trends: [
      {
        id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
        topic: 'Lindsay Lohan Checks Into Court-Ordered Rehab',
        velocity: 19,
        baseline: 1,
        growth_rate: 19,
        article_count: 19,
        total_articles: 19,
        first_detected: '2026-11-22T07:45:41.870Z',
        related_entities: ['ent_ntie2ivbll2jkbdr', 'ent_rx3nzuev6uymqb23', 'ent_fco4zq2evoc7mwnp'],
        sentiment_shift: 0,
        geographic_spread: ['US'],
        categories: [],
        origins: 17,
        days_of_history: 0,
        low_support: true,
        scale: 'viral',
        updated_at: '2026-11-22T07:45:41.870Z',
      },
    ],
    count: 1,
  },
}

export const listEntityTrends: DocExample = {
  query: { limit: 2, supported: true },
  answer: {
    trends: [
      {
        entity: 'Angela Merkel',
        entity_id: 'ent_ex26beyyhf4vo375',
        type: 'PERSON',
        mentions: 18,
        origins: 6,
        velocity: 9,
        baseline: 2,
        days_of_history: 5,
        momentum: 'spiking',
        scale: 'spiking',
        low_support: false,
        latest_day: '2026-11-22',
        day_complete: false,
      },
      {
        entity: 'Berlin',
        entity_id: 'ent_fncgap7nlgfcmf67',
        type: 'GPE',
        mentions: 12,
        origins: 4,
        velocity: 4,
        baseline: 3,
        days_of_history: 6,
        momentum: 'spiking',
        scale: 'rising',
        low_support: false,
        latest_day: '2026-11-22',
        day_complete: false,
      },
    ],
    count: 2,
  },
}

export const listGraphEntityTrends: DocExample = {
  query: { limit: 2, supported: true },
  answer: {
    trends: [
      {
        entity: 'Angela Merkel',
        entity_id: 'ent_ex26beyyhf4vo375',
        type: 'PERSON',
        mentions: 18,
        origins: 6,
        velocity: 9,
        baseline: 2,
        days_of_history: 5,
        momentum: 'spiking',
        scale: 'spiking',
        low_support: false,
        latest_day: '2026-11-22',
        day_complete: false,
      },
      {
        entity: 'Berlin',
        entity_id: 'ent_fncgap7nlgfcmf67',
        type: 'GPE',
        mentions: 12,
        origins: 4,
        velocity: 4,
        baseline: 3,
        days_of_history: 6,
        momentum: 'spiking',
        scale: 'rising',
        low_support: false,
        latest_day: '2026-11-22',
        day_complete: false,
      },
    ],
    count: 2,
    graph_as_of: '2026-11-22T07:48:13.477Z',
  },
}
