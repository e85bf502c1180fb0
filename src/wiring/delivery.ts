import { outbound, signatures } from '../adapters/outbound.ts'
import { changeSetting } from '../state/settings/change-setting.ts'
import { WebhookBook } from '../state/settings/webhooks.ts'
import { unreadableEndpoints, unreadableWarning, sealing } from '../state/settings/secrets.ts'
import { UpToDate } from '../state/settings/book.ts'
import type { StageDependencies } from '../pipeline.ts'
import type { Config } from '../config/config.ts'
import type { Wiring } from '../ports/wiring.ts'
import { KeyBook } from '../api/http/keys/key-book.ts'
import type { Dispatching } from '../stages/delivered/effect.ts'
import { ownerName } from '../state/settings/has-live-key.ts'

/** The required part of the wiring, without models and the store. */
export interface DeliveryWiring extends Pick<Wiring, 'log' | 'codec' | 'clock' | 'logger'> {
  readonly config: Pick<Config, 'webhooks' | 'secretsKey'>
}

/** Dependencies of the stage that plans deliveries and of the effect that makes them. */
export const deliveredParts = (wiring: DeliveryWiring): Pick<StageDependencies, 'delivered' | 'dispatching'> => ({
  delivered: async () => ({
    endpoints: await endpointsOf(wiring),
    liveKeyCheck: await endpointsWithKeys(wiring),
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
      liveKeyCheck: await endpointsWithKeys(wiring),
      outbound: outbound({ clock, allowLoopback }),
      unseal,
      signatures,
      change: async (id, change) => {
        await changeSetting(id, change, { log, codec, known: endpoints })
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

/** The API encrypts signing secrets with this key. */
function secretsKey(set: string | undefined): string {
  if (set !== undefined) return set
  throw new Error('SECRETS_KEY is not set. Use the value of the API instances for the webhook delivery')
}

/** Maximum age of the key data. A revoked key must take effect within five seconds, also for deliveries. */
const KEYS_AGE_MS = 1_000

/** Whether the owner of an endpoint still has a live key, as of one or two seconds ago. */
async function endpointsWithKeys(wiring: DeliveryWiring): Promise<Dispatching['liveKeyCheck']> {
  const { clock, logger } = wiring
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'keys_not_understood')
  const keys = new UpToDate(new KeyBook(), { log: await wiring.log(), codec: await wiring.codec(), clock, onStrange })
  let known = { at: -Infinity, answers: new Map<string, boolean>() }
  return async () => {
    const now = clock.now()
    const book = await keys.within(KEYS_AGE_MS)
    if (now - known.at > KEYS_AGE_MS) known = { at: now, answers: new Map() }
    const { answers } = known
    return (endpoint) => {
      const owner = ownerName(endpoint)
      const answer = answers.get(owner) ?? book.hasLiveKey(endpoint, now)
      answers.set(owner, answer)
      return answer
    }
  }
}
