import { setTimeout } from 'node:timers/promises'
import { type ChangePublished, changesPublished, NO_FILTER_FACTS } from '../../events/changes.ts'
import { derivedId } from '../../events/ids.ts'
import { keysChanged, type KeyChanged } from '../../events/settings.ts'
import {
  NO_WEBHOOK_FILTERS,
  webhooksChanged,
  webhooksDelivered,
  type WebhookChanged,
  type WebhookStatus,
} from '../../events/webhooks.ts'
import { sealing } from '../../state/settings/secrets.ts'
import { readEvents, writeEvents, type EventLog } from '../topic-events.ts'

/** Where the bench writes the events that the API and the change feed would write. */
export interface WebhookWorld extends EventLog {
  /** The value of `SECRETS_KEY`. */
  readonly secretsKey: string
  readonly namespace: string
}

const SIGNING_SECRET = `whsec_${Buffer.from('every receiver of the bench has this').toString('base64')}`
const BY = { stage: 'changed', version: '1' }

interface WebhookEndpoint {
  readonly id: string
  readonly url: string
  readonly status: WebhookStatus
}

/** Publishes the settings of endpoints. */
export async function setEndpoints(world: WebhookWorld, endpoints: readonly WebhookEndpoint[]): Promise<void> {
  const { seal } = sealing(world.secretsKey, 'webhooks')
  const now = Math.round(performance.timeOrigin + performance.now())
  const settings = endpoints.map(({ id, url, status }): WebhookChanged => ({
    ...{ webhook_id: id, namespace: world.namespace, owner: '', key_id: 'bench', url, status },
    ...{ ...NO_WEBHOOK_FILTERS, events: ['trend.detected'], description: null },
    disabled_reason: status === 'active' ? null : 'by_owner',
    secrets: [{ sealed: seal(SIGNING_SECRET, id), expires_at: null }],
    ...{ created_at: 0, updated_at: now },
  }))
  await writeEvents(world, keysChanged, [keyOf(world)])
  await writeEvents(world, webhooksChanged, settings)
}

/** An endpoint of a private namespace receives events only while that namespace has a live key. */
const keyOf = ({ namespace }: WebhookWorld): KeyChanged => ({
  ...{
    key_id: `bench-${namespace}`,
    key_hash: '',
    name: 'bench',
    tier: 'starter',
    namespace,
    curator: false,
    scopes: [],
  },
  ...{ created_at: 0, expires_at: null, revoked_at: null, owner: '' },
})

export const changeId = (namespace: string, number: number): string => derivedId(BY, `${namespace} ${number}`)

/**
 * Publishes the changes with these numbers at a fixed rate. Returns when each was published, as `performance.now()`.
 */
export async function publishChanges(
  world: WebhookWorld,
  { from, to, perSecond }: { readonly from: number; readonly to: number; readonly perSecond: number },
): Promise<ReadonlyMap<number, number>> {
  const begun = performance.now()
  const publishedAt = new Map<number, number>()
  for (let number = from; number < to; number++) {
    await setTimeout(Math.max(0, begun + ((number - from) * 1000) / perSecond - performance.now()))
    publishedAt.set(number, performance.now())
    await writeEvents(world, changesPublished, [changeOf(world.namespace, number)])
  }
  return publishedAt
}

/** The number of deliveries whose newest event has the outcome `delivered`. */
export async function deliveredOf(world: WebhookWorld): Promise<number> {
  const newest = new Map<string, string>()
  for await (const { namespace, delivery_id, outcome } of readEvents(world, webhooksDelivered)) {
    if (namespace === world.namespace) newest.set(delivery_id, outcome)
  }
  return [...newest.values()].filter((outcome) => outcome === 'delivered').length
}

const changeOf = (namespace: string, number: number): ChangePublished => ({
  event_id: changeId(namespace, number),
  namespace,
  occurred_at: 1_700_000_000_000 + number,
  caused_by: null,
  produced_by: BY,
  type: 'trend.detected',
  subject_id: `sto_${number}`,
  entity_ids: [],
  velocity: 6,
  membership: null,
  assignment_confidence: null,
  ...NO_FILTER_FACTS,
  data: JSON.stringify({ number }),
})
