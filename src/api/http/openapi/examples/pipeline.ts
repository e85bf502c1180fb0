import type { DocExample } from '../example.ts'

export const getPipeline: DocExample = {
  answer: {
    measured_at: '2026-11-22T07:48:14.082Z',
    articles: {
      total: 347,
      last_hour: 347,
      last_24h: 347,
      per_minute: [
        { time: '2026-11-22T07:46:00.000Z', articles: 214 },
        { time: '2026-11-22T07:47:00.000Z', articles: 133 },
        { time: '2026-11-22T07:48:00.000Z', articles: 0 },
      ],
      first_published: '2013-08-02T18:00:00.000Z',
      last_published: '2026-11-22T07:45:41.870Z',
    },
    refused: { submissions: 1, reasons: [{ reason: 'text_too_short', submissions: 1 }] },
    readers: [
      { name: 'scored', state: 'up_to_date', waiting: 0 },
      { name: 'clustered', state: 'behind', waiting: 12 },
      { name: 'view:articles', state: 'up_to_date', waiting: 0 },
    ],
  },
}
