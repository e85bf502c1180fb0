import { mailServer } from '../adapters/mail.ts'
import { outbound, signatures } from '../adapters/outbound.ts'
import { changeSetting } from '../state/settings/change-setting.ts'
import { channelLinks } from '../state/settings/channel-links.ts'
import { channelUrls } from '../state/settings/channel-urls.ts'
import { MonitorBook } from '../state/settings/monitors.ts'
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
  readonly config: Pick<Config, 'webhooks' | 'secretsKey' | 'mail' | 'http'>
}

/** Dependencies of the stage that plans deliveries and of the effect that makes them. */
export const deliveredParts = (wiring: DeliveryWiring): Pick<StageDependencies, 'delivered' | 'dispatching'> => ({
  delivered: async () => ({
    endpoints: await endpointsOf(wiring),
    monitors: await monitorsOf(wiring),
    liveKeyCheck: await ownersWithKeys(wiring),
    urls: urlsOf(wiring),
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
      channels: await channelParts(wiring),
      liveKeyCheck: await ownersWithKeys(wiring),
      outbound: outbound({ clock, allowLoopback }),
      unseal,
      signatures,
      change: async (id, change) => {
        await changeSetting(id, change, { log, codec, known: endpoints })
      },
      clock,
      retryMs,
      onInternal: (err, receiver) => logger.error({ err, receiver }, 'delivery could not be attempted'),
    }
  },
})

async function endpointsOf(wiring: DeliveryWiring): Promise<UpToDate<WebhookBook>> {
  const { clock, logger } = wiring
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'webhooks_not_understood')
  return new UpToDate(new WebhookBook(), { log: await wiring.log(), codec: await wiring.codec(), clock, onStrange })
}

async function monitorsOf(wiring: DeliveryWiring): Promise<UpToDate<MonitorBook>> {
  const { clock, logger } = wiring
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'monitors_not_understood')
  return new UpToDate(new MonitorBook(), { log: await wiring.log(), codec: await wiring.codec(), clock, onStrange })
}

async function channelParts(wiring: DeliveryWiring): Promise<Dispatching['channels']> {
  const { config } = wiring
  const [log, codec, monitors] = [await wiring.log(), await wiring.codec(), await monitorsOf(wiring)]
  return {
    monitors,
    unseal: sealing(secretsKey(config.secretsKey), 'monitors').unseal,
    mail: config.mail === null ? null : mailServer(config.mail),
    urls: urlsOf(wiring),
    change: async (id, change) => {
      await changeSetting(id, change, { log, codec, known: monitors })
    },
  }
}

const urlsOf = ({ config }: DeliveryWiring) =>
  channelUrls(config.http.publicUrl, channelLinks(secretsKey(config.secretsKey)))

/** The API encrypts signing secrets and targets of channels with this key. */
function secretsKey(set: string | undefined): string {
  if (set !== undefined) return set
  throw new Error('SECRETS_KEY is not set. Use the value of the API instances for the webhook delivery')
}

/** Maximum age of the key data. A revoked key must take effect within five seconds, also for deliveries. */
const KEYS_AGE_MS = 1_000

/** Whether the owner of an endpoint or a monitor still has a live key, as of one or two seconds ago. */
async function ownersWithKeys(wiring: DeliveryWiring): Promise<Dispatching['liveKeyCheck']> {
  const { clock, logger } = wiring
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'keys_not_understood')
  const keys = new UpToDate(new KeyBook(), { log: await wiring.log(), codec: await wiring.codec(), clock, onStrange })
  let known = { at: -Infinity, answers: new Map<string, boolean>() }
  return async () => {
    const now = clock.now()
    const book = await keys.within(KEYS_AGE_MS)
    if (now - known.at > KEYS_AGE_MS) known = { at: now, answers: new Map() }
    const { answers } = known
    return (owned) => {
      const owner = ownerName(owned)
      const answer = answers.get(owner) ?? book.hasLiveKey(owned, now)
      answers.set(owner, answer)
      return answer
    }
  }
}
