import { describe, expect, it } from 'vitest'
import { A_DAY } from '../../../test/builders/articles.ts'
import { aWebhook } from '../../../test/builders/webhooks.ts'
import { NO_FILTER_FACTS, type ChangePublished } from '../../events/changes.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'
import { plan, receivers } from './stage.ts'

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
  ...plan(change, receivers(change, endpoints), firstWaitMs),
]

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
    [
      'a change of no story',
      aWebhook({ membership: 'settled', min_assignment_confidence: 0.9 }),
      { membership: null, assignment_confidence: null },
      1,
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
