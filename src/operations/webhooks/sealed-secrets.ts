import { systemClock } from '../../adapters/clock.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { unreadableEndpoints, sealing } from '../../state/settings/secrets.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'
import { type EngineAccess, withLog } from '../topics.ts'

/** Ids of the active webhook endpoints whose secrets cannot be decrypted with this key. */
export const endpointsSealedElsewhere = (
  { kafka, registry }: EngineAccess,
  secretsKey: string,
): Promise<readonly string[]> =>
  withLog({ ...kafka, clientId: 'story-secrets' }, async (log) => {
    const book = new WebhookBook()
    await book.catchUp({ log, codec: new RegistryCodec(registry) })
    return unreadableEndpoints(book.all(), sealing(secretsKey, 'webhooks').unseal, systemClock.now())
  })
