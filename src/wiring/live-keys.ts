import { KeyBook } from '../api/http/keys/key-book.ts'
import type { WebhookChanged } from '../events/webhooks.ts'
import { ownerName } from '../state/settings/has-live-key.ts'
import { UpToDate } from '../state/settings/book.ts'
import type { Wiring } from '../ports/wiring.ts'

export type IsHeard = (endpoint: Pick<WebhookChanged, 'namespace' | 'owner'>) => boolean

/** A revoked key ends deliveries, too, within the five seconds in which it ends all else. */
const KEYS_AGE_MS = 1_000

/** Whether anybody is left who may ask for what an endpoint is sent, as the keys were a second or two ago. */
export async function endpointsWithKeys(
  wiring: Pick<Wiring, 'log' | 'codec' | 'clock' | 'logger'>,
): Promise<() => Promise<IsHeard>> {
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
