import { systemClock } from '../../adapters/clock.ts'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import type { Config } from '../../config/config.ts'
import { unreadableEndpoints, sealing } from '../../state/settings/secrets.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'

/** Ids of the active webhook endpoints in the log whose secrets this key does not open. */
export async function endpointsSealedElsewhere(
  { kafka, registry }: Pick<Config, 'kafka' | 'registry'>,
  secretsKey: string,
): Promise<readonly string[]> {
  const log = new KafkaLog({ ...kafka, clientId: 'story-secrets' })
  try {
    const book = new WebhookBook()
    await book.catchUp({ log, codec: new RegistryCodec(registry) })
    return unreadableEndpoints(book.all(), sealing(secretsKey, 'webhooks').unseal, systemClock.now())
  } finally {
    await log.close()
  }
}
