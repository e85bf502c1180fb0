import { NO_WEBHOOK_FILTERS, type WebhookChanged, type WebhookDelivered } from '../../src/events/webhooks.ts'
import type { MemoryLog } from '../../src/adapters/memory-log.ts'
import type { AppApi } from '../../src/api/http/app.ts'
import type { Topic } from '../../src/events/topic.ts'
import type { Codec } from '../../src/ports/log.ts'
import { ForbiddenAddress, type Outbound } from '../../src/ports/http.ts'
import { A_DAY } from './articles.ts'

/** In place of the guard: takes every address but those of this machine, `.internal` names and plain HTTP. */
export const anOutbound = (): Pick<Outbound, 'check'> => ({
  check: async (url) => {
    const allowed = /^https:\/\/(?!127\.|localhost|[^/]*\.internal)/.test(url)
    await (allowed ? Promise.resolve() : Promise.reject(new ForbiddenAddress(`${url} is at 127.0.0.1`)))
  },
})

export const aWebhook = (over: Partial<WebhookChanged> = {}): WebhookChanged => ({
  webhook_id: 'whk_a',
  namespace: 'shared',
  owner: 'key_a',
  key_id: 'key_a',
  url: 'https://example.com/hooks',
  events: ['trend.detected'],
  ...NO_WEBHOOK_FILTERS,
  description: null,
  status: 'active',
  disabled_reason: null,
  secrets: [{ sealed: Buffer.from([1, 2, 3]), expires_at: null }],
  created_at: A_DAY,
  updated_at: A_DAY,
  ...over,
})

/** A delivery that is planned. */
export const aDelivery = (over: Partial<WebhookDelivered> = {}): WebhookDelivered => {
  const { delivery_id = 'dlv_a', attempt = 0, outcome = 'planned', change_id = 'evt_change' } = over
  return {
    event_id: `evt_${over.namespace ?? ''}_${delivery_id}_${attempt}_${outcome}`,
    namespace: 'shared',
    occurred_at: A_DAY,
    caused_by: { topic: 'changes.published', partition: 0, offset: 7 },
    produced_by: { stage: 'delivered', version: '1' },
    webhook_id: 'whk_a',
    delivery_id,
    change_id,
    type: 'trend.detected',
    attempt,
    outcome,
    status_code: null,
    error: null,
    duration_ms: 0,
    next_attempt_at: A_DAY,
    payload: `{"type":"trend.detected","timestamp":"2016-05-03T12:00:00.000Z","data":{"id":"${change_id}"}}`,
    ...over,
  }
}

export interface WebhookAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly text: string
}

interface WebhookRequest {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export type WebhooksAsk = (method: string, path: string, key: string, sent?: WebhookRequest) => Promise<WebhookAnswer>

/** Asks an API about webhooks; `path` after `/v1/webhooks`. */
export const asker =
  ({ app }: { readonly app: Pick<AppApi, 'request'> }): WebhooksAsk =>
  async (method, path, key, { body, headers } = {}) => {
    const response = await app.request(`/v1/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>, text }
  }

/** What the log of a test has of a topic, the oldest first; null: a tombstone. */
export const logged = <Event>(
  { log, codec }: { readonly log: MemoryLog; readonly codec: Codec },
  topic: Topic<Event>,
): Promise<readonly (Event | null)[]> =>
  Promise.all(
    log.records(topic.name).map(async ({ value }) => {
      if (value === null) return null
      const found = await codec.decode(topic, value)
      if (found.kind === 'malformed') throw new Error(found.reason)
      return found.event
    }),
  )

/** As every answer but that of creation and rotation shows an endpoint. */
export const withoutSecret = (body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'secret'))

/** What is asked for where a test says nothing else. */
export const A_WISH = { url: 'https://example.com/hooks', events: ['trend.detected', 'entity.spike'] }

/** The filters of an endpoint that was given none. */
export const NO_FILTERS = { ...NO_WEBHOOK_FILTERS }
