import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { A_NOON, A_SECRET, anApi, type TestApi } from '../../../test/builders/api.ts'
import {
  A_WISH,
  asker,
  logged,
  NO_FILTERS,
  withoutSecret,
  type WebhooksAsk,
  type WebhookAnswer,
} from '../../../test/builders/webhooks.ts'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { webhooksChanged } from '../../events/webhooks.ts'
import { ForbiddenAddress } from '../../ports/http.ts'
import { sealing } from '../../state/settings/secrets.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { followKeys } from '../http/keys/keyring.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(() => api.stop())

const AN_ENTITY = 'ent_k3v7qhd2mzxw5ayp'
const A_MONITOR = 'mon_q2x4mvhb7k3zt5wa'

interface RegistrationOptions {
  readonly headers?: Record<string, string>
  readonly to?: Pick<TestApi, 'app'>
}

const ask: WebhooksAsk = (...calls) => asker(api)(...calls)
const register = (key: string, over: object = {}, { headers = {}, to = api }: RegistrationOptions = {}) =>
  asker(to)('POST', '', key, { headers, body: { ...A_WISH, ...over } })

const idOf = ({ body }: WebhookAnswer): string => String(body['id'])
const secretOf = ({ body }: WebhookAnswer): string => String(body['secret'])
const listed = async (key: string): Promise<readonly unknown[]> =>
  (await ask('GET', '', key)).body['webhooks'] as unknown[]
const changes = () => logged(api, webhooksChanged)

/** Another instance of the service on the same log. */
async function anotherInstance(over: Partial<Dependencies> = {}): Promise<TestApi> {
  const { log, codec, store, clock } = api
  const silent = () => undefined
  const keys = followKeys({ log, codec, clock, logger: { warn: silent, error: silent } })
  const other = await anApi({ log, codec, store, clock, keys, ...over })
  return {
    ...other,
    stop: async () => {
      await Promise.all([other.stop(), keys.stop()])
    },
  }
}

const { unseal } = sealing(A_SECRET, 'webhooks')

describe('an endpoint', () => {
  it('is answered as it was registered, with a secret of 24 bytes, when the log has it', async () => {
    const filters = {
      ...{ entity_ids: [AN_ENTITY], min_velocity: 5, min_assignment_confidence: 0.8, membership: 'settled' },
      ...{ query: '"harbour bridge" -opinion', entity_names: ['ada quill'], min_origins: 3, monitor_ids: [A_MONITOR] },
    }
    const made = await register(await api.key(), { filters, description: ' Newsroom alerts ' })

    const [event] = await changes()
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...A_WISH,
        id: expect.stringMatching(/^whk_[a-z2-7]{16}$/) as string,
        filters,
        description: 'Newsroom alerts',
        status: 'active',
        disabled_reason: null,
        created_at: '2016-05-03T12:00:01.000Z',
        updated_at: '2016-05-03T12:00:01.000Z',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) as string,
      },
    })
    expect(event).toMatchObject({ webhook_id: idOf(made), namespace: 'shared', created_at: A_NOON + 1_000, ...filters })
    expect(event?.owner).toBe(event?.key_id)
  })

  it('has its secret in the log sealed, for this endpoint alone, and nowhere else', async () => {
    const key = await api.key()
    const made = await register(key)
    const secret = secretOf(made)
    const answers = [
      await ask('GET', '', key),
      await ask('GET', `/${idOf(made)}`, key),
      await ask('PATCH', `/${idOf(made)}`, key, { body: { description: 'x' } }),
    ]

    const [event] = await changes()
    const bytes = event?.secrets[0]?.sealed ?? Buffer.alloc(0)
    const records = api.log.records(webhooksChanged.name).map(({ value }) => value?.toString('latin1') ?? '')
    expect(unseal(bytes, idOf(made))).toBe(secret)
    expect(() => unseal(bytes, 'whk_other')).toThrow()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const text of [...records, ...answers.map(({ text }) => text), JSON.stringify(api.lines)]) {
      expect(text).not.toContain(secret.slice('whsec_'.length))
      expect(text).not.toMatch(/"secrets?"\s*:\s*"/)
    }
    expect(answers.some(({ text }) => text.includes('secret'))).toBe(false)
  })

  it('has no filters and no words where none were given', async () => {
    const { body } = await register(await api.key(), { description: '  ' })

    expect(body).toMatchObject({ filters: NO_FILTERS, description: null })
  })

  it('has names of entities in lower case, words without spaces around them, and null for no filter', async () => {
    const filters = { query: ' Bridge ', entity_names: [' Ada QUILL', 'O\u0308sterreich'], min_origins: null }
    const made = await register(await api.key(), { filters })

    expect(made.body['filters']).toEqual({
      ...NO_FILTERS,
      ...{ query: 'Bridge', entity_names: ['ada quill', '\u00f6sterreich'] },
    })
    const bare = await register(await api.key(), { filters: { query: null } })
    expect(bare.body['filters']).toEqual(NO_FILTERS)
  })

  it('is listed with the others, the oldest first, and read by its id', async () => {
    const key = await api.key()
    const first = await register(key)
    await api.clock.advance(5)
    const second = await register(key, { events: ['sentiment.shift'] })

    expect((await listed(key)).map((one) => (one as { id: string }).id)).toEqual([idOf(first), idOf(second)])
    expect((await ask('GET', `/${idOf(first)}`, key)).body).toEqual(withoutSecret(first.body))
  })

  it('may ask for every type of the feed', async () => {
    const { status } = await register(await api.key({ tier: 'professional' }), { events: CHANGE_TYPES })

    expect(status).toBe(201)
  })
})

