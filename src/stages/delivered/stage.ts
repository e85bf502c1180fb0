import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { emit, skip, type Stage } from '../../runtime/shapes.ts'
import type { UpToDate } from '../../settings/up-to-date.ts'
import type { WebhookBook } from '../../settings/webhook-book.ts'
import { BY } from './by.ts'
import { plan } from './plan.ts'

export interface Dependencies {
  readonly endpoints: UpToDate<WebhookBook>
  /** Whether anybody is left who may ask for what an endpoint is sent. */
  readonly heard: () => Promise<(endpoint: WebhookChanged) => boolean>
  /** The wait before each attempt, milliseconds. */
  readonly retryMs: readonly number[]
}

/** Which endpoint is to hear of which change. An endpoint is known at the latest with the next part. */
export const delivered = ({ endpoints, heard, retryMs }: Dependencies): Stage<ChangePublished, WebhookDelivered> => ({
  name: BY.stage,
  version: BY.version,
  reads: changesPublished,
  writes: webhooksDelivered,

  handle: async (inputs) => {
    const book = await endpoints.now()
    const isHeard = await heard()
    return inputs.map(({ event, place, loggedAt }) => {
      const deliveries = plan(
        { change: event, place, loggedAt },
        book.of(event.namespace).filter(isHeard),
        retryMs[0] ?? 0,
      )
      return deliveries.length === 0 ? skip('nobody_asked') : emit(...deliveries)
    })
  },
})
