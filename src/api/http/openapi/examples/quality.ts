import type { DocExample } from '../example.ts'

export const getQuality: DocExample = {
  answer: {
    measured_at: '2026-11-22T00:00:00.000Z',
    code_version: '0.1.0',
    models: ['encoder:afdb6f1a0e45', 'tagger:24629fd5754c', 'targeted:8dd8e795a532'],
    versions: { rules: 'clustered:4', weights: '2026-11-21.3:712783500a5d', idf: 'b62cfd1f738c', mu: '598c3f70ecfe' },
    sets: [
      { name: 'ner/dev/conllpp-dev.bio.gz', measure: 'span_f1', value: 0.8267, n: 5020 },
      { name: 'ner/dev/conllpp-dev.bio.gz', measure: 'span_precision', value: 0.8245, n: 5020 },
    ],
    live: {
      window_days: 7,
      stories: 52,
      stories_last_24h: 52,
      articles_per_day: 49.5714,
      multi_source_share: 0.75,
      single_origin_share: 0.025,
      id_churn_per_day: 4.42857,
    },
  },
}
