import { describe, expect, it } from 'vitest'
import { A_DAY } from '../../../test/builders/articles.ts'
import { append, codec, eventsIn } from '../../../test/builders/plain-log.ts'
import { aDelivery, aWebhook } from '../../../test/builders/webhooks.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { signatures } from '../../adapters/outbound.ts'
import { webhooksChanged, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { ForbiddenAddress, type OutboundAnswer, type OutboundRequest } from '../../ports/http.ts'
import { changeSetting } from '../../state/settings/change-setting.ts'
import { channelLinks } from '../../state/settings/channel-links.ts'
import { channelUrls } from '../../state/settings/channel-urls.ts'
import { MonitorBook } from '../../state/settings/monitors.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'
import type { Task } from '../../runtime/shapes.ts'
import { sealing } from '../../state/settings/secrets.ts'
import { UpToDate } from '../../state/settings/book.ts'
import { dispatching } from './effect.ts'

const { seal, unseal } = sealing('a secret of at least 32 characters', 'webhooks')
const SECRET = `whsec_${Buffer.from('the first secret of all').toString('base64')}`
const OLDER = `whsec_${Buffer.from('the one that went before').toString('base64')}`
const NOW = A_DAY + 60_000

interface EffectWorld {
  readonly endpoint?: Partial<WebhookChanged> | null
  readonly answer?: () => Promise<OutboundAnswer>
  /** Whether a valid key exists. */
  readonly isHeard?: boolean
}

type DeliveredLane = Pick<Task<WebhookDelivered>, 'since' | 'laneWentWellAt'>

const ok = () => Promise.resolve({ status: 204, retryAfterSeconds: null })
const status = (code: number) => () => Promise.resolve({ status: code, retryAfterSeconds: null })

async function aWorld({ endpoint = {}, answer = ok, isHeard = true }: EffectWorld = {}) {
  const log = new MemoryLog()
  const clock = { now: () => NOW }
  const secrets = [{ sealed: seal(SECRET, 'whk_a'), expires_at: null }]
  if (endpoint !== null) await append(log, webhooksChanged, [aWebhook({ secrets, ...endpoint })])
  const posts: (OutboundRequest & { readonly url: string })[] = []
  const internal: unknown[] = []
  const endpoints = new UpToDate(new WebhookBook(), { log, codec, clock, onStrange: () => undefined })
  const effect = dispatching({
    endpoints,
    channels: {
      monitors: new UpToDate(new MonitorBook(), { log, codec, clock, onStrange: () => undefined }),
      ...{
        unseal,
        mail: null,
        urls: channelUrls('https://news.example.com', channelLinks('x')),
        change: async () => undefined,
      },
    },
    outbound: {
      post: async (url, request) => {
        posts.push({ url, ...request })
        return answer()
      },
    },
    unseal,
    signatures,
    liveKeyCheck: () => Promise.resolve(() => isHeard),
    change: async (id, change) => {
      await changeSetting(id, change, { log, codec, known: endpoints })
    },
    clock,
    retryMs: [0, 5_000],
    onInternal: (cause) => internal.push(cause),
  })
  const attempt = async (
    delivery: Partial<WebhookDelivered> = {},
    lane: DeliveredLane = { since: A_DAY, laneWentWellAt: 0 },
  ) => {
    const place = { topic: 'webhooks.delivered', partition: 0, offset: 3 }
    const input = { event: aDelivery(delivery), topic: place.topic, place, loggedAt: A_DAY }
    return (await effect.attempt({ input, ...lane }, new AbortController().signal)).event
  }
  const last = async () => (await eventsIn(log, webhooksChanged)).at(-1)
  return { log, attempt, posts, internal, last, effect }
}

const headersOf = (posts: readonly OutboundRequest[]) => posts[0]?.headers ?? {}
const expected = (secrets: readonly string[], body: string) =>
  signatures({ id: 'evt_change', timestamp: NOW / 1000, body }, secrets)

describe('an attempt', () => {
  it('posts the planned body, signed, under the id of the change', async () => {
    const { attempt, posts } = await aWorld()

    const made = await attempt()

    expect(made).toMatchObject({ outcome: 'delivered', attempt: 1, status_code: 204 })
    expect(posts).toMatchObject([{ url: 'https://example.com/hooks', body: aDelivery().payload }])
    expect(headersOf(posts)).toMatchObject({
      'webhook-id': 'evt_change',
      'webhook-timestamp': `${NOW / 1000}`,
      'webhook-signature': expected([SECRET], aDelivery().payload),
      'content-type': 'application/json',
    })
  })

  it('is signed with every secret that has not expired', async () => {
    const secrets = [
      { sealed: seal(SECRET, 'whk_a'), expires_at: null },
      { sealed: seal(OLDER, 'whk_a'), expires_at: NOW + 1 },
      { sealed: seal('whsec_AAAA', 'whk_a'), expires_at: NOW },
    ]
    const { attempt, posts } = await aWorld({ endpoint: { secrets } })

    await attempt()

    expect(headersOf(posts)['webhook-signature']).toBe(expected([SECRET, OLDER], aDelivery().payload))
  })

  it.each([
    ['deleted', null],
    ['disabled', { status: 'disabled', disabled_reason: 'by_owner' } as const],
  ])('is not made where its endpoint was %s meanwhile', async (_, endpoint) => {
    const { attempt, posts } = await aWorld({ endpoint })

    expect(await attempt()).toMatchObject({ outcome: 'cancelled', attempt: 0, next_attempt_at: null, payload: '' })
    expect(posts).toEqual([])
  })

  it('is not made for keys that are all revoked', async () => {
    const { attempt, posts } = await aWorld({ isHeard: false })

    expect(await attempt()).toMatchObject({ outcome: 'cancelled', attempt: 0 })
    expect(posts).toEqual([])
  })

  it('goes where its owner last said, however lately', async () => {
    const { log, attempt, posts } = await aWorld({ endpoint: { status: 'disabled', disabled_reason: 'gone' } })
    await attempt({ delivery_id: 'dlv_before' })
    await append(log, webhooksChanged, [
      aWebhook({ secrets: [{ sealed: seal(SECRET, 'whk_a'), expires_at: null }], url: 'https://example.com/new' }),
    ])

    expect(await attempt()).toMatchObject({ outcome: 'delivered' })
    expect(posts.map(({ url }) => url)).toEqual(['https://example.com/new'])
  })

  it('that is refused by the guard is a failure like any other', async () => {
    const { attempt } = await aWorld({ answer: () => Promise.reject(new ForbiddenAddress('closed')) })

    expect(await attempt()).toMatchObject({ outcome: 'failed', error: 'url_not_allowed', status_code: null })
  })

  it('that fails by our own fault says so, to the owner in a word and to us in full', async () => {
    const { attempt, internal } = await aWorld({ answer: () => Promise.reject(new TypeError('a bug')) })

    expect(await attempt()).toMatchObject({ outcome: 'failed', error: 'internal' })
    expect(internal).toMatchObject([{ message: 'a bug' }])
  })

  it('that cannot be signed, because SECRETS_KEY is another one, is not made and says why', async () => {
    const { attempt, internal, posts } = await aWorld({
      endpoint: { secrets: [{ sealed: Buffer.from('sealed under another key'), expires_at: null }] },
    })

    expect(await attempt()).toMatchObject({ outcome: 'failed', error: 'secret_unreadable' })
    expect([internal.length, posts.length]).toEqual([1, 0])
  })

  it('is signed with the new secret alone where the old one was sealed under another SECRETS_KEY', async () => {
    const secrets = [
      { sealed: seal(SECRET, 'whk_a'), expires_at: null },
      { sealed: Buffer.from('sealed under another key'), expires_at: NOW + 1 },
    ]
    const { attempt, posts } = await aWorld({ endpoint: { secrets } })

    await attempt()

    expect(headersOf(posts)['webhook-signature']).toBe(expected([SECRET], aDelivery().payload))
  })
})

describe('an endpoint', () => {
  it('that answers 410 is disabled', async () => {
    const { attempt, last } = await aWorld({ answer: status(410) })

    expect(await attempt()).toMatchObject({ outcome: 'gone' })
    expect(await last()).toMatchObject({ status: 'disabled', disabled_reason: 'gone', updated_at: NOW })
  })

  it('to which nothing got through for as long as a delivery was tried is disabled', async () => {
    const { attempt, last } = await aWorld({ answer: status(500) })

    expect(await attempt({ attempt: 1 })).toMatchObject({ outcome: 'given_up' })
    expect(await last()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
  })

  it('that fails for longer than a delivery is tried is disabled before the last attempt', async () => {
    const { attempt, last } = await aWorld({ answer: status(500) })

    expect(await attempt({}, { since: NOW - 6_300, laneWentWellAt: 0 })).toMatchObject({ outcome: 'failed' })
    expect(await last()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
  })

  it('of whose time before we took over nothing is known stays active', async () => {
    const { attempt, last } = await aWorld({ answer: status(500) })

    expect(await attempt({ attempt: 1 }, { since: null, laneWentWellAt: 0 })).toMatchObject({ outcome: 'given_up' })
    expect(await last()).toMatchObject({ status: 'active' })
  })

  it('to which something else got through meanwhile stays active', async () => {
    const { attempt, last } = await aWorld({ answer: status(500) })

    expect(await attempt({ attempt: 1 }, { since: A_DAY, laneWentWellAt: A_DAY + 1 })).toMatchObject({
      outcome: 'given_up',
    })
    expect(await last()).toMatchObject({ status: 'active' })
  })

  it('that its owner has sent elsewhere, deleted or mended meanwhile is left alone', async () => {
    const { log, attempt } = await aWorld({
      answer: async () => {
        await append(log, webhooksChanged, [aWebhook({ url: 'https://example.com/new' })])
        return { status: 410, retryAfterSeconds: null }
      },
    })
    const mended = await aWorld({ endpoint: { updated_at: A_DAY + 5 }, answer: status(500) })

    await attempt()
    await mended.attempt({ attempt: 1 })

    expect(await eventsIn(log, webhooksChanged)).toHaveLength(2)
    expect(await mended.last()).toMatchObject({ status: 'active' })
  })
})

it('what is pending is due when it says, what is over never', async () => {
  const { effect } = await aWorld()
  const due = (over: Partial<WebhookDelivered>) => effect.dueAt(aDelivery(over))

  expect([due({ next_attempt_at: 7 }), due({ outcome: 'failed', next_attempt_at: 8 })]).toEqual([7, 8])
  expect(
    (['delivered', 'gone', 'given_up', 'cancelled'] as const).map((outcome) => due({ outcome, next_attempt_at: 9 })),
  ).toEqual([null, null, null, null])
})
