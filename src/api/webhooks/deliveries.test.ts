import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { A_NOON, A_SECRET, anApi, type TestApi } from '../../../test/builders/api.ts'
import {
  A_WISH,
  aWebhook,
  asker,
  logged,
  withoutSecret,
  type WebhooksAsk,
  type WebhookAnswer,
  NO_FILTERS,
} from '../../../test/builders/webhooks.ts'
import { webhooksChanged, webhooksDelivered, type WebhookChanged } from '../../events/webhooks.ts'
import { sealing } from '../../state/settings/secrets.ts'

let api: TestApi
let key: string
let made: WebhookAnswer
let path: string
beforeEach(async () => {
  api = await anApi()
  key = await api.key()
  made = await ask('POST', '', key, { body: A_WISH })
  path = `/${String(made.body['id'])}`
})
afterEach(() => api.stop())

const ask: WebhooksAsk = (...calls) => asker(api)(...calls)
const patch = (body: object) => ask('PATCH', path, key, { body })
const changes = () => logged(api, webhooksChanged)
const deliveries = () => logged(api, webhooksDelivered)
const { unseal } = sealing(A_SECRET, 'webhooks')

/** Disables the endpoint as the dispatcher does when it answers 410. */
async function disabled(reason: string): Promise<void> {
  const last = (await changes()).at(-1) ?? aWebhook()
  const event: WebhookChanged = { ...last, status: 'disabled', disabled_reason: reason }
  const value = await api.codec.encode(webhooksChanged, event)
  await api.log.produce([{ topic: webhooksChanged.name, key: event.webhook_id, value }])
}

