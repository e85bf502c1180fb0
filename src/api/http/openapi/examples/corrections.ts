import type { DocExample } from '../example.ts'

export const correctCluster: DocExample = {
  params: { cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw' },
  headers: { 'Idempotency-Key': '9b2b4c9c-3a53-4b0d-9f3e-5f3f8d9a1e22' },
  body: { action: 'keep_apart', other_cluster_id: 'sto_llg7fxortdx3hgratpbc2zu6kb', reason: 'Two floods in two towns' },
  answer: { correction_id: 'cor_kxgpmi5bdrzj6pehrleefjh3bj', status: 'applied' },
}

export const listCorrections: DocExample = {
  params: { cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw' },
  answer: {
    corrections: [
      {
        correction_id: 'cor_kxgpmi5bdrzj6pehrleefjh3bj',
        action: 'keep_apart',
        cluster_id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
        other_cluster_id: 'sto_llg7fxortdx3hgratpbc2zu6kb',
        article_ids: [],
        reason: 'Two floods in two towns',
        key_id: 'key_2a3qslx3fmrzgrd3',
        requested_at: '2026-11-22T07:49:17.519Z',
        status: 'applied',
        refused_because: null,
      },
    ],
  },
}

export const undoCorrection: DocExample = { params: { correction_id: 'cor_kxgpmi5bdrzj6pehrleefjh3bj' } }
