import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_DAY } from '../../../test/builders/articles.ts'
import { aDelivery } from '../../../test/builders/webhooks.ts'
import type { WebhookDelivered } from '../../events/webhooks.ts'
import { cancelled, postponed, tooMany, verdict, type DeliveryReply } from './verdict.ts'

const place = { topic: 'webhooks.delivered', partition: 0, offset: 9 }
const RETRY_MS = [0, 5_000, 300_000]
const answered = (status: number, retryAfterSeconds: number | null = null): DeliveryReply => ({
  status,
  retryAfterSeconds,
})

const judged = (reply: DeliveryReply, event: WebhookDelivered = aDelivery()) =>
  verdict({ event, place }, { reply, startedAt: A_DAY, endedAt: A_DAY + 87 }, RETRY_MS)

describe('verdict', () => {
  it.each([200, 201, 202, 204, 299])('%i is a delivery, with nothing left to send', (status) => {
    expect(judged(answered(status))).toMatchObject({
      ...{ outcome: 'delivered', attempt: 1, status_code: status, error: null, duration_ms: 87 },
      ...{ next_attempt_at: null, payload: '', caused_by: place, change_id: 'evt_change' },
    })
  })

  it.each([100, 199, 301, 302, 307, 400, 401, 404, 429, 500, 503])('%i is a failure that is tried again', (status) => {
    const event = aDelivery()

    expect(judged(answered(status), event)).toMatchObject({
      ...{ outcome: 'failed', attempt: 1, status_code: status, error: 'http_status', payload: event.payload },
    })
  })

  it('410 ends it for good', () => {
    expect(judged(answered(410))).toMatchObject({ outcome: 'gone', next_attempt_at: null, error: 'http_status' })
  })

  it('is gone if the receiver says so by another status, and names a refusal by SMTP', () => {
    expect(judged({ status: 404, retryAfterSeconds: null, isGone: true })).toMatchObject({ outcome: 'gone' })
    expect(judged({ status: 451, retryAfterSeconds: null, error: 'smtp_status' })).toMatchObject({
      ...{ outcome: 'failed', error: 'smtp_status' },
    })
  })

  it('no answer is a failure that says why', () => {
    expect(judged({ status: null, error: 'tls' })).toMatchObject({ outcome: 'failed', status_code: null, error: 'tls' })
  })

  it('is given up after the last attempt, whatever the receiver wishes', () => {
    expect(judged(answered(503, 60), aDelivery({ attempt: 2 }))).toMatchObject({
      ...{ outcome: 'given_up', attempt: 3, status_code: 503, next_attempt_at: null, payload: '' },
    })
  })

  it('waits the next interval, a fifth more or less, the same for a repeat', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 1 }), (delivery_id, attempt) => {
        const wait = () =>
          (judged(answered(500), aDelivery({ delivery_id, attempt })).next_attempt_at ?? 0) - A_DAY - 87
        const interval = RETRY_MS[attempt + 1] ?? 0

        expect(wait()).toBeGreaterThanOrEqual(interval * 0.8 - 1)
        expect(wait()).toBeLessThanOrEqual(interval * 1.2 + 1)
        expect(wait()).toBe(wait())
      }),
    )
  })

  it.each([
    [60, 60_000],
    [0, 4_000],
    [1e9, 86_400_000],
  ])('waits as long as the receiver wishes, a day at most: %i s', (seconds, least) => {
    const { next_attempt_at } = judged(answered(429, seconds))

    expect(next_attempt_at ?? 0).toBeGreaterThanOrEqual(A_DAY + 87 + least)
    expect(next_attempt_at ?? 0).toBeLessThanOrEqual(A_DAY + 87 + Math.max(least, 6_000))
  })

  it('has an id for each attempt and outcome, the same for a repeat', () => {
    const all = [
      judged(answered(500)),
      judged(answered(200)),
      judged(answered(500), aDelivery({ attempt: 1 })),
      cancelled({ event: aDelivery({ attempt: 1, outcome: 'failed' }), place }, A_DAY),
      tooMany({ event: aDelivery(), place }, A_DAY),
      postponed({ event: aDelivery(), place }, A_DAY, A_DAY + 1),
      postponed({ event: aDelivery(), place }, A_DAY, A_DAY + 2),
    ].map(({ event_id }) => event_id)

    expect(new Set(all).size).toBe(7)
    expect(judged(answered(500)).event_id).toBe(all[0])
  })
})