describe('changing an endpoint', () => {
  it.each([
    [{ url: 'https://example.org/other' }, { url: 'https://example.org/other' }],
    [{ events: ['cluster.opened'] }, { events: ['cluster.opened'] }],
    [{ filters: { min_velocity: 3 } }, { filters: { ...NO_FILTERS, min_velocity: 3 } }],
    [{ description: 'mine' }, { description: 'mine' }],
    [{ description: null }, { description: null }],
    [{ status: 'disabled' }, { status: 'disabled', disabled_reason: 'by_owner' }],
    [{}, {}],
  ])('%j leaves the rest as it is', async (body, becomes) => {
    await api.clock.advance(60_000)
    const before = withoutSecret(made.body)
    const { status, body: after } = await patch(body)

    expect(status).toBe(200)
    expect(after).toEqual({ ...before, ...becomes, updated_at: '2016-05-03T12:01:01.000Z' })
    expect((await ask('GET', path, key)).body).toEqual(after)
    expect((await changes()).at(-1)?.secrets).toEqual((await changes())[0]?.secrets)
  })

  it('filters take the place of all there were', async () => {
    await patch({ filters: { entity_ids: ['ent_k3v7qhd2mzxw5ayp'], min_velocity: 3 } })

    expect((await patch({ filters: {} })).body['filters']).toEqual(NO_FILTERS)
  })

  it.each(['gone', 'failing', 'by_owner'])('active again clears the reason it was disabled for: %s', async (reason) => {
    await disabled(reason)
    const off = await ask('GET', path, key)
    const still = await patch({ status: 'disabled' })
    const on = await patch({ status: 'active' })

    expect([off.body, still.body]).toMatchObject([{ disabled_reason: reason }, { disabled_reason: reason }])
    expect(on.body).toMatchObject({ status: 'active', disabled_reason: null })
  })

  it.each([
    [{ url: 'https://localhost/x' }, 'url_not_allowed'],
    [{ url: 'no address' }, 'validation_failed'],
    [{ events: [] }, 'validation_failed'],
    [{ status: 'paused' }, 'validation_failed'],
    [{ filters: { min: 3 } }, 'validation_failed'],
  ])('to %j: 422, and nothing is changed', async (body, code) => {
    expect(await patch(body)).toMatchObject({ status: 422, body: { code } })
    expect(await changes()).toHaveLength(1)
  })

  it('active again is looked at as if it were new: the address may have been moved; and the tier always', async () => {
    const checked: string[] = []
    const outbound = { check: (url: string) => Promise.resolve(void checked.push(url)) }
    const watched = await anApi({ outbound })
    const [high, low] = [
      await watched.key({ namespace: 'acme', tier: 'enterprise' }),
      await watched.key({ namespace: 'acme' }),
    ]
    const post = await asker(watched)('POST', '', high, { body: { ...A_WISH, events: ['story.enriched'] } })
    const change = async (by: string, body: object) =>
      (await asker(watched)('PATCH', `/${String(post.body['id'])}`, by, { body })).status

    const steps = [
      await change(high, { status: 'disabled' }),
      await change(low, { description: 'no longer' }),
      await change(low, { status: 'active' }),
      await change(high, { status: 'active' }),
      await change(low, { events: ['trend.detected'] }), // the events that `low` sets are within its own tier
    ]

    expect(steps).toEqual([200, 403, 403, 200, 200])
    expect(checked).toEqual([A_WISH.url, A_WISH.url])
    await watched.stop()
  })

  it('of an endpoint that asks for more than the tier includes, no key of a lower one: it is read and deleted alone', async () => {
    const [high, low] = [await api.key({ namespace: 'acme', tier: 'enterprise' }), await api.key({ namespace: 'acme' })]
    const { body } = await ask('POST', '', high, { body: { ...A_WISH, events: ['story.enriched'] } })
    const at = `/${String(body['id'])}`
    const before = await changes()
    api.store.rows.set('webhooks.message', [{ change_id: 'evt_a', type: 'trend.detected', payload: '{}' }])

    const refused = [
      await ask('PATCH', at, low, { body: { url: 'https://example.org/mine' } }),
      await ask('POST', `${at}/rotate`, low),
      await ask('POST', `${at}/test`, low),
      await ask('POST', `${at}/deliveries/dlv_a/redeliver`, low),
    ]
    expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(
      refused.map(() => [403, 'tier_restricted']),
    )
    expect([await changes(), await deliveries()]).toEqual([before, []])
    const allowed = [await ask('GET', '', low), await ask('GET', at, low), await ask('DELETE', at, low)]
    expect(allowed.map(({ status }) => status)).toEqual([200, 200, 204])
  })

  it.each([
    ['PATCH', '', { filter: {} }, 'filter'],
    ['PATCH', '', { secret: 'x' }, 'secret'],
    ['POST', '/rotate', { overlap: 0 }, 'overlap'],
  ])('%s%s %j: 422 that names what it does not know', async (method, at, body, field) => {
    const { status, text } = await ask(method, `${path}${at}`, key, { body })

    expect([status, text]).toEqual([422, expect.stringContaining(`\\"${field}\\"`)])
    expect(await changes()).toHaveLength(1)
  })

  it('two changes at once are both there', async () => {
    await Promise.all([
      patch({ description: 'one' }),
      patch({ status: 'disabled' }),
      ask('POST', `${path}/rotate`, key),
    ])

    const last = (await changes()).at(-1)
    expect(last).toMatchObject({ description: 'one', status: 'disabled' })
    expect(last?.secrets).toHaveLength(2)
  })

  it('deleted, it is a tombstone in the log and gone for everybody', async () => {
    const answer = await ask('DELETE', path, key)

    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await changes()).at(-1)).toBeNull()
    expect((await ask('DELETE', path, key)).status).toBe(404)
    expect((await ask('GET', '', key)).body).toEqual({ webhooks: [] })
  })
})

