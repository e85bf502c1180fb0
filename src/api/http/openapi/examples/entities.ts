import type { DocExample } from '../example.ts'

export const listEntities: DocExample = {
  query: { time_range: '30d', limit: 2, type: 'GPE' },
  answer: {
    entities: [
      {
        id: 'ent_de7sl3k6oyrl4shk',
        name: 'Athens',
        type: 'GPE',
        mention_count: 41,
        article_count: 12,
        first_seen: '2026-11-22T07:45:41.870Z',
        last_seen: '2026-11-22T07:45:41.870Z',
        article_ids: [
          'art_zydevauvlufoayimoqppwj2lp3',
          'art_zxwnvalpjs2tls6ldfx6ymyf7n',
          'art_sy2lz3yrrfldklnjoqinzqee52',
        ],
      },
      {
        id: 'ent_nbcvyreckwo5zr2k',
        name: 'Brooklyn',
        type: 'GPE',
        mention_count: 34,
        article_count: 18,
        first_seen: '2026-11-22T07:45:41.870Z',
        last_seen: '2026-11-22T07:45:41.870Z',
        article_ids: [
          'art_yetbmwjtzx3xx3wtxosffmunov',
          'art_yb2j47j42cbn2mdfb7n22gq7h3',
          'art_xhpbpfsmkvntn4m4foq34xguoj',
        ],
      },
    ],
    total: 359,
    next_cursor:
      'SzVGTXUxSnRSdWZEeyJhdCI6eyJhc19vZiI6MTc5NTMzMzY5MjI5NSwibWVudGlvbl9jb3VudCI6MzQsImlkIjoiZW50X25iY3Z5cmVja3dvNXpyMmsiLCJzZWVuIjoyfSwiZm9yIjoiQ2hvYTZPWGtoaXEyIn0',
    query: '',
    type_filter: 'GPE',
    time_range: '30d',
  },
}

export const getEntity: DocExample = {
  params: { entity_id: 'ent_de7sl3k6oyrl4shk' },
  answer: {
    id: 'ent_de7sl3k6oyrl4shk',
    name: 'Athens',
    type: 'GPE',
    wikidata_id: null,
    aliases: ['Athens'],
    mention_count: 41,
    article_count: 12,
    first_seen: '2026-11-22T07:45:41.870Z',
    last_seen: '2026-11-22T07:45:41.870Z',
    sentiment: { avg: -0.118228, distribution: { positive: 0, neutral: 9, negative: 3 } },
    locations: [
      { country: 'GR', coordinates: { latitude: 37.98, longitude: 23.73 }, within: ['Attica', 'Greece', 'Europe'] },
    ],
    time: null,
    money: null,
    sentiment_timeline: [
      {
        date: '2026-11-22',
        avg_sentiment: -0.118228,
        article_count: 12,
        distribution: { positive: 0, neutral: 9, negative: 3 },
      },
    ],
    related_entities: [
      { id: 'ent_fx3spfvoz63krbrx', name: 'Greece', type: 'GPE', co_mentions: 9, strength: 1 },
      { id: 'ent_gn4drkt6tylwv7fo', name: 'George Papandreou', type: 'PERSON', co_mentions: 8, strength: 0.888889 },
    ],
    articles: [
      {
        article_id: 'art_zydevauvlufoayimoqppwj2lp3',
        title: "Watergate 'Bagman' Fred LaRue, 75, Dies",
        source: 'washingtonpost.com',
        published_date: null,
      },
      {
        article_id: 'art_zxwnvalpjs2tls6ldfx6ymyf7n',
        title: 'Fred LaRue, Watergate Figure, Dies at 75',
        source: 'nytimes.com',
        published_date: null,
      },
    ],
  },
}

export const getEntityTimeline: DocExample = {
  params: { entity_id: 'ent_de7sl3k6oyrl4shk' },
  query: { time_range: '24h' },
  answer: {
    entity: 'Athens',
    entity_ids: ['ent_de7sl3k6oyrl4shk'],
    type_filter: null,
    time_range: '24h',
    total_mentions: 41,
    timeline: [
      { date: '2026-11-21', mention_count: 0, article_count: 0, type: 'GPE', article_ids: [] },
      {
        date: '2026-11-22',
        mention_count: 41,
        article_count: 12,
        type: 'GPE',
        article_ids: [
          'art_zydevauvlufoayimoqppwj2lp3',
          'art_zxwnvalpjs2tls6ldfx6ymyf7n',
          'art_sy2lz3yrrfldklnjoqinzqee52',
        ],
      },
    ],
  },
}

export const getEntitySentiment: DocExample = {
  params: { entity_name: 'Athens' },
  query: { time_range: '24h' },
  answer: {
    entity: 'Athens',
    entity_ids: ['ent_de7sl3k6oyrl4shk'],
    type_filter: null,
    time_range: '24h',
    avg_sentiment: -0.118228,
    total_articles: 12,
    timeline: [
      {
        date: '2026-11-21',
        avg_sentiment: 0,
        article_count: 0,
        distribution: { positive: 0, neutral: 0, negative: 0 },
      },
      {
        date: '2026-11-22',
        avg_sentiment: -0.118228,
        article_count: 12,
        distribution: { positive: 0, neutral: 9, negative: 3 },
      },
    ],
  },
}
