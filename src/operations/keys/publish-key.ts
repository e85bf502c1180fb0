import { keysChanged, type KeyChanged } from '../../events/settings.ts'
import type { Codec, Log } from '../../ports/log.ts'

/** Makes a key's new state known to every instance: they follow the topic. */
export async function publishKey(
  event: KeyChanged,
  { log, codec }: { readonly log: Pick<Log, 'produce'>; readonly codec: Codec },
): Promise<void> {
  const value = await codec.encode(keysChanged, event)
  await log.produce([{ topic: keysChanged.name, key: keysChanged.key(event), value }])
}