describe('what may not be registered', () => {
  it.each([
    ['no url', { url: undefined }, 'url'],
    ['what is no address', { url: 'example.com' }, 'url'],
    ['a long address', { url: `https://example.com/${'a'.repeat(2_048)}` }, 'url'],
    ['no types', { events: [] }, 'events'],
    ['an unknown type', { events: ['trend.detected', 'webhook.test'] }, 'events[1]'],
    ['a type twice', { events: ['entity.spike', 'entity.spike'] }, 'events'],
    ['a name for an entity', { filters: { entity_ids: ['Oslo'] } }, 'filters.entity_ids[0]'],
    ['an entity twice', { filters: { entity_ids: [AN_ENTITY, AN_ENTITY] } }, 'filters.entity_ids'],
    ['101 entities', { filters: { entity_ids: manyEntities(101) } }, 'filters.entity_ids'],
    ['a negative velocity', { filters: { min_velocity: -1 } }, 'filters.min_velocity'],
    ['too much certainty', { filters: { min_assignment_confidence: 1.1 } }, 'filters.min_assignment_confidence'],
    ['another membership', { filters: { membership: 'provisional' } }, 'filters.membership'],
    ['a query without a word', { filters: { query: '- ""' } }, 'filters.query'],
    ['a long query', { filters: { query: 'x'.repeat(501) } }, 'filters.query'],
    ['a NUL in a query', { filters: { query: 'a\u0000b' } }, 'filters.query'],
    ['a list of queries', { filters: { query: ['a'] } }, 'filters.query'],
    ['no name', { filters: { entity_names: ['ada', ' '] } }, 'filters.entity_names[1]'],
    ['a long name', { filters: { entity_names: ['x'.repeat(201)] } }, 'filters.entity_names[0]'],
    ['a name twice', { filters: { entity_names: ['Ada', 'ada'] } }, 'filters.entity_names'],
    ['half a source', { filters: { min_origins: 1.5 } }, 'filters.min_origins'],
    ['no source', { filters: { min_origins: 0 } }, 'filters.min_origins'],
    ['1,001 sources', { filters: { min_origins: 1_001 } }, 'filters.min_origins'],
    ['a name for a monitor', { filters: { monitor_ids: ['Rain'] } }, 'filters.monitor_ids[0]'],
    ['a monitor twice', { filters: { monitor_ids: [A_MONITOR, A_MONITOR] } }, 'filters.monitor_ids'],
    ['misspelt filters', { filter: { entity_ids: [AN_ENTITY] } }, 'body'],
    ['half a character in the description', { description: 'a\ud800b' }, 'description'],
    ['a NUL in the description', { description: 'a\u0000b' }, 'description'],
    ['half a character in the address', { url: 'https://example.com/\udc00x' }, 'url'],
    ['a NUL in the address', { url: 'https://example.com/\u0000x' }, 'url'],
    ['a misspelt filter', { filters: { entity_id: [AN_ENTITY] } }, 'filters'],
    ['a long description', { description: 'x'.repeat(501) }, 'description'],
  ])('%s: 422 that says where', async (_, over, path) => {
    const { status, body } = await register(await api.key(), over)

    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    expect(await changes()).toEqual([])
  })

  it('names the field that it does not know', async () => {
    expect((await register(await api.key(), { filter: {} })).text).toContain('\\"filter\\"')
    expect((await register(await api.key(), { description: 'Größe 🌍' })).status).toBe(201)
  })

  it('takes 100 entities', async () => {
    expect((await register(await api.key(), { filters: { entity_ids: manyEntities(100) } })).status).toBe(201)
  })

  it.each(['http://example.com/hooks', 'https://127.0.0.1/hooks', 'https://metadata.internal/'])(
    '%s: 422 url_not_allowed that does not say what is there',
    async (url) => {
      const { status, body, text } = await register(await api.key(), { url })

      expect(status).toBe(422)
      expect(body).toMatchObject({ code: 'url_not_allowed', errors: [{ path: 'url' }] })
      expect(text).not.toContain('127.0.0.1')
      expect(await changes()).toEqual([])
    },
  )

  it('story.enriched by a starter key: 403', async () => {
    const key = await api.key({ namespace: 'acme' })
    const events = ['trend.detected', 'story.enriched']
    const made = await register(key)
    const patch = await ask('PATCH', `/${idOf(made)}`, key, { body: { events } })

    expect([await register(key, { events }), patch]).toMatchObject([
      { status: 403, body: { code: 'tier_restricted' } },
      { status: 403, body: { code: 'tier_restricted' } },
    ])
    expect((await register(await api.key({ tier: 'professional' }), { events })).status).toBe(201)
  })

  it('one more than its namespace may have, whichever key is used; other namespaces are not affected', async () => {
    const narrow = await anApi({ webhooksPerNamespace: 2 })
    const [one, other] = [await narrow.key(), await narrow.key()]
    const atHome = await narrow.key({ namespace: 'acme', tier: 'enterprise' })
    const first = await register(one, {}, { to: narrow })
    await register(other, {}, { to: narrow })

    const third = await register(await narrow.key(), {}, { to: narrow })
    const elsewhere = await register(atHome, {}, { to: narrow })
    await asker(narrow)('DELETE', `/${idOf(first)}`, one)
    const afterDeletion = await register(other, {}, { to: narrow })

    expect(third).toMatchObject({ status: 422, body: { code: 'webhook_limit_reached' } })
    expect(String(third.body['detail'])).toMatch(/namespace shared has the 2 webhook endpoints .*Delete one/)
    expect([elsewhere.status, afterDeletion.status]).toEqual([201, 201])
    await narrow.stop()
  })

  it('the 51st of an owner, whichever of its instances is asked, until one is deleted', async () => {
    const key = await api.key({ tier: 'professional' })
    const other = await anotherInstance()
    await api.clock.advance(1_000)
    const made = await Promise.all(
      Array.from({ length: 52 }, () => register(key, {}, { to: api })), // at once
    )

    const elsewhere = await register(key, {}, { to: other })
    const another = await register(await api.key())
    const taken = made.filter(({ status }) => status === 201)
    await ask('DELETE', `/${taken[0] === undefined ? '' : idOf(taken[0])}`, key)

    expect(taken).toHaveLength(50)
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'webhook_limit_reached' } })
    expect(String(elsewhere.body['detail'])).toContain('50')
    expect(another.status).toBe(201)
    expect((await register(key)).status).toBe(201)
    await other.stop()
  })
})

