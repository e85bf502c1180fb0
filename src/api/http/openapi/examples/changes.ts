import type { DocExample } from '../example.ts'

const GROWN = {
  id: 'evt_3l2iyaqfkz6a5vvqsfczzn5jmm',
  type: 'cluster.grown',
  occurred_at: '2018-12-16T08:05:00.000Z',
  data: {
    cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
    from_cluster_id: null,
    article_ids: ['art_2p5fteuk6gfonmho7mm7l7xvl7'],
    correction_id: null,
    correction_action: null,
  },
}

const TREND = {
  id: 'evt_q2x4mvhb7k3zt5wadl6rnc8yfe',
  type: 'trend.detected',
  occurred_at: '2018-12-16T08:05:00.000Z',
  data: {
    cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
    title: 'Harbour bridge to close',
    category: 'politics',
    velocity: 6.5,
    baseline: 0.8,
    window_hours: 6,
    article_count: 5,
    origins: 4,
    low_support: false,
  },
}

const CURSOR =
  'WmpCTDZDb0dxX2xKeyJhdCI6eyJhZnRlciI6NDEsInBhcnRpdGlvbiI6MCwiaGFkIjoxNTQ0OTQ3NTAwMDAwfSwiZm9yIjoiS3hQT3M3UHhmMmhPIn0'

export const listChanges: DocExample = {
  query: { types: 'cluster.grown,trend.detected', limit: 2, wait: 20 },
  answer: { changes: [GROWN, TREND], next_cursor: CURSOR, has_more: false },
}

export const streamChanges: DocExample = {
  query: { types: 'cluster.grown' },
  answer: `retry: 2000\nid: ${CURSOR}\n\nevent: cluster.grown\nid: ${CURSOR}\ndata: ${JSON.stringify(GROWN)}\n\n: still here\nid: ${CURSOR}\n\n`,
}
