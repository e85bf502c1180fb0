import { derivedEnvelope } from '../../state/derived-envelope.ts'
import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { emitEach, skip, type Input, type Stage } from '../../runtime/shapes.ts'
import type { UpToDate } from '../../state/settings/book.ts'
import type { WebhookBook } from '../../state/settings/webhooks.ts'
import { STAGES } from '../../events/stages.ts'
import { base32, sha256 } from '../../events/ids.ts'
import { matchesStory } from './matches-story.ts'

export interface DeliveredDependencies {
  readonly endpoints: UpToDate<WebhookBook>
  /** Returns a check whether any valid key may read what an endpoint is sent. */
  readonly liveKeyCheck: () => Promise<(endpoint: WebhookChanged) => boolean>
  /** The wait before each attempt, milliseconds. */
  readonly retryMs: readonly number[]
}

/**
 * Decides which webhook endpoints receive which change. A new endpoint takes effect with the next part at the latest.
 */
export const delivered = ({
  endpoints,
  liveKeyCheck,
  retryMs,
}: DeliveredDependencies): Stage<ChangePublished, WebhookDelivered> => ({
  name: STAGES.delivered.stage,
  version: STAGES.delivered.version,
  reads: changesPublished,
  writes: webhooksDelivered,

  handle: async (inputs) => {
    const book = await endpoints.now()
    const hasLiveKey = await liveKeyCheck()
    const endpointsOf = eachOnce((namespace) => book.of(namespace).filter(hasLiveKey))
    return inputs.map((record) => {
      const to = receivers(record, endpointsOf(record.event.namespace))
      return to.length === 0
        ? skip('nobody_asked')
        : emitEach({ [Symbol.iterator]: () => plan(record, to, retryMs[0] ?? 0) })
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

/** A change and when it was logged in the feed. */
type FeedRecord = Omit<Input<ChangePublished>, 'topic'>

/** The endpoints of a namespace that a change is sent to. */
export const receivers = (record: FeedRecord, endpoints: readonly WebhookChanged[]): readonly WebhookChanged[] =>
  endpoints.filter((endpoint) => isSubscribed(endpoint, record))

/**
 * The deliveries of one change to its receivers, generated lazily: there may be thousands, each with the whole payload.
 */
export function* plan(
  record: FeedRecord,
  to: readonly WebhookChanged[],
  firstWaitMs: number,
): Generator<WebhookDelivered> {
  const payload = payloadOf(record.event)
  for (const endpoint of to) yield planned(endpoint, record, { firstWaitMs, payload })
}

/** Tolerance between the API's clock and the log's: an extra early change is better than a lost first one. */
const CLOCKS_DIFFER_BY_MS = 10_000

/** Whether an endpoint receives a change. Changes logged before the endpoint was created are not sent. */
function isSubscribed(endpoint: WebhookChanged, { event: change, loggedAt }: FeedRecord): boolean {
  const { status, events, entity_ids, min_velocity, created_at } = endpoint
  if (status !== 'active' || created_at - CLOCKS_DIFFER_BY_MS > loggedAt || !events.includes(change.type)) return false
  const matchesEntity = entity_ids.length === 0 || change.entity_ids.some((id) => entity_ids.includes(id))
  return (
    matchesEntity &&
    isFastEnough({ min_velocity }, change) &&
    isCertainEnough(endpoint, change) &&
    matchesStory(endpoint, change)
  )
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

function planned(
  { webhook_id }: WebhookChanged,
  { event: change, place, loggedAt }: FeedRecord,
  { firstWaitMs, payload }: { readonly firstWaitMs: number; readonly payload: string },
): WebhookDelivered {
  const delivery_id = deliveryId(webhook_id, change.event_id)
  return {
    ...derivedEnvelope(STAGES.delivered, { event: change, place }, delivery_id),
    occurred_at: loggedAt,
    webhook_id,
    delivery_id,
    change_id: change.event_id,
    type: change.type,
    attempt: 0,
    outcome: 'planned',
    status_code: null,
    error: null,
    duration_ms: 0,
    next_attempt_at: loggedAt + firstWaitMs,
    payload,
  }
}

/** The id of the delivery of one change to one endpoint. Planning it again gives the same id. */
const deliveryId = (webhookId: string, changeId: string): string =>
  `dlv_${base32(sha256(`${webhookId}\n${changeId}`)).slice(0, 26)}`

/** The body as defined by Standard Webhooks. `data` is already JSON. */
const payloadOf = ({ type, occurred_at, data }: ChangePublished): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${new Date(occurred_at).toISOString()}","data":${data}}`