describe('under an Idempotency-Key', () => {
  const k1 = { headers: { 'idempotency-key': 'k1' } }

  it('a repeat is the endpoint as it now is, secret included, and registers nothing, whichever instance is asked', async () => {
    const key = await api.key()
    const first = await register(key, {}, k1)
    const other = await anotherInstance()
    await api.clock.advance(60_000)
    const again = await register(key, {}, k1)
    const change = await ask('PATCH', `/${idOf(first)}`, key, { body: { description: 'changed since' } })
    const elsewhere = await register(key, {}, { ...k1, to: other })

    expect(first.status).toBe(201)
    expect(again).toEqual(first)
    expect(elsewhere).toMatchObject({ status: 201, body: { ...change.body, secret: secretOf(first) } })
    expect(await listed(key)).toHaveLength(1)
    expect(unseal((await changes())[0]?.secrets[0]?.sealed ?? Buffer.alloc(0), idOf(first))).toBe(secretOf(first))
    await other.stop()
  })

  it('a repeat has no secret once it was rotated: the first one may sign no more', async () => {
    const key = await api.key()
    const first = await register(key, {}, k1)
    await ask('POST', `/${idOf(first)}/rotate`, key, { body: { overlap_seconds: 0 } })

    const again = await register(key, {}, k1)

    expect(again).toMatchObject({ status: 201, body: { id: idOf(first) } })
    expect(again.body).not.toHaveProperty('secret')
  })

  it('after it was deleted the same request makes another, with another secret, here and elsewhere', async () => {
    const key = await api.key()
    const other = await anotherInstance()
    await api.clock.advance(1_000)
    const made: WebhookAnswer[] = []
    for (const to of [api, api, other]) {
      made.push(await register(key, {}, { ...k1, to }))
      await ask('DELETE', `/${made.map(idOf).at(-1) ?? ''}`, key)
    }

    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(made.map(idOf)).size).toBe(3)
    expect(new Set(made.map(secretOf)).size).toBe(3)
    expect((await register(key, { description: 'another request' }, k1)).status).toBe(201)
    await other.stop()
  })

  it('a key that was rotated from the first is the same caller', async () => {
    const first = await register(await api.key({ key_id: 'key_first' }), {}, k1)
    const again = await register(await api.key({ owner: 'key_first' }), {}, k1)

    expect(again).toEqual(first)
  })

  it('two at once are one', async () => {
    const key = await api.key()

    const [one, two] = await Promise.all([register(key, {}, k1), register(key, {}, k1)])

    expect(one).toEqual(two)
    expect(await changes()).toHaveLength(1)
  })

  it('another request is refused, here and elsewhere', async () => {
    const key = await api.key()
    await register(key, {}, k1)
    const other = await anotherInstance()
    await api.clock.advance(1_000)

    for (const to of [api, other]) {
      expect(await register(key, { description: 'another' }, { ...k1, to })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      })
    }
    await other.stop()
  })

  it('what was refused may be tried again', async () => {
    const key = await api.key()
    let open = false
    const check = (url: string) => (open ? Promise.resolve() : Promise.reject(new ForbiddenAddress(url)))
    const other = await anotherInstance({ outbound: { check } })
    await api.clock.advance(1_000)

    const refused = await register(key, {}, { ...k1, to: other })
    open = true
    const taken = await register(key, {}, { ...k1, to: other })

    expect([refused.status, taken.status]).toEqual([422, 201])
    await other.stop()
  })

  it('it is good for a day, and for each caller by itself', async () => {
    const [mine, theirs] = [await api.key(), await api.key()]
    const first = await register(mine, {}, k1)
    const other = await register(theirs, {}, k1)
    await api.clock.advance(24 * 3_600_000)
    const later = await register(mine, {}, k1)

    expect(new Set([first, other, later].map(idOf)).size).toBe(3)
    expect(new Set([first, other, later].map(secretOf)).size).toBe(3)
  })
})

