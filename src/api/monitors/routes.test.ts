import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { A_NOON, A_SECRET, anApi, type TestApi } from '../../../test/builders/api.ts'
import { logged } from '../../../test/builders/webhooks.ts'
import { projectPath } from '../../config/project-path.ts'
import { monitorsChanged } from '../../events/monitors.ts'
import { webhooksDelivered } from '../../events/webhooks.ts'
import { channelLinks } from '../../state/settings/channel-links.ts'
import { sealing } from '../../state/settings/secrets.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(() => api.stop())

const A_MONITOR = { name: 'Rates', conditions: { query: '"interest rate" -crypto' } }
const SLACK = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/very-secret' }
const EMAIL = { type: 'email', address: 'desk@example.com' }

interface MonitorReply {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly text: string
}

interface MonitorRequest {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly to?: TestApi
}

/** Requests `/v1/monitors` and what is below. */
async function ask(
  method: string,
  path: string,
  key: string | null,
  { body, headers = {}, to = api }: MonitorRequest = {},
): Promise<MonitorReply> {
  const auth = key === null ? {} : { authorization: `Bearer ${key}` }
  const response = await to.app.request(`/v1/monitors${path}`, {
    method,
    headers: { ...auth, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}

const create = (key: string, over: object = {}, request: MonitorRequest = {}): Promise<MonitorReply> =>
  ask('POST', '', key, { body: { ...A_MONITOR, ...over }, ...request })
const idOf = ({ body }: MonitorReply): string => String(body['id'])
const channelsOf = ({ body }: MonitorReply) => body['channels'] as readonly Record<string, unknown>[]
const listed = async (key: string): Promise<readonly string[]> =>
  ((await ask('GET', '', key)).body['monitors'] as { id: string }[]).map(({ id }) => id)
const states = () => logged(api, monitorsChanged)
const messages = () => logged(api, webhooksDelivered)
/** The conditions that a request was understood to have. */
const conditionsOf = async (conditions: object): Promise<unknown> =>
  (await create(await api.key(), { conditions })).body['conditions']

describe('a monitor', () => {
  it('is returned as it was created, with defaults, when the log has it', async () => {
    const made = await create(await api.key(), { quiet_hours: { start: '22:00', end: '07:00' } })

    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^mon_[a-z2-7]{16}$/) as string,
        name: 'Rates',
        conditions: { query: '"interest rate" -crypto', entity_ids: [], min_origins: null },
        ...{ conditions_version: 1, quiet_hours: { start: '22:00', end: '07:00' }, digest_at: null },
        ...{ time_zone: 'UTC', max_per_day: 50, channels: [], has_feed: false, status: 'active' },
        created_at: '2016-05-03T12:00:01.000Z',
      },
    })
    const [event] = await states()
    expect(event).toMatchObject({ monitor_id: idOf(made), namespace: 'shared', feed_token_hash: null })
    expect(event?.owner).toBe(event?.key_id)
  })

  it('is created by the request of docs/monitors.md', async () => {
    const text = readFileSync(projectPath('docs/monitors.md'), 'utf8')
    const body = JSON.parse(/-d '([^']+)'/.exec(text)?.[1] ?? '') as unknown

    expect(await ask('POST', '', await api.key(), { body })).toMatchObject({
      status: 201,
      body: { name: 'Interest rates' },
    })
  })

  it('has its values in one form', async () => {
    const given = { entity_names: [' Ada Lovelace ', 'ada lovelace'], places: ['de', 'FR'], sources: ['WWW.Times.com'] }

    expect(await conditionsOf(given)).toMatchObject({
      ...{ entity_names: ['ada lovelace'], places: ['DE', 'FR'], sources: ['times.com'], query: '' },
    })
  })

  it('raises the version of its conditions only if they change', async () => {
    const key = await api.key()
    const id = idOf(await create(key, { conditions: { places: ['DE', 'FR'] } }))
    const patch = (body: object) => ask('PATCH', `/${id}`, key, { body })
    const versions = [
      await patch({ name: 'Others', max_per_day: 3 }),
      await patch({ conditions: { places: ['FR', 'DE'] } }),
      await patch({ conditions: { places: ['FR'] } }),
      await patch({ status: 'paused', quiet_hours: null }),
    ].map(({ body }) => body['conditions_version'])

    expect(versions).toEqual([1, 1, 2, 2])
    expect((await ask('GET', `/${id}`, key)).body).toMatchObject({ name: 'Others', status: 'paused', max_per_day: 3 })
  })

  it('is listed by pages, the oldest first', async () => {
    const key = await api.key()
    const ids = [idOf(await create(key))]
    await api.clock.advance(5)
    ids.push(idOf(await create(key)))
    const first = await ask('GET', '?limit=1', key)
    const second = await ask('GET', `?limit=1&cursor=${String(first.body['next_cursor'])}`, key)

    expect(await listed(key)).toEqual(ids)
    expect([first, second].map(({ body }) => (body['monitors'] as { id: string }[]).map(({ id }) => id))).toEqual([
      [ids[0]],
      [ids[1]],
    ])
    expect(second.body['next_cursor']).toBeNull()
  })

  it('is deleted with a record that has nothing secret, and is invisible then', async () => {
    const key = await api.key()
    const made = await create(key, { channels: [SLACK] })
    const id = idOf(made)
    await ask('POST', `/${id}/feed-token`, key)
    const deleted = await ask('DELETE', `/${id}`, key)

    expect(deleted.status).toBe(204)
    expect((await states()).at(-1)).toMatchObject({ status: 'deleted', channels: [], feed_token_hash: null })
    expect(await listed(key)).toEqual([])
    const again = [await ask('GET', `/${id}`, key), await ask('DELETE', `/${id}`, key)]
    again.push(await ask('PATCH', `/${id}`, key, { body: { name: 'x' } }), await ask('GET', `/${id}/matches`, key))
    expect(again.map(({ status, body }) => [status, body['code']])).toEqual(again.map(() => [404, 'monitor_not_found']))
  })

  it('is created once per Idempotency-Key', async () => {
    const key = await api.key()
    const headers = { 'idempotency-key': 'one' }
    const [first, second] = [
      await create(key, { channels: [EMAIL] }, { headers }),
      await create(key, { channels: [EMAIL] }, { headers }),
    ]
    const other = await create(key, { name: 'Other' }, { headers })

    expect(second.body).toEqual(first.body)
    expect([await states(), await messages()].map(({ length }) => length)).toEqual([1, 1])
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
})

