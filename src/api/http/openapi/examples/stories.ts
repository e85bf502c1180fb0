import type { DocExample } from '../example.ts'

export const listStories: DocExample = {
  query: { time_range: '30d', sort: 'coverage', limit: 1, min_articles: 4 },
  answer: {
    stories: [
      {
        id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
        title: 'Lindsay Lohan Checks Into Court-Ordered Rehab',
        article_count: 19,
        source_count: 19,
        publisher_count: 18,
        origin_count: 17,
        confidence: 0.876643,
        membership: 'settled',
        created_at: '2026-11-22T07:45:41.870Z',
        updated_at: '2026-11-22T07:45:41.870Z',
        primary_entities: ['ent_ntie2ivbll2jkbdr', 'ent_rx3nzuev6uymqb23', 'ent_fco4zq2evoc7mwnp'],
        sentiment_distribution: { positive: 0.0526316, neutral: 0.842105, negative: 0.105263 },
        categories: [],
        geographic_spread: ['US'],
        articles: [
          'art_2p5fteuk6gfonmho7mm7l7xvl7',
          'art_3x63ewok5ykofqbi4wgmypxbqn',
          'art_4fjo3take6cvdsvh6svmunjfa4',
        ],
        lifecycle_state: 'breaking',
        lifecycle_reason: {
          rule: 'breaking',
          values: { first_article_age_hours: 0.04, origins_2h: 17 },
          text: 'its first article is 2 minutes old, and 17 independent origins reported in the last 2h',
        },
        article_velocity: 17,
        has_echo: false,
      },
    ],
    total: 35,
    page: 1,
    next_cursor:
      'R2JMbkRMQmhvMHBweyJhdCI6eyJpZCI6InN0b19zcjNlZWt4MmJ2a2NnZ2tkajZkbWpyM3VydyIsInJhbmsiOjE3LCJzZWNvbmRfcmFuayI6MTksImFzX29mIjoxNzk1MzMzNjg3MTM3LCJzZWVuIjoxfSwiZm9yIjoiQ3VPS3Y4MW1WeGdrIn0',
  },
}

export const relateStories: DocExample = {
  query: {
    ids: 'sto_ytafaftmyae7tgmch73dykkt6c,sto_ogvpqfkqvt3pheuhzqx2zpc6rv,sto_ydxs2au62u22prvgpjragrnb2j,sto_44wvkof3hdfkjzvd4oq6dugbwj',
    min_shared: 3,
  },
  answer: {
    cluster_count: 4,
    relationships: [
      {
        source: 'sto_ytafaftmyae7tgmch73dykkt6c',
        target: 'sto_ogvpqfkqvt3pheuhzqx2zpc6rv',
        confidence: 0.05,
        type: 'shared_entities',
        shared_count: 6,
        shared_entities: ['Brooklyn', 'NYPD', 'New York'],
      },
      {
        source: 'sto_ydxs2au62u22prvgpjragrnb2j',
        target: 'sto_44wvkof3hdfkjzvd4oq6dugbwj',
        confidence: 0.037037,
        type: 'shared_entities',
        shared_count: 6,
        shared_entities: ['Barack Obama', 'Congress', 'House'],
      },
    ],
    computed_from: 'Layer 1 entities of the articles: PERSON, ORG, GPE, LOC, EVENT',
  },
}

export const analyzeStory: DocExample = {
  params: { story_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw' },
  answer: {
    story_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
    lifecycle_state: 'breaking',
    previous_state: 'breaking',
    changed: false,
    reason: {
      rule: 'breaking',
      values: { first_article_age_hours: 0.04, origins_2h: 17 },
      text: 'its first article is 2 minutes old, and 17 independent origins reported in the last 2h',
    },
    evaluated_at: '2026-11-22T07:48:09.065Z',
  },
}
