import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { emitEach, skip, type Stage } from '../../runtime/shapes.ts'
import type { UpToDate } from '../../state/settings/up-to-date.ts'
import type { WebhookBook } from '../../state/settings/webhook-book.ts'
import { STAGES } from '../../events/stages.ts'
import { plan, receivers } from './plan.ts'

export interface DeliveredDependencies {
  readonly endpoints: UpToDate<WebhookBook>
  /** Whether a key exists that may read what an endpoint is sent. */
  readonly heard: () => Promise<(endpoint: WebhookChanged) => boolean>
  /** The wait before each attempt, milliseconds. */
  readonly retryMs: readonly number[]
}

/** Decides which webhook endpoint receives which change. A new endpoint takes effect with the next part at the latest. */
export const delivered = ({
  endpoints,
  heard,
  retryMs,
}: DeliveredDependencies): Stage<ChangePublished, WebhookDelivered> => ({
  name: STAGES.delivered.stage,
  version: STAGES.delivered.version,
  reads: changesPublished,
  writes: webhooksDelivered,

  handle: async (inputs) => {
    const book = await endpoints.now()
    const isHeard = await heard()
    const endpointsOf = eachOnce((namespace) => book.of(namespace).filter(isHeard))
    return inputs.map(({ event, place, loggedAt }) => {
      const record = { change: event, place, loggedAt }
      const to = receivers(record, endpointsOf(event.namespace))
      return to.length === 0
        ? skip('nobody_asked')
        : emitEach({ [Symbol.iterator]: () => plan(record, to, retryMs[0] ?? 0) })
    })
  },
})

/** Looks up once for each key: the endpoints of a namespace are the same for all changes of a part. */
function eachOnce<Found>(look: (key: string) => Found): (key: string) => Found {
  const found = new Map<string, Found>()
  return (key) => {
    const answer = found.get(key) ?? look(key)
    found.set(key, answer)
    return answer
  }
}