describe('what may not be created', () => {
  it.each([
    ['no conditions', { conditions: {} }, 'conditions'],
    ['conditions that are all empty', { conditions: { query: ' ', places: [] } }, 'conditions'],
    ['only excluded words', { conditions: { query: '-a -"b c"' } }, 'conditions.query'],
    ['21 words', { conditions: { query: 'a '.repeat(21) } }, 'conditions.query'],
    ['an open quotation', { conditions: { query: 'a "b' } }, 'conditions.query'],
    ['a term without letters', { conditions: { query: 'a --' } }, 'conditions.query'],
    ['a long query', { conditions: { query: 'a'.repeat(201) } }, 'conditions.query'],
    ['an unknown country', { conditions: { places: ['XQ'] } }, 'conditions.places[0]'],
    ['an unknown category', { conditions: { categories: ['sports'] } }, 'conditions.categories[0]'],
    ['a long language', { conditions: { languages: ['deu'] } }, 'conditions.languages[0]'],
    ['no sources', { conditions: { min_origins: 0 } }, 'conditions.min_origins'],
    ['crossed sentiments', { conditions: { min_sentiment: 0.5, max_sentiment: 0 } }, 'conditions.min_sentiment'],
    ['a misspelt condition', { conditions: { query: 'a', place: ['DE'] } }, 'conditions'],
    ['an hour that does not exist', { digest_at: '24:00' }, 'digest_at'],
    ['quiet hours without a span', { quiet_hours: { start: '07:00', end: '07:00' } }, 'quiet_hours.end'],
    ['an unknown time zone', { time_zone: 'Europe/Atlantis' }, 'time_zone'],
    ['an offset as time zone', { time_zone: '+02:00' }, 'time_zone'],
    ['1,001 messages a day', { max_per_day: 1_001 }, 'max_per_day'],
    ['no address', { channels: [{ type: 'email', address: 'desk' }] }, 'channels[0].address'],
    ['six channels', { channels: Array.from({ length: 6 }, () => SLACK) }, 'channels'],
    ['a channel of another type', { channels: [{ type: 'sms', url: SLACK.url }] }, 'channels[0].type'],
    ['no name', { name: ' ' }, 'name'],
  ])('%s: 422 that names the field', async (_, over, path) => {
    const { status, body } = await create(await api.key(), over)

    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } })
    expect(await states()).toEqual([])
  })

  it('a channel at a private address: 422 url_not_allowed', async () => {
    const channels = [SLACK, { type: 'teams', url: 'https://127.0.0.1/hooks' }]

    expect(await create(await api.key(), { channels })).toMatchObject({
      status: 422,
      body: { code: 'url_not_allowed', errors: [{ path: 'channels[1].url' }] },
    })
  })

  it('an e-mail channel of a service that sends no e-mails: 422 email_not_configured', async () => {
    const silent = await anApi({ sendsEmail: false })
    const refused = await create(await silent.key(), { channels: [EMAIL] }, { to: silent })
    await silent.stop()

    expect(refused).toMatchObject({ status: 422, body: { code: 'email_not_configured' } })
  })

  it('more monitors than the tier of the key allows, until one is deleted', async () => {
    const [one, other] = [await api.key({ namespace: 'acme' }), await api.key({ namespace: 'acme' })]
    const made = await Promise.all(Array.from({ length: 11 }, () => create(one)))
    const full = made.filter(({ status }) => status !== 201)
    const elsewhere = await create(other)
    const [first] = made
    await ask('DELETE', `/${first === undefined ? '' : idOf(first)}`, other)

    expect(full).toMatchObject([{ status: 422, body: { code: 'monitor_limit_reached' } }])
    expect(String(full[0]?.body['detail'])).toContain('the limit of a starter key is 10')
    expect([elsewhere.status, (await create(one)).status]).toEqual([201, 201])
  })

  it('more monitors by rotating the key', async () => {
    const first = await api.key({ namespace: 'acme', key_id: 'key_first' })
    await Promise.all(Array.from({ length: 9 }, () => create(first)))
    const second = await api.key({ namespace: 'acme', key_id: 'key_second', owner: 'key_first' })
    const third = await api.key({ namespace: 'acme', key_id: 'key_third', owner: 'key_first' })

    expect([(await create(second)).status, (await create(third)).body['code']]).toEqual([201, 'monitor_limit_reached'])
    expect((await states()).every((monitor) => monitor?.key_id === 'key_first')).toBe(true)
  })

  it('more than its namespace may have, whichever key is used; other namespaces are not affected', async () => {
    const to = await anApi({ monitorsPerNamespace: 2 })
    const [one, other] = [await to.key(), await to.key()]
    const first = await create(one, {}, { to })
    await create(other, {}, { to })

    const third = await create(await to.key(), {}, { to })
    const elsewhere = await create(await to.key({ namespace: 'acme' }), {}, { to })
    await ask('DELETE', `/${idOf(first)}`, one, { to })
    const afterDeletion = await create(other, {}, { to })
    await to.stop()

    expect(third).toMatchObject({ status: 422, body: { code: 'monitor_limit_reached' } })
    expect(String(third.body['detail'])).toContain('namespace shared has the 2 monitors it may have')
    expect([elsewhere.status, afterDeletion.status]).toEqual([201, 201])
  })

  it('without the scope write: 403', async () => {
    expect(await create(await api.key({ scopes: ['read'] }))).toMatchObject({ body: { code: 'scope_missing' } })
  })
})

