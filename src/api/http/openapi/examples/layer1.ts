import type { DocExample } from '../example.ts'

export const analyzeArticle: DocExample = {
  body: {
    article_id: 'my-article-1',
    title: 'Harbour bridge to close',
    content:
      'Angela Merkel met Emmanuel Macron in Berlin on 3 March 2019. They promised 40 million euros for the flooded towns of Saxony.',
    url: 'https://www.example.com/meeting',
    published_date: '2019-03-04',
  },
  answer: {
    success: true,
    article_id: 'my-article-1',
    processed_at: '2026-11-22T07:48:05.103Z',
    stats: { sentence_count: 2, entity_count: 6, location_count: 2, embedding_dim: 384, processing_time_ms: 24.1 },
    entities: {
      PERSON: ['Angela Merkel', 'Emmanuel Macron'],
      ORG: [],
      GPE: ['Berlin', 'Saxony'],
      LOC: [],
      EVENT: [],
      DATE: ['2019-03-03'],
      MONEY: ['EUR 40000000'],
    },
    locations: ['Berlin', 'Saxony'],
    sentiment_score: 0.0045,
    sentiment_label: 'neutral',
    article_embedding: [0.00287275, 0.0927271, 0.0535934],
    semantic_hash: '6ebdf7e8d08e884c',
    places: [
      {
        name: 'Berlin',
        type: 'GPE',
        country: 'DE',
        latitude: 52.52,
        longitude: 13.41,
        within: ['State of Berlin', 'Germany', 'Europe'],
      },
      { name: 'Saxony', type: 'GPE', country: 'DE', latitude: 51.34, longitude: 12.37, within: ['Germany', 'Europe'] },
    ],
    times: [{ name: '2019-03-03', start: '2019-03-03', end: '2019-03-03' }],
    money: [{ name: 'EUR 40000000', amount: 40000000, currency: 'EUR' }],
    truncated: false,
    analyzed_chars: 124,
    models: { encoder: 'afdb6f1a0e45', recogniser: 'tagger:24629fd5754c', sentiment: 'targeted:8dd8e795a532' },
    sentences: [
      {
        text: 'Angela Merkel met Emmanuel Macron in Berlin on 3 March 2019.',
        embedding: [0.0127563, 0.0341797, 0.03125],
      },
      {
        text: 'They promised 40 million euros for the flooded towns of Saxony.',
        embedding: [-0.0078125, 0.106934, 0.0507813],
      },
    ],
  },
}

export const analyzeArticles: DocExample = {
  body: {
    articles: [
      { article_id: 'my-article-2', title: 'A', content: 'Angela Merkel spoke in Berlin.' },
      { article_id: 'my-article-3', content: ' ' },
    ],
  },
  answer: {
    success: false,
    total: 2,
    results: [
      {
        success: true,
        article_id: 'my-article-2',
        processed_at: '2026-11-22T07:48:05.178Z',
        stats: { sentence_count: 1, entity_count: 2, location_count: 1, embedding_dim: 384, processing_time_ms: 48.8 },
        entities: { PERSON: ['Angela Merkel'], ORG: [], GPE: ['Berlin'], LOC: [], EVENT: [], DATE: [], MONEY: [] },
        locations: ['Berlin'],
        sentiment_score: 0.0011,
        sentiment_label: 'neutral',
        article_embedding: [0.103971, 0.0892946, 0.0139164],
        semantic_hash: '60a8ebedb0de7b5b',
        places: [
          {
            name: 'Berlin',
            type: 'GPE',
            country: 'DE',
            latitude: 52.52,
            longitude: 13.41,
            within: ['State of Berlin', 'Germany', 'Europe'],
          },
        ],
        times: [],
        money: [],
        truncated: false,
        analyzed_chars: 30,
        models: { encoder: 'afdb6f1a0e45', recogniser: 'tagger:24629fd5754c', sentiment: 'targeted:8dd8e795a532' },
        sentences: [{ text: 'Angela Merkel spoke in Berlin.', embedding: [0.104004, 0.0893555, 0.013916] }],
      },
      { success: false, article_id: 'my-article-3', error: 'content: must not be blank' },
    ],
  },
}