describe('who sees an endpoint', () => {
  /** The responses of every route that names an endpoint. */
  const touched = (id: string, key: string) =>
    Promise.all(
      (
        [
          ['GET', ''],
          ['PATCH', ''],
          ['POST', '/rotate'],
          ['POST', '/test'],
          ['GET', '/deliveries'],
          ['GET', '/deliveries/dlv_a'],
          ['POST', '/deliveries/dlv_a/redeliver'],
          ['DELETE', ''],
        ] as const
      ).map(async ([method, path]) => {
        const sent = method === 'PATCH' ? { body: { description: 'mine' } } : {}
        const { status, body } = await ask(method, `/${id}${path}`, key, sent)
        return [status, body['code']]
      }),
    )

  it.each([
    ['another owner of the shared namespace', {}, {}],
    ['a private namespace, of the shared one', {}, { namespace: 'acme' }],
    ['another private namespace', { namespace: 'acme' }, { namespace: 'other-house' }],
    ['the shared namespace, of a private one', { namespace: 'acme' }, {}],
  ])('not %s: all routes answer as if there were none', async (_, owner, stranger) => {
    const [mine, theirs] = [await api.key(owner), await api.key(stranger)]
    const made = await register(mine)

    const found = await touched(idOf(made), theirs)
    const unknown = await touched('whk_aaaaaaaaaaaaaaaa', theirs)

    expect(found).toEqual(found.map(() => [404, 'webhook_not_found']))
    expect(found).toEqual(unknown)
    expect(await listed(theirs)).toEqual([])
    expect(await listed(mine)).toHaveLength(1)
  })

  it('keys rotated from one another, in the shared namespace', async () => {
    const first = await api.key({ key_id: 'key_first' })
    const rotated = await api.key({ owner: 'key_first' })
    const made = await register(first)
    const second = await register(rotated)

    expect(await listed(rotated)).toHaveLength(2)
    expect(await listed(first)).toHaveLength(2)
    expect((await ask('DELETE', `/${idOf(made)}`, rotated)).status).toBe(204)
    expect((await ask('GET', `/${idOf(second)}`, first)).status).toBe(200)
  })

  it('every key of a private namespace', async () => {
    const made = await register(await api.key({ namespace: 'acme' }))

    const colleague = await api.key({ namespace: 'acme' })

    expect((await ask('GET', `/${idOf(made)}`, colleague)).status).toBe(200)
    expect((await changes())[0]?.owner).toBe('')
  })

  it('nobody without a key', async () => {
    expect((await ask('GET', '', 'pk_live_none')).status).toBe(401)
    expect((await register('pk_live_none')).status).toBe(401)
  })
})

const manyEntities = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `ent_${'a'.repeat(14)}${letter(i >> 5)}${letter(i & 31)}`)

const letter = (i: number): string => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(i)
