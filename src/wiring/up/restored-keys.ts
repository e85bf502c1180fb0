import { systemClock } from '../../adapters/clock.ts'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { keyState, KeyBook } from '../../api/http/keys/key-book.ts'
import type { Engines } from '../../engines/start-engines.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import type { KeyChanged } from '../../events/settings.ts'

export interface RestoredKeys {
  readonly live: number
  /** Private namespaces with a live key, sorted. */
  readonly namespaces: readonly string[]
}

/** The keys that an archive has brought into the log. */
export async function restoredKeys({
  brokers,
  registryUrl,
}: Pick<Engines, 'brokers' | 'registryUrl'>): Promise<RestoredKeys> {
  const log = new KafkaLog({ brokers, clientId: 'story-restored' })
  try {
    const book = new KeyBook()
    await book.catchUp({ log, codec: new RegistryCodec({ url: registryUrl }) })
    return countLive(book.all(), systemClock.now())
  } finally {
    await log.close()
  }
}

export function countLive(keys: readonly KeyChanged[], now: number): RestoredKeys {
  const live = keys.filter((key) => keyState(key, now) === 'live')
  const own = live.map(({ namespace }) => namespace).filter((namespace) => namespace !== SHARED)
  return { live: live.length, namespaces: [...new Set(own)].sort() }
}

/** What an archive does not bring: analysts live in ClickHouse, and only a hash of their passwords was ever kept. */
export const restoredLines = ({ live, namespaces }: RestoredKeys): readonly string[] => [
  ...(live === 0 ? [] : [`the archive has ${live} live key${live === 1 ? '' : 's'}: no demo key is created`]),
  ...(namespaces.length === 0
    ? []
    : [
        `an archive does not contain analysts of private namespaces. To create them again: ${namespaces
          .map((namespace) => `story analysts create ${namespace}`)
          .join('; ')}`,
      ]),
]