describe('rotating a secret', () => {
  const rotate = (body?: object) => ask('POST', `${path}/rotate`, key, body === undefined ? {} : { body })
  const secrets = async () => {
    const last = (await changes()).at(-1)
    const id = last?.webhook_id ?? ''
    return last?.secrets.map(({ sealed, expires_at }) => [unseal(sealed, id), expires_at])
  }
  const NOW = A_NOON + 1_000
  const DAY_MS = 86_400_000

  it('answers with the new one; the old one signs beside it for a day', async () => {
    const { status, body } = await rotate()

    expect(status).toBe(200)
    expect(body).toMatchObject({ id: made.body['id'], secret: expect.stringMatching(/^whsec_.{32}$/) as string })
    expect(body['secret']).not.toBe(made.body['secret'])
    expect(await secrets()).toEqual([
      [body['secret'], null],
      [made.body['secret'], NOW + DAY_MS],
    ])
  })

  it('ends the old ones when they would have ended, or with the overlap', async () => {
    const { body: second } = await rotate({ overlap_seconds: 100 })
    const { body: third } = await rotate({ overlap_seconds: 3_600 })

    expect(await secrets()).toEqual([
      [third['secret'], null],
      [second['secret'], NOW + 3_600_000],
      [made.body['secret'], NOW + 100_000],
    ])

    await api.clock.advance(101_000)
    const { body: fourth } = await rotate({ overlap_seconds: 0 })

    expect(await secrets()).toEqual([[fourth['secret'], null]])
  })

  it('answers with no secret that is not in the log, though the endpoint is written over meanwhile', async () => {
    const before = (await changes()).at(-1) ?? aWebhook()
    const value = await api.codec.encode(webhooksChanged, { ...before, status: 'disabled', disabled_reason: 'gone' })
    const produce = api.log.produce.bind(api.log)
    let done = false
    api.log.produce = async (records) => {
      const at = await produce(records)
      if (!done) await produce([{ topic: webhooksChanged.name, key: before.webhook_id, value }])
      done = true
      return at
    }
    const { body } = await rotate()

    expect((await changes()).at(-1)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    expect((await secrets())?.map(([secret]) => secret)).toEqual([body['secret'], made.body['secret']])
  })

  it('keeps few, however often it is done', async () => {
    for (let i = 0; i < 8; i++) await rotate()

    expect(await secrets()).toHaveLength(5)
  })

  it.each([-1, 604_801, 1.5, '60'])('takes no overlap of %j seconds', async (overlap_seconds) => {
    expect(await rotate({ overlap_seconds })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'overlap_seconds' }] },
    })
    expect(await changes()).toHaveLength(1)
  })
})

describe('a test', () => {
  it('is a planned delivery in the log, to be attempted at once', async () => {
    const { status, body } = await ask('POST', `${path}/test`, key)

    const [event, ...others] = await deliveries()
    expect([status, others]).toEqual([202, []])
    expect(body).toEqual({ delivery_id: expect.stringMatching(/^dlv_[a-z2-7]{26}$/) as string })
    expect(event).toMatchObject({
      ...{ ...body, webhook_id: made.body['id'], namespace: 'shared', type: 'webhook.test', attempt: 0 },
      ...{ outcome: 'planned', next_attempt_at: A_NOON + 1_000, occurred_at: A_NOON + 1_000 },
    })
    expect(JSON.parse(event?.payload ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: '2016-05-03T12:00:01.000Z',
      data: { webhook_id: made.body['id'] },
    })
    expect(event?.change_id).toMatch(/^evt_[a-z2-7]{26}$/)
  })

  it('of a disabled endpoint is refused with the reason', async () => {
    await disabled('gone')
    const answer = await ask('POST', `${path}/test`, key)

    expect(answer).toMatchObject({ status: 422, body: { code: 'webhook_disabled' } })
    expect(answer.text).toContain('gone')
    expect(await deliveries()).toEqual([])
  })
})

