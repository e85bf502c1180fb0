import { describe, expect, it } from 'vitest'
import { A_DAY } from '../../../test/builders/articles.ts'
import { CHANNEL_URLS } from '../../../test/builders/channels.ts'
import { aChannel, aMatch, aMonitor } from '../../../test/builders/monitors.ts'
import { append, codec } from '../../../test/builders/plain-log.ts'
import { aWebhook } from '../../../test/builders/webhooks.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { readMailMessage } from '../../domain/monitors/mail-message.ts'
import { NO_FILTER_FACTS, type ChangePublished } from '../../events/changes.ts'
import { monitorsChanged, type MonitorChanged } from '../../events/monitors.ts'
import { webhooksChanged, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { UpToDate } from '../../state/settings/book.ts'
import { MonitorBook } from '../../state/settings/monitors.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'
import { delivered, plan, receivers } from './stage.ts'

const place = { topic: 'changes.published', partition: 0, offset: 9 }

const aChange = (more: Partial<ChangePublished> = {}): ChangePublished => ({
  event_id: 'evt_change',
  namespace: 'shared',
  occurred_at: A_DAY,
  caused_by: null,
  produced_by: { stage: 'changed', version: '2' },
  type: 'trend.detected',
  subject_id: 'sto_a',
  entity_ids: ['ent_a', 'ent_b'],
  velocity: 6,
  ...NO_FILTER_FACTS,
  ...{ title: 'Rain in the north', entity_names: ['Ada Quill', 'Bo Reed'], origin_count: 3 },
  membership: 'provisional',
  assignment_confidence: 0.8,
  data: '{"cluster_id":"sto_a"}',
  ...more,
})

const record = (more: Partial<ChangePublished> = {}) => ({ event: aChange(more), place, loggedAt: A_DAY + 1000 })

const planned = (change: ReturnType<typeof record>, endpoints: readonly WebhookChanged[], firstWaitMs: number) => [
  ...plan(change, { endpoints: receivers(change, endpoints), messages: [] }, firstWaitMs),
]

const NARROW = { query: 'snow', entity_ids: ['ent_x'], entity_names: ['cy'], min_origins: 9, min_velocity: 9 } as const
const DIGESTS = { events: ['monitor.matched', 'monitor.digest'] } as const
/** As the change feed has it: without facts of a story. */
const A_DIGEST: Partial<ChangePublished> = {
  ...NO_FILTER_FACTS,
  ...{ type: 'monitor.digest', entity_ids: [], velocity: null, owner: 'key_a', monitor_id: 'mon_b' },
}

describe('plan', () => {
  it('plans the body of Standard Webhooks, due after the first wait, under an id that follows from endpoint and change', () => {
    const [delivery] = planned(record(), [aWebhook()], 5000)

    expect(delivery).toMatchObject({
      namespace: 'shared',
      webhook_id: 'whk_a',
      change_id: 'evt_change',
      type: 'trend.detected',
      caused_by: place,
      attempt: 0,
      outcome: 'planned',
      next_attempt_at: A_DAY + 6000,
    })
    expect(delivery?.delivery_id).toMatch(/^dlv_[a-z2-7]{26}$/)
    expect(JSON.parse(delivery?.payload ?? '')).toEqual({
      type: 'trend.detected',
      timestamp: new Date(A_DAY).toISOString(),
      data: { cluster_id: 'sto_a' },
    })
  })

  it('plans the same again for a repeat, and something else for another endpoint or change', () => {
    const ids = (more: Partial<ChangePublished>, webhook_id: string) =>
      planned(record(more), [aWebhook({ webhook_id })], 0).map(
        ({ delivery_id, event_id }) => `${delivery_id} ${event_id}`,
      )

    expect(ids({}, 'whk_a')).toEqual(ids({}, 'whk_a'))
    expect(new Set([...ids({}, 'whk_a'), ...ids({}, 'whk_b'), ...ids({ event_id: 'evt_other' }, 'whk_a')]).size).toBe(3)
  })

  it.each<[string, WebhookChanged, Partial<ChangePublished>, number]>([
    ['another type', aWebhook({ events: ['entity.spike'] }), {}, 0],
    ['one of several types', aWebhook({ events: ['entity.spike', 'trend.detected'] }), {}, 1],
    ['an endpoint that is disabled', aWebhook({ status: 'disabled' }), {}, 0],
    ['an endpoint that was made later', aWebhook({ created_at: A_DAY + 11_001 }), {}, 0],
    ['one made just then, by a clock that is ahead', aWebhook({ created_at: A_DAY + 1_500 }), {}, 1],
    ['one of its entities', aWebhook({ entity_ids: ['ent_x', 'ent_b'] }), {}, 1],
    ['none of its entities', aWebhook({ entity_ids: ['ent_x'] }), {}, 0],
    ['a change without entities', aWebhook({ entity_ids: ['ent_x'] }), { entity_ids: [] }, 0],
    ['too slow a trend', aWebhook({ min_velocity: 6.5 }), {}, 0],
    ['a trend just as fast', aWebhook({ min_velocity: 6 }), {}, 1],
    ['a change without a velocity', aWebhook({ min_velocity: 6 }), { velocity: null }, 1],
    ['too uncertain a story', aWebhook({ min_assignment_confidence: 0.9 }), {}, 0],
    ['a story just as certain', aWebhook({ min_assignment_confidence: 0.8 }), {}, 1],
    [
      'a story nobody knows how certain',
      aWebhook({ min_assignment_confidence: 0.1 }),
      { assignment_confidence: null },
      0,
    ],
    ['a story that may still change', aWebhook({ membership: 'settled' }), {}, 0],
    ['a story that has settled', aWebhook({ membership: 'settled' }), { membership: 'settled' }, 1],
    ['a change of another owner', aWebhook({ owner: 'key_a' }), { owner: 'key_b' }, 0],
    ['a change of its owner alone', aWebhook({ owner: 'key_a' }), { owner: 'key_a' }, 1],
    ['a match of one of its monitors', aWebhook({ monitor_ids: ['mon_a', 'mon_b'] }), { monitor_id: 'mon_b' }, 1],
    ['a match of another monitor', aWebhook({ monitor_ids: ['mon_a'] }), { monitor_id: 'mon_b' }, 0],
    ['a change of no monitor', aWebhook({ monitor_ids: ['mon_a'] }), { monitor_id: null }, 1],
    [
      'a change of no story',
      aWebhook({ membership: 'settled', min_assignment_confidence: 0.9 }),
      { membership: null, assignment_confidence: null },
      1,
    ],
    ['a digest, which has no words, entities and sources of its own', aWebhook({ ...NARROW, ...DIGESTS }), A_DIGEST, 1],
    ['a digest of another monitor', aWebhook({ ...DIGESTS, monitor_ids: ['mon_a'] }), A_DIGEST, 0],
    ['a digest of another owner', aWebhook({ ...NARROW, ...DIGESTS, owner: 'key_b' }), A_DIGEST, 0],
    [
      'a match that has none of these',
      aWebhook({ ...NARROW, ...DIGESTS }),
      { ...A_DIGEST, type: 'monitor.matched' },
      0,
    ],
    ['a title with the words', aWebhook({ query: 'north rain -snow' }), {}, 1],
    ['a title with a word that is excluded', aWebhook({ query: 'rain -north' }), {}, 0],
    ['a title without the words', aWebhook({ query: 'snow' }), {}, 0],
    ['a change without a title', aWebhook({ query: 'rain' }), { title: null }, 0],
    ['even where words are only excluded', aWebhook({ query: '-snow' }), { title: null }, 0],
    ['one of its names, in any case', aWebhook({ entity_names: ['cy', 'bo reed'] }), {}, 1],
    ['none of its names', aWebhook({ entity_names: ['bo'] }), {}, 0],
    ['a change without names', aWebhook({ entity_names: ['bo reed'] }), { entity_names: [] }, 0],
    ['an entity, but not by its name', aWebhook({ entity_ids: ['ent_a'], entity_names: ['cy'] }), {}, 0],
    ['as many sources', aWebhook({ min_origins: 3 }), {}, 1],
    ['too few sources', aWebhook({ min_origins: 4 }), {}, 0],
    ['a story nobody knows the sources of', aWebhook({ min_origins: 2 }), { origin_count: null }, 0],
    [
      'a match of a story that is not remembered, with too few sources',
      aWebhook({ min_origins: 4 }),
      { membership: null },
      0,
    ],
    [
      'a change of no story, whatever the sources',
      aWebhook({ min_origins: 4 }),
      { membership: null, origin_count: null },
      1,
    ],
  ])('%s', (_, endpoint, change, deliveries) => {
    expect(planned(record(change), [endpoint], 0)).toHaveLength(deliveries)
  })
})

const aMatchChange = (held: boolean, more: Partial<ChangePublished> = {}): ChangePublished => {
  const [{ matched_at, ...story } = { matched_at: 0 }] = aMatch().stories
  const facts = { monitor_id: 'mon_a', monitor_name: 'Rain', conditions_version: 1, held }
  return aChange({
    ...{ type: 'monitor.matched', subject_id: 'mon_a', monitor_id: 'mon_a', owner: 'key_a' },
    data: JSON.stringify({ ...facts, story: { ...story, matched_at: new Date(matched_at).toISOString() } }),
    ...more,
  })
}

const aDigest = (): ChangePublished => {
  const { story } = JSON.parse(aMatchChange(true).data) as { readonly story: unknown }
  const data = { monitor_id: 'mon_a', monitor_name: 'Rain', stories: [story, story] }
  return aMatchChange(true, { event_id: 'evt_digest', type: 'monitor.digest', data: JSON.stringify(data) })
}

const channels = [
  aChannel({ channel_id: 'chn_slack' }),
  aChannel({ channel_id: 'chn_teams', type: 'teams' }),
  aChannel({ channel_id: 'chn_email', type: 'email' }),
  aChannel({ channel_id: 'chn_disabled', status: 'disabled' }),
  aChannel({ channel_id: 'chn_unconfirmed', type: 'email', status: 'unconfirmed' }),
  aChannel({ channel_id: 'chn_later', created_at: A_DAY + 11_001 }),
]

interface PlanWorld {
  readonly monitor?: Partial<MonitorChanged>
  readonly endpoints?: readonly WebhookChanged[]
  readonly hasLiveKey?: (owned: { readonly owner: string }) => boolean
}

/** What the stage plans for a change, by receiver. */
async function plannedFor(
  change: ChangePublished,
  { monitor = {}, endpoints = [], hasLiveKey = () => true }: PlanWorld = {},
): Promise<ReadonlyMap<string, WebhookDelivered>> {
  const log = new MemoryLog()
  const ports = { log, codec, clock: { now: () => A_DAY }, onStrange: () => undefined }
  await append(log, webhooksChanged, endpoints)
  await append(log, monitorsChanged, [aMonitor({ channels, ...monitor })])
  const stage = delivered({
    endpoints: new UpToDate(new WebhookBook(), ports),
    monitors: new UpToDate(new MonitorBook(), ports),
    liveKeyCheck: () => Promise.resolve(hasLiveKey),
    urls: CHANNEL_URLS,
    retryMs: [0],
  })
  const [outcome] = await stage.handle([{ event: change, topic: place.topic, place, loggedAt: A_DAY + 1000 }])
  const events = outcome?.kind === 'emit' ? [...outcome.events] : []
  return new Map(events.map((event) => [event.webhook_id, event]))
}

const ACTIVE = ['chn_slack', 'chn_teams', 'chn_email']

describe('a match of a monitor', () => {
  it('is planned for each active channel as the exact message', async () => {
    const found = await plannedFor(aMatchChange(false))

    expect([...found.keys()]).toEqual(ACTIVE)
    expect(found.get('chn_slack')).toMatchObject({ type: 'monitor.matched', change_id: 'evt_change', attempt: 0 })
    expect(found.get('chn_slack')?.payload).toContain('https://news.example.com/#/stories/sto_a')
    expect(found.get('chn_teams')?.payload).toContain('AdaptiveCard')
    expect(readMailMessage(found.get('chn_email')?.payload ?? '')).toMatchObject({
      subject: 'Rain: Rain in the north',
      list_unsubscribe: CHANNEL_URLS.link('unsubscribe', { monitor_id: 'mon_a', channel_id: 'chn_email' }),
    })
  })

  it('that is held back is planned for endpoints only, and the digest for both', async () => {
    const endpoints = [aWebhook({ events: ['monitor.matched', 'monitor.digest'] })]

    expect([...(await plannedFor(aMatchChange(true), { endpoints })).keys()]).toEqual(['whk_a'])
    const digest = await plannedFor(aDigest(), { endpoints })
    expect([...digest.keys()]).toEqual(['whk_a', ...ACTIVE])
    expect(readMailMessage(digest.get('chn_email')?.payload ?? '').subject).toBe('Rain: 2 stories')
  })

  it.each<[string, PlanWorld]>([
    ['paused', { monitor: { status: 'paused' } }],
    ['of another namespace', { monitor: { namespace: 'other' } }],
    ['of an owner without a live key', { hasLiveKey: ({ owner }) => owner !== 'key_a' }],
    ['another one', { monitor: { monitor_id: 'mon_b' } }],
  ])('is not planned for channels if the monitor is %s', async (_, world) => {
    expect((await plannedFor(aMatchChange(false), world)).size).toBe(0)
  })
})
