import type { DocExample } from '../example.ts'

export const listClusters: DocExample = {
  query: { time_range: '30d', sort: 'coverage', limit: 2, min_articles: 4 },
  answer: {
    clusters: [
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
      },
      {
        id: 'sto_u6smpt5eh2fvk7eqkcs4y67i54',
        title: 'Report: Red Sox offer Teixeira $200 million',
        article_count: 13,
        source_count: 12,
        publisher_count: 12,
        origin_count: 13,
        confidence: 0.878084,
        membership: 'settled',
        created_at: '2026-11-22T07:45:41.870Z',
        updated_at: '2026-11-22T07:45:41.870Z',
        primary_entities: ['ent_uvmq542mydj2ibex', 'ent_n7x2dhjcsvtto2fm', 'ent_2qdj3xoejzcxa5lu'],
        sentiment_distribution: { positive: 0, neutral: 1, negative: 0 },
        categories: ['finance'],
        geographic_spread: ['US'],
        articles: [
          'art_56hri4scijr42ybgd5emjmyphs',
          'art_bnxblagse2k2dlj2723fng3tmd',
          'art_cpsv5odsbzt2dzdmp5b2sbnwam',
        ],
      },
    ],
    total: 35,
    page: 1,
    next_cursor:
      'QVViRDhyMWJmNkNOeyJhdCI6eyJhc19vZiI6MTc5NTMzMzY4MzcyOCwicmFuayI6MTMsInNlY29uZF9yYW5rIjoxMywiaWQiOiJzdG9fdTZzbXB0NWVoMmZ2azdlcWtjczR5NjdpNTQiLCJzZWVuIjoyfSwiZm9yIjoiMmxVc29DZlZtVFI2In0',
  },
}

export const listClusterChanges: DocExample = {
  query: { limit: 3 },
  answer: {
    changes: [
      {
        id: 'evt_4mgkbhu43alypeb57ofr55rsxl',
        type: 'cluster.opened',
        occurred_at: '2026-11-22T07:45:41.870Z',
        data: {
          cluster_id: 'sto_ogvpqfkqvt3pheuhzqx2zpc6rv',
          from_cluster_id: null,
          article_ids: ['art_qpqxybvjqxjpvucqpokfmfdch5'],
          correction_id: null,
          correction_action: null,
        },
      },
      {
        id: 'evt_jxv6d7h2ukxep64wpyjyfvf3a2',
        type: 'cluster.opened',
        occurred_at: '2026-11-22T07:45:41.870Z',
        data: {
          cluster_id: 'sto_diucpjvhogjjbbtvqdc6rxpkyu',
          from_cluster_id: null,
          article_ids: ['art_2c33vut25rbw2czvxna5jskj3m'],
          correction_id: null,
          correction_action: null,
        },
      },
    ],
    next_cursor: 'QjVWOFNLSmE3T3NteyJhdCI6eyJhZnRlciI6Mn0sImZvciI6InFkbjU1eUtJSG9sTiJ9',
    has_more: true,
  },
}

export const getClusterEvolution: DocExample = {
  params: { cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw' },
  query: { resolution: '1d' },
  answer: {
    cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
    resolution: '1d',
    points: [
      {
        time: '2026-11-22T00:00:00.000Z',
        articles_added: 19,
        article_count: 19,
        source_count: 19,
        origin_count: 17,
        new_sources: ['ktla.com', 'today.com', 'etonline.com'],
        new_entities: [
          { id: 'ent_ntie2ivbll2jkbdr', name: 'Lindsay Lohan', type: 'PERSON' },
          { id: 'ent_d64zqvotxepiq2yc', name: 'Betty Ford Center', type: 'ORG' },
        ],
        sentiment: { avg: -0.055626, distribution: { positive: 1, neutral: 16, negative: 2 } },
      },
    ],
    truncated: false,
    events: [
      { time: '2026-11-22T07:45:41.870Z', type: 'opened', other_cluster_id: null, direction: null, articles: 1 },
    ],
  },
}

export const explainMembership: DocExample = {
  params: { cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw', article_id: 'art_3x63ewok5ykofqbi4wgmypxbqn' },
  answer: {
    cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
    article_id: 'art_3x63ewok5ykofqbi4wgmypxbqn',
    event_id: 'evt_zvjbcpxr3xatgz5jmk7lzjeihq',
    decided_at: '2026-11-22T07:46:26.541Z',
    action: 'joined',
    rule: 'link',
    threshold: 1.25,
    versions: { weights: '2026-11-21.3:712783500a5d', idf: 'b62cfd1f738c', mu: '598c3f70ecfe' },
    articles: 1,
    correction_id: null,
    rebuild_day: null,
    chosen: {
      cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
      score: 2.55748,
      features: { size: 5, mean_link: 1.3705, max_link: 5.032, size_penalty: 0.643775 },
    },
    runner_up: {
      cluster_id: 'sto_r4mxr2itktt5xxarbqoqkwy3f7',
      score: -5.49025,
      features: { size: 1, mean_link: -5.49025, max_link: -5.49025, size_penalty: 0 },
    },
  },
}
