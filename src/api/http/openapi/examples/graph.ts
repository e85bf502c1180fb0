import type { DocExample } from '../example.ts'

export const getGraphStats: DocExample = {
  answer: {
    cluster_relationships: 20,
    narrative_threads: 0,
    trending_entities: 2,
    entity_relationships: 23519,
    graph_as_of: '2026-11-22T07:48:13.610Z',
  },
}

export const listGraphRelationships: DocExample = {
  params: { cluster_id: 'sto_u6smpt5eh2fvk7eqkcs4y67i54' },
  answer: {
    cluster_id: 'sto_u6smpt5eh2fvk7eqkcs4y67i54',
    relationships: [
      {
        source: 'sto_guvmyg2jjjsinatgvo3v5fxkp2',
        target: 'sto_u6smpt5eh2fvk7eqkcs4y67i54',
        type: 'merged_with',
        directed: false,
        confidence: 1,
        shared_entities: [],
        since: '2026-11-22T07:45:41.870Z',
      },
    ],
    merged_into: null,
    merged_at: null,
    graph_as_of: '2026-11-22T07:48:13.611Z',
  },
}

export const listThreads: DocExample = {
  query: { limit: 1 },
  answer: {
    threads: [
      {
        id: 'thr_3kq7w2mzx5v4nhtd',
        title: 'Harbour bridge to close for two years',
        cluster_ids: [
          'sto_ytafaftmyae7tgmch73dykkt6c',
          'sto_ogvpqfkqvt3pheuhzqx2zpc6rv',
          'sto_ydxs2au62u22prvgpjragrnb2j',
        ],
        cluster_count: 3,
        importance_score: 0.417252,
        confidence_score: 0.71,
        status: 'active',
        first_seen: '2026-11-20T06:10:00.000Z',
        last_updated: '2026-11-22T07:45:41.870Z',
        top_entities: [{ id: 'ent_ex26beyyhf4vo375', name: 'Angela Merkel', type: 'PERSON', cluster_count: 3 }],
        origin_count: 9,
        publisher_count: 11,
        country_count: 2,
      },
    ],
    total: 1,
    next_cursor: null,
    graph_as_of: '2026-11-22T07:48:13.611Z',
  },
}

export const getThread: DocExample = {
  params: { thread_id: 'thr_3kq7w2mzx5v4nhtd' },
  answer: {
    id: 'thr_3kq7w2mzx5v4nhtd',
    title: 'Harbour bridge to close for two years',
    cluster_ids: ['sto_ytafaftmyae7tgmch73dykkt6c', 'sto_ogvpqfkqvt3pheuhzqx2zpc6rv', 'sto_ydxs2au62u22prvgpjragrnb2j'],
    cluster_count: 3,
    importance_score: 0.417252,
    confidence_score: 0.71,
    status: 'active',
    first_seen: '2026-11-20T06:10:00.000Z',
    last_updated: '2026-11-22T07:45:41.870Z',
    top_entities: [{ id: 'ent_ex26beyyhf4vo375', name: 'Angela Merkel', type: 'PERSON', cluster_count: 3 }],
    origin_count: 9,
    publisher_count: 11,
    country_count: 2,
    chapters: [
      {
        cluster_id: 'sto_ytafaftmyae7tgmch73dykkt6c',
        title: 'Inspectors find cracks in harbour bridge',
        first_seen: '2026-11-20T06:10:00.000Z',
        article_count: 3,
        turning_point: false,
        why: null,
      },
      {
        cluster_id: 'sto_ogvpqfkqvt3pheuhzqx2zpc6rv',
        title: 'Merkel visits harbour bridge',
        first_seen: '2026-11-21T09:02:17.000Z',
        article_count: 3,
        turning_point: false,
        why: null,
      },
      {
        cluster_id: 'sto_ydxs2au62u22prvgpjragrnb2j',
        title: 'Harbour bridge to close for two years',
        first_seen: '2026-11-22T05:30:00.000Z',
        article_count: 8,
        turning_point: true,
        why: 'It has 8 articles; the median of the chapters before it is 3.',
      },
    ],
    graph_as_of: '2026-11-22T07:48:13.611Z',
  },
}

export const buildGraph: DocExample = {
  answer: {
    status: 'complete',
    stats: {
      clusters_processed: 52,
      relationships_created: 20,
      entity_pairs_processed: 23519,
      narrative_threads_built: 0,
      differences: 0,
      duration_seconds: 0.923,
      beyond_memory: 0,
      kept: true,
    },
    build_id: 'bld_ezo7clhknapaze55lvvqpe52c3',
    graph_as_of: '2026-11-22T07:48:14.082Z',
  },
}
