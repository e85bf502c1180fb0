import { outbound, signatures } from '../adapters/outbound.ts'
import { changeWebhook } from '../state/settings/change-webhook.ts'
import { unreadableEndpoints, unreadableWarning } from '../state/settings/readable-secrets.ts'
import { sealing } from '../state/settings/seal.ts'
import { UpToDate } from '../state/settings/up-to-date.ts'
import { WebhookBook } from '../state/settings/webhook-book.ts'
import type { StageDependencies } from '../pipeline.ts'
import type { Config } from '../config/config.ts'
import { endpointsWithKeys } from './live-keys.ts'
import type { Wiring } from '../ports/wiring.ts'

/** What is needed of the wiring: no model, no store. */
export interface DeliveryWiring extends Pick<Wiring, 'log' | 'codec' | 'clock' | 'logger'> {
  readonly config: Pick<Config, 'webhooks' | 'secretsKey'>
}

/** What plans deliveries and what makes them. */
export const deliveredParts = (wiring: DeliveryWiring): Pick<StageDependencies, 'delivered' | 'dispatching'> => ({
  delivered: async () => ({
    endpoints: await endpointsOf(wiring),
    heard: await endpointsWithKeys(wiring),
    retryMs: wiring.config.webhooks.retryMs,
  }),
  dispatching: async () => {
    const { config, clock, logger } = wiring
    const { allowLoopback, retryMs } = config.webhooks
    const [log, codec] = [await wiring.log(), await wiring.codec()]
    const endpoints = await endpointsOf(wiring)
    const { unseal } = sealing(secretsKey(config.secretsKey), 'webhooks')
    const unreadable = unreadableEndpoints((await endpoints.now()).all(), unseal, clock.now())
    if (unreadable.length > 0) logger.warn({ endpoints: unreadable }, unreadableWarning(unreadable))
    return {
      endpoints,
      heard: await endpointsWithKeys(wiring),
      outbound: outbound({ clock, allowLoopback }),
      unseal,
      signatures,
      change: async (id, change) => {
        await changeWebhook(id, change, { log, codec, known: endpoints })
      },
      clock,
      retryMs,
      onInternal: (err, webhookId) => logger.error({ err, webhookId }, 'delivery could not be attempted'),
    }
  },
})

async function endpointsOf(wiring: DeliveryWiring): Promise<UpToDate<WebhookBook>> {
  const { clock, logger } = wiring
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'webhooks_not_understood')
  return new UpToDate(new WebhookBook(), { log: await wiring.log(), codec: await wiring.codec(), clock, onStrange })
}

/** Signing secrets are sealed with it, by the API. */
function secretsKey(set: string | undefined): string {
  if (set !== undefined) return set
  throw new Error('SECRETS_KEY is not set. Use the value of the API instances for the webhook delivery')
}