describe('who sees a monitor', () => {
  it('in the shared namespace its owner, in a private one every key', async () => {
    const [mine, theirs] = [await api.key(), await api.key()]
    const [one, other] = [await api.key({ namespace: 'acme' }), await api.key({ namespace: 'acme' })]
    const [shared, home] = [idOf(await create(mine)), idOf(await create(one))]

    expect(await listed(theirs)).toEqual([])
    expect((await ask('GET', `/${shared}`, theirs)).body['code']).toBe('monitor_not_found')
    expect((await ask('DELETE', `/${shared}`, theirs)).status).toBe(404)
    expect(await listed(other)).toEqual([home])
    expect((await ask('GET', `/${shared}`, one)).status).toBe(404)
  })
})

describe('channels', () => {
  const { unseal } = sealing(A_SECRET, 'monitors')
  const links = channelLinks(A_SECRET)

  it('have their target in the log encrypted, for this channel alone, and nowhere else', async () => {
    const key = await api.key()
    const made = await create(key, { channels: [SLACK, EMAIL] })
    const shown = [made, await ask('GET', `/${idOf(made)}`, key), await ask('GET', '', key)]

    const channels = (await states())[0]?.channels ?? []
    expect(channels.map(({ sealed_target, channel_id }) => unseal(sealed_target, channel_id))).toEqual([
      SLACK.url,
      EMAIL.address,
    ])
    expect(channelsOf(made)).toMatchObject([
      { type: 'slack', hint: 'hooks.slack.com', status: 'active' },
      { type: 'email', hint: 'd…@example.com', status: 'unconfirmed' },
    ])
    const records = api.log.records(monitorsChanged.name).map(({ value }) => value?.toString('latin1') ?? '')
    for (const text of [...records, ...shown.map((one) => one.text), JSON.stringify(api.lines)]) {
      expect(text).not.toMatch(/very-secret|desk@/)
    }
  })

  it('are added and removed, at most five', async () => {
    const key = await api.key()
    const id = idOf(await create(key))
    const added = await Promise.all(
      Array.from({ length: 6 }, () => ask('POST', `/${id}/channels`, key, { body: SLACK })),
    )
    const refused = added.find(({ status }) => status !== 201)
    const [first] = channelsOf(await ask('GET', `/${id}`, key))
    const path = `/${id}/channels/${String(first?.['id'])}`

    expect(refused).toMatchObject({ status: 422, body: { code: 'channel_limit_reached' } })
    expect((await ask('DELETE', path, key)).status).toBe(204)
    expect((await ask('DELETE', path, key)).body['code']).toBe('channel_not_found')
    expect(channelsOf(await ask('GET', `/${id}`, key))).toHaveLength(4)
  })

  it('of an e-mail address send one message with a link, and are confirmed by the button of its page', async () => {
    const key = await api.key()
    const made = await create(key, { name: 'Buy gold', channels: [EMAIL] })
    const [message] = await messages()
    const { text, ...rest } = JSON.parse(message?.payload ?? '{}') as Record<string, string>
    const link = /https:\/\/news\.example\.com(\S+)/.exec(text ?? '')?.[1] ?? ''
    const path = link.replace('/v1/monitors', '')
    const page = await ask('GET', path, null)
    const before = channelsOf(await ask('GET', `/${idOf(made)}`, key))
    const confirmed = await ask('POST', path, null, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect(message).toMatchObject({
      ...{ type: 'channel.confirmation', outcome: 'planned', webhook_id: channelsOf(made)[0]?.['id'] },
      namespace: 'shared',
    })
    expect(rest).toMatchObject({ html: null, list_unsubscribe: null })
    expect(message?.payload).not.toContain('Buy gold')
    expect([page.status, before[0]?.['status']]).toEqual([200, 'unconfirmed'])
    expect(page.text).toContain('<form method="post">')
    expect(confirmed.status).toBe(200)
    expect(channelsOf(await ask('GET', `/${idOf(made)}`, key))[0]).toMatchObject({ status: 'active' })
    const token = link.split('token=')[1] ?? 'none'
    expect(JSON.stringify(api.lines)).not.toContain(token)
    expect((await ask('POST', path.replace(/token=..../, 'token=aaaa'), null)).status).toBe(404)
  })

  it('are unsubscribed by a one-click POST, not by opening the link, and are not enabled again', async () => {
    const key = await api.key()
    const made = await create(key, { channels: [EMAIL] })
    const ids = { monitor_id: idOf(made), channel_id: String(channelsOf(made)[0]?.['id']) }
    const path = `/${ids.monitor_id}/channels/${ids.channel_id}`
    const status = async () => channelsOf(await ask('GET', `/${ids.monitor_id}`, key))[0]
    await ask('POST', `${path}/confirm?token=${links.token('confirm', ids)}`, null)
    const link = `${path}/unsubscribe?token=${links.token('unsubscribe', ids)}`
    expect((await ask('GET', link, null)).text).toContain('Unsubscribe')
    expect(await status()).toMatchObject({ status: 'active' })
    const writes = api.log.records(monitorsChanged.name).length

    const twice = [await ask('POST', link, null), await ask('POST', link, null)]
    expect(twice.map((one) => one.status)).toEqual([200, 200])
    expect(await status()).toMatchObject({ status: 'disabled', disabled_reason: 'unsubscribed' })
    expect(api.log.records(monitorsChanged.name)).toHaveLength(writes + 1)

    await api.clock.advance(2 * 86_400_000)
    expect(await ask('PATCH', path, key, { body: { status: 'active' } })).toMatchObject({
      status: 422,
      body: { code: 'channel_unsubscribed' },
    })
    expect(await status()).toMatchObject({ status: 'disabled', disabled_reason: 'unsubscribed' })
    expect(await messages()).toHaveLength(1)
    expect((await ask('POST', `${path}/unsubscribe?token=${links.token('confirm', ids)}`, null)).status).toBe(404)
  })

  it('ask an address that is not confirmed again at most once in 24 hours', async () => {
    const key = await api.key()
    const made = await create(key, { channels: [EMAIL] })
    const path = `/${idOf(made)}/channels/${String(channelsOf(made)[0]?.['id'])}`
    const again = async () => (await ask('PATCH', path, key, { body: { status: 'active' } })).status
    const early = [await again()]
    await api.clock.advance(86_400_000)
    const statuses = [...early, ...(await Promise.all([again(), again()]))]
    await api.clock.advance(86_399_000)
    statuses.push(await again())
    await api.clock.advance(1_000)
    statuses.push(await again())

    expect(statuses).toEqual([429, 200, 429, 429, 200])
    expect(await messages()).toHaveLength(3)
  })

  it('are not enabled if their reader unsubscribes at the same moment', async () => {
    const key = await api.key()
    const made = await create(key, { channels: [EMAIL] })
    const ids = { monitor_id: idOf(made), channel_id: String(channelsOf(made)[0]?.['id']) }
    const path = `/${ids.monitor_id}/channels/${ids.channel_id}`
    await api.clock.advance(86_400_000)
    const unsubscribe = `${path}/unsubscribe?token=${links.token('unsubscribe', ids)}`
    const [left, enabled] = await Promise.all([
      ask('POST', unsubscribe, null),
      ask('PATCH', path, key, { body: { status: 'active' } }),
    ])

    expect([left.status, enabled.body['code']]).toEqual([200, 'channel_unsubscribed'])
    expect(channelsOf(await ask('GET', `/${ids.monitor_id}`, key))[0]).toMatchObject({
      disabled_reason: 'unsubscribed',
    })
    expect(await messages()).toHaveLength(1)
  })

  it('ask at most 20 addresses for confirmation in a day', async () => {
    const key = await api.key({ tier: 'professional' })
    const channels = Array.from({ length: 5 }, () => EMAIL)
    const made = [1, 2, 3, 4, 5].map(() => create(key, { channels }))

    expect((await Promise.all(made)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 429])
    await api.clock.advance(86_400_000)
    expect((await create(key, { channels })).status).toBe(201)
  })
})

describe('matches', () => {
  const ROW = {
    ...{
      id: 'evt_b',
      story_id: 'sto_b',
      title: 'Rates <rise> & "fall"\u0000',
      url: 'https://times.example.com/a?b=1&c=2',
    },
    ...{ source: 'The Times', article_ids: ['art_b'], article_count: 2, origin_count: 1, lifecycle_state: 'breaking' },
    ...{ velocity: 2.04, sentiment_score: -0.25, conditions_version: 1, matched_at: '2016-05-03T11:00:00.000Z' },
  }
  const OLDER = { ...ROW, id: 'evt_a', title: null, url: 'javascript:alert(1)', matched_at: '2016-05-03T10:00:00.000Z' }

  beforeEach(() => {
    api.store.rows.set('monitors.matches', ({ before, limit }) =>
      [ROW, OLDER].filter(({ matched_at }) => matched_at.replace('T', ' ') < String(before)).slice(0, Number(limit)),
    )
  })

  it('are listed by pages, the newest first, also as CSV', async () => {
    const key = await api.key()
    const id = idOf(await create(key))
    const first = await ask('GET', `/${id}/matches?limit=1`, key)
    const second = await ask('GET', `/${id}/matches?limit=1&cursor=${String(first.body['next_cursor'])}`, key)
    const csv = await ask('GET', `/${id}/matches?format=csv`, key)

    expect(first.body['matches']).toEqual([ROW])
    expect(second.body).toEqual({ matches: [OLDER], next_cursor: null })
    expect(csv.text.split('\r\n')[0]).toMatch(/^id,story_id,title/)
  })

  it('are an Atom feed for who has its address; its token is in the log as a hash only', async () => {
    const key = await api.key()
    const id = idOf(await create(key, { name: 'Rates & more' }))
    const { url } = (await ask('POST', `/${id}/feed-token`, key)).body
    const token = String(url).split('token=')[1] ?? ''
    const address = `/v1/monitors/${id}/feed.atom?token=${token}`
    const read = await api.get(address)
    const tag = read.headers.get('etag') ?? ''
    const text = await read.text()

    expect(url).toBe(`https://news.example.com${address}`)
    expect(read.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(read.headers.get('cache-control')).toBe('private, no-cache')
    expect(text).toContain(`<id>tag:news.example.com,2016-05-03:${id}/evt_b</id>`)
    expect(text).toContain('<title>Rates &amp; more</title>')
    expect(text).toContain('<title>Rates &lt;rise&gt; &amp; &quot;fall&quot;\ufffd</title>')
    expect(text).toContain('href="https://times.example.com/a?b=1&amp;c=2"')
    expect(text).not.toContain('javascript:')
    expect((await api.get(address, undefined, { 'if-none-match': tag })).status).toBe(304)
    expect(api.store.queries.filter(({ name }) => name === 'monitors.matches')).toHaveLength(1)
    expect((await states()).at(-1)?.feed_token_hash).toBe(createHash('sha256').update(token).digest('hex'))
    expect(JSON.stringify(api.lines)).not.toContain(token)
  })

  it('have no feed while the owner has no valid key', async () => {
    const expires_at = api.clock.now() + 60_000
    const key = await api.key({ expires_at })
    const id = idOf(await create(key))
    const address = String((await ask('POST', `/${id}/feed-token`, key)).body['url']).slice(24)
    const before = (await api.get(address)).status
    await api.clock.advance(60_000)

    expect([before, (await api.get(address)).status]).toEqual([200, 404])
  })

  it('have no feed after its token was rotated or revoked, or with another token', async () => {
    const key = await api.key()
    const id = idOf(await create(key))
    const rotate = async () => String((await ask('POST', `/${id}/feed-token`, key)).body['url']).slice(24)
    const statusOf = async (address: string) => {
      await api.clock.advance(1_001)
      return (await api.get(address)).status
    }
    const first = await rotate()
    expect(await statusOf(first)).toBe(200)
    const second = await rotate()
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    expect(await statusOf(second.slice(0, -3))).toBe(404)
    expect((await ask('DELETE', `/${id}/feed-token`, key)).status).toBe(204)
    expect(await statusOf(second)).toBe(404)
    expect((await ask('GET', `/${id}`, key)).body['has_feed']).toBe(false)
  })
})

describe('trying out', () => {
  const article = (id: string, hours: number) => ({
    ...{ cluster_id: `sto_${id}`, article_id: `art_${id}`, occurred_ms: A_NOON - hours * 3_600_000, title: id },
    ...{ url: null, source: null, sentiment_score: 0, origin: id, from_origin: '' },
  })

  it('conditions shows the stories that meet them, by day, and creates nothing', async () => {
    const articles = [article('a', 1), article('b', 30)]
    api.store.rows.set('monitors.hits', articles)
    api.store.rows.set('monitors.articles', articles)
    api.store.rows.set('stories.persisted', [])
    const key = await api.key({ scopes: ['read'] })

    const { status, body } = await ask('POST', '/test', key, { body: { conditions: { min_origins: 1 }, days: 2 } })

    expect([status, body['total'], body['truncated']]).toEqual([200, 2, false])
    expect(body['stories']).toMatchObject([{ cluster_id: 'sto_a', origin_count: 1 }, { cluster_id: 'sto_b' }])
    expect((body['days'] as { stories: number }[]).map(({ stories }) => stories)).toEqual([0, 1, 1])
    expect(await states()).toEqual([])
  })

  it('conditions that match everything is refused', async () => {
    expect(await ask('POST', '/test', await api.key(), { body: { conditions: {} } })).toMatchObject({ status: 422 })
  })

  it('channels sends a message to those that are active', async () => {
    const key = await api.key()
    const id = idOf(await create(key, { channels: [SLACK, EMAIL] }))
    const before = (await messages()).length

    const { status, body } = await ask('POST', `/${id}/test`, key)

    expect([status, (body['deliveries'] as unknown[]).length]).toEqual([202, 1])
    expect((await messages()).slice(before)).toMatchObject([{ type: 'channel.test', outcome: 'planned' }])
  })
})
