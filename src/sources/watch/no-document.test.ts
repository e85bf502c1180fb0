import { expect, it } from 'vitest'
import { noDocumentIn } from './no-document.ts'

const NOW = Date.UTC(2026, 2, 2)
const of = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  noDocumentIn(
    {
      kind: 'answer',
      document: { url: 'https://a.example/', redirects: [], status, headers, body: Buffer.alloc(0) },
      durationMs: 1,
    },
    NOW,
  )

it.each([
  [401, 'refused'],
  [404, 'gone'],
  [410, 'gone'],
  [429, 'limited'],
  [503, 'failed'],
  [500, 'failed'],
  [304, 'failed'], // nothing was requested on a condition
])('%d is %s', (status, outcome) => {
  expect(of(status)).toEqual({ outcome, detail: `http_${status}`, retryAfterMs: 0 })
})

it('is nothing where there is a document', () => {
  expect(of(200)).toBeNull()
})

it('waits as long as the server asks, also where an earlier request was limited', () => {
  expect(of(503, { 'retry-after': '90' })).toEqual({ outcome: 'limited', detail: 'http_503', retryAfterMs: 90_000 })
  expect(noDocumentIn({ kind: 'held', detail: 'host_limited', waitMs: 5_000 }, NOW)).toEqual({
    ...{ outcome: 'limited', detail: 'host_limited', retryAfterMs: 5_000 },
  })
})