describe('a delivery', () => {
  const row = (id: string, over: object = {}) => ({
    ...{
      id,
      webhook_id: made.body['id'],
      event_id: 'evt_a',
      type: 'trend.detected',
      outcome: 'delivered',
      attempts: 2,
    },
    ...{ last_status_code: 204, last_error: null, last_duration_ms: 80, created_at: '2016-05-03T12:00:00.000Z' },
    ...{ last_attempt_at: '2016-05-03T12:00:05.000Z', next_attempt_at: null },
    ...over,
  })
  const message = { change_id: 'evt_a', type: 'trend.detected', payload: '{"type":"trend.detected"}' }

  it('is listed with its newest state, page by page', async () => {
    const calls: unknown[] = []
    api.store.rows.set('webhooks.deliveries', (params) => {
      calls.push(params)
      return calls.length === 1 ? [row('dlv_c', { outcome: 'planned' }), row('dlv_b'), row('dlv_a')] : [row('dlv_a')]
    })

    const { body } = await ask('GET', `${path}/deliveries?limit=2&status=pending`, key)
    const cursor = String(body['next_cursor'])
    const last = await ask('GET', `${path}/deliveries?limit=2&status=pending&cursor=${cursor}`, key)

    const shown = Object.fromEntries(Object.entries(row('dlv_c')).filter(([name]) => name !== 'outcome'))
    expect(body['deliveries']).toEqual([{ ...shown, status: 'pending' }, expect.objectContaining({ id: 'dlv_b' })])
    expect(last.body).toMatchObject({ deliveries: [{ id: 'dlv_a', status: 'delivered' }], next_cursor: null })
    expect(calls).toMatchObject([
      { namespace: 'shared', webhook_id: made.body['id'], outcome: 'planned', limit: 3 },
      { before: '2016-05-03 12:00:00.000', before_id: 'dlv_b' },
    ])
    const elsewhere = await ask('GET', `${path}/deliveries?cursor=${cursor}`, key)
    expect(elsewhere).toMatchObject({ status: 422, body: { errors: [{ path: 'cursor' }] } })
  })

  it.each(['status=planned', 'limit=0', 'limit=201', 'cursor=x'])('is not listed by %s', async (query) => {
    const { status, body } = await ask('GET', `${path}/deliveries?${query}`, key)

    expect(status).toBe(422)
    expect(body).toMatchObject({ errors: [{ path: query.split('=')[0] }] })
  })

  it('is shown with everything that became of it', async () => {
    const attempt = { at: '2016-05-03T12:00:05.000Z', status_code: 500, error: 'http_status', next_attempt_at: null }
    api.store.rows.set('webhooks.deliveries', () => [row('dlv_a')])
    api.store.rows.set('webhooks.history', () => [
      { ...attempt, attempt: 0, outcome: 'planned', duration_ms: 0 },
      { ...attempt, attempt: 1, outcome: 'failed', duration_ms: 12 },
    ])

    const { status, body } = await ask('GET', `${path}/deliveries/dlv_a`, key)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: 'dlv_a', status: 'delivered', attempts: 2 },
      history: [
        { attempt: 0, status: 'pending', duration_ms: null },
        { attempt: 1, status: 'failed', duration_ms: 12, status_code: 500, error: 'http_status' },
      ],
    })
  })

  it('asked for again is another one with the same body and the same id of the change', async () => {
    api.store.rows.set('webhooks.message', [message])
    const again = await ask('POST', `${path}/deliveries/dlv_a/redeliver`, key)

    const [event] = await deliveries()
    expect(again.status).toBe(202)
    expect(again.body).toEqual({ delivery_id: event?.delivery_id })
    expect(event).toMatchObject({ ...message, outcome: 'planned', attempt: 0, webhook_id: made.body['id'] })
    expect(event?.delivery_id).not.toBe('dlv_a')
  })

  it('that nobody has any more: 404', async () => {
    for (const name of ['webhooks.deliveries', 'webhooks.history', 'webhooks.message']) api.store.rows.set(name, [])

    const answers = [
      await ask('GET', `${path}/deliveries/dlv_a`, key),
      await ask('POST', `${path}/deliveries/dlv_a/redeliver`, key),
    ]

    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [404, 'delivery_not_found'],
      [404, 'delivery_not_found'],
    ])
    expect(await deliveries()).toEqual([])
  })

  it('is not sent again to a disabled endpoint, nor what the tier does not include', async () => {
    api.store.rows.set('webhooks.message', [{ ...message, type: 'story.enriched' }])
    const beyond = await ask('POST', `${path}/deliveries/dlv_a/redeliver`, key)
    api.store.rows.set('webhooks.message', [message])
    await disabled('by_owner')
    const off = await ask('POST', `${path}/deliveries/dlv_a/redeliver`, key)

    expect([beyond, off]).toMatchObject([
      { status: 403, body: { code: 'tier_restricted' } },
      { status: 422, body: { code: 'webhook_disabled' } },
    ])
    expect(await deliveries()).toEqual([])
  })
})
