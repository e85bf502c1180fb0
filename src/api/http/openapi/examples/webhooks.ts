import type { DocExample } from '../example.ts'

const params = { id: 'whk_q2x4mvhb7k3zt5wa' }
const DELIVERY = 'dlv_3kq7vhd2mzxw5aypc4tn6jrs7b'

const webhook = {
  id: params.id,
  url: 'https://example.com/hooks/stories',
  events: ['trend.detected', 'entity.spike'],
  filters: {
    entity_ids: ['ent_k3v7qhd2mzxw5ayp'],
    min_velocity: 5,
    min_assignment_confidence: null,
    membership: null,
  },
  description: 'Newsroom alerts',
  status: 'active',
  disabled_reason: null,
  created_at: '2026-11-22T07:49:17.519Z',
  updated_at: '2026-11-22T07:49:17.519Z',
}

const delivery = {
  id: DELIVERY,
  webhook_id: params.id,
  event_id: 'evt_hd7mzq3x5w2aypk4vtn6jrsb7c',
  type: 'trend.detected',
  status: 'delivered',
  attempts: 2,
  last_status_code: 204,
  last_error: null,
  last_duration_ms: 87,
  created_at: '2026-11-22T08:03:11.020Z',
  last_attempt_at: '2026-11-22T08:03:16.421Z',
  next_attempt_at: null,
}

export const createWebhook: DocExample = {
  headers: { 'Idempotency-Key': '0f8fad5b-d9cb-469f-a165-70867728950e' },
  body: {
    url: webhook.url,
    events: webhook.events,
    filters: webhook.filters,
    description: webhook.description,
  },
  answer: { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
}

export const listWebhooks: DocExample = { answer: { webhooks: [webhook] } }

export const getWebhook: DocExample = { params, answer: webhook }

export const updateWebhook: DocExample = {
  params,
  body: { status: 'disabled' },
  answer: {
    ...webhook,
    status: 'disabled',
    disabled_reason: 'by_owner',
    updated_at: '2026-11-23T10:00:00.000Z',
  },
}

export const deleteWebhook: DocExample = { params }

export const rotateWebhookSecret: DocExample = {
  params,
  body: { overlap_seconds: 86_400 },
  answer: {
    ...webhook,
    updated_at: '2026-11-23T10:00:00.000Z',
    secret: 'whsec_Zb0IhBGZ8kq1yYbKJ0dQm3o0TtXv5c2P',
  },
}

export const testWebhook: DocExample = { params, answer: { delivery_id: DELIVERY } }

export const listWebhookDeliveries: DocExample = {
  params,
  query: { status: 'delivered', limit: 50 },
  answer: { deliveries: [delivery], next_cursor: null },
}

export const getWebhookDelivery: DocExample = {
  params: { ...params, delivery_id: DELIVERY },
  answer: {
    ...delivery,
    history: [
      {
        attempt: 0,
        at: '2026-11-22T08:03:11.020Z',
        status: 'pending',
        status_code: null,
        error: null,
        duration_ms: null,
        next_attempt_at: '2026-11-22T08:03:11.020Z',
      },
      {
        attempt: 1,
        at: '2026-11-22T08:03:11.210Z',
        status: 'failed',
        status_code: 503,
        error: 'http_status',
        duration_ms: 112,
        next_attempt_at: '2026-11-22T08:03:16.334Z',
      },
      {
        attempt: 2,
        at: '2026-11-22T08:03:16.421Z',
        status: 'delivered',
        status_code: 204,
        error: null,
        duration_ms: 87,
        next_attempt_at: null,
      },
    ],
  },
}

export const redeliverWebhook: DocExample = {
  params: { ...params, delivery_id: DELIVERY },
  answer: { delivery_id: 'dlv_7b2mzxw5aypc4tn6jrsq3kvhd2' },
}
