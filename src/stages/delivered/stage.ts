import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { emitEach, skip, type Stage } from '../../runtime/shapes.ts'
import type { UpToDate } from '../../state/settings/book.ts'
import type { WebhookBook } from '../../state/settings/webhooks.ts'
import type { ChannelUrls } from '../../state/settings/channel-urls.ts'
import type { SettingOwner } from '../../state/settings/has-live-key.ts'
import type { MonitorBook } from '../../state/settings/monitors.ts'
import { STAGES } from '../../events/stages.ts'
import { channelMessages } from './channels/receiving-channels.ts'
import { isLoggedAfterCreation, plannedDelivery, type FeedRecord, type PlannedMessage } from './planned-delivery.ts'
import { matchesStory } from './matches-story.ts'

export interface DeliveredDependencies {
  readonly endpoints: UpToDate<WebhookBook>
  readonly monitors: UpToDate<MonitorBook>
  /** Returns a check whether any valid key may read what an endpoint or a monitor's channels are sent. */
  readonly liveKeyCheck: () => Promise<(owned: SettingOwner) => boolean>
  readonly urls: ChannelUrls
  /** The wait before each attempt, milliseconds. */
  readonly retryMs: readonly number[]
}

/**
 * Decides which webhook endpoints and channels of monitors receive which change. A new endpoint takes effect with the
 * next part at the latest.
 */
export const delivered = ({
  endpoints,
  monitors,
  liveKeyCheck,
  urls,
  retryMs,
}: DeliveredDependencies): Stage<ChangePublished, WebhookDelivered> => ({
  name: STAGES.delivered.stage,
  version: STAGES.delivered.version,
  reads: changesPublished,
  writes: webhooksDelivered,

  handle: async (inputs) => {
    const book = await endpoints.now()
    const monitorBook = inputs.some(({ event }) => event.monitor_id !== null) ? await monitors.now() : null
    const hasLiveKey = await liveKeyCheck()
    const endpointsOf = eachOnce((namespace) => book.of(namespace).filter(hasLiveKey))
    const monitor = (id: string) => monitorBook?.get(id) ?? null
    return inputs.map((record) => {
      const to = receivers(record, endpointsOf(record.event.namespace))
      const messages = channelMessages(record, { monitor, hasLiveKey, urls })
      return to.length + messages.length === 0
        ? skip('nobody_asked')
        : emitEach({ [Symbol.iterator]: () => plan(record, { endpoints: to, messages }, retryMs[0] ?? 0) })
    })
  },
})

/** Caches results per key, since the endpoints of a namespace are the same for all changes of a part. */
function eachOnce<Found>(compute: (key: string) => Found): (key: string) => Found {
  const found = new Map<string, Found>()
  return (key) => {
    const answer = found.get(key) ?? compute(key)
    found.set(key, answer)
    return answer
  }
}

/** The endpoints of a namespace that a change is sent to. */
export const receivers = (record: FeedRecord, endpoints: readonly WebhookChanged[]): readonly WebhookChanged[] =>
  endpoints.filter((endpoint) => isSubscribed(endpoint, record))

interface ChangeReceivers {
  readonly endpoints: readonly WebhookChanged[]
  /** Of channels, each written for its channel. */
  readonly messages: readonly PlannedMessage[]
}

/**
 * The deliveries of one change to its receivers, generated lazily: there may be thousands, each with the whole payload.
 */
export function* plan(
  record: FeedRecord,
  { endpoints, messages }: ChangeReceivers,
  firstWaitMs: number,
): Generator<WebhookDelivered> {
  const payload = payloadOf(record.event)
  for (const { webhook_id: receiver } of endpoints) yield plannedDelivery(record, { receiver, payload }, firstWaitMs)
  for (const message of messages) yield plannedDelivery(record, message, firstWaitMs)
}

/** Whether an endpoint receives a change. Changes logged before the endpoint was created are not sent. */
function isSubscribed(endpoint: WebhookChanged, { event: change, loggedAt }: FeedRecord): boolean {
  const { status, events } = endpoint
  if (status !== 'active' || !isLoggedAfterCreation(endpoint, loggedAt) || !events.includes(change.type)) return false
  return isAddressedTo(endpoint, change) && passesFilters(endpoint, change)
}

/** A digest is about several stories, so no filter but the monitor applies to it. */
const passesFilters = (endpoint: WebhookChanged, change: ChangePublished): boolean =>
  change.type === 'monitor.digest' ||
  (concernsEntity(endpoint, change) &&
    isFastEnough(endpoint, change) &&
    isCertainEnough(endpoint, change) &&
    matchesStory(endpoint, change))

const concernsEntity = (
  { entity_ids }: Pick<WebhookChanged, 'entity_ids'>,
  change: Pick<ChangePublished, 'entity_ids'>,
): boolean => entity_ids.length === 0 || change.entity_ids.some((id) => entity_ids.includes(id))

/** Changes of one owner are sent to no other. Changes that concern no monitor are not held back. */
function isAddressedTo(
  endpoint: Pick<WebhookChanged, 'owner' | 'monitor_ids'>,
  { owner, monitor_id }: Pick<ChangePublished, 'owner' | 'monitor_id'>,
): boolean {
  if (owner !== '' && owner !== endpoint.owner) return false
  return endpoint.monitor_ids.length === 0 || monitor_id === null || endpoint.monitor_ids.includes(monitor_id)
}

const isFastEnough = (
  { min_velocity }: Pick<WebhookChanged, 'min_velocity'>,
  { velocity }: Pick<ChangePublished, 'velocity'>,
): boolean => min_velocity === null || velocity === null || velocity >= min_velocity

/** Changes without a story are not held back. */
function isCertainEnough(
  { min_assignment_confidence, membership }: WebhookChanged,
  change: Pick<ChangePublished, 'membership' | 'assignment_confidence'>,
): boolean {
  if (change.membership === null) return true
  const isSettledEnough = membership === null || membership === change.membership
  return isSettledEnough && (change.assignment_confidence ?? 0) >= (min_assignment_confidence ?? 0)
}

/** The body as defined by Standard Webhooks. `data` is already JSON. */
const payloadOf = ({ type, occurred_at, data }: ChangePublished): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${new Date(occurred_at).toISOString()}","data":${data}}`
