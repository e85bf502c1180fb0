import { randomBytes } from 'node:crypto'
import { base32 } from '../../events/ids.ts'
import { SHARED, isNamespace } from '../../domain/intake/articles.ts'
import { type KeyChanged, keysChanged } from '../../events/settings.ts'
import { keyHash, newKey } from '../../api/http/keys/key.ts'
import type { Codec, Log } from '../../ports/log.ts'

export interface KeyRequest extends Pick<KeyChanged, 'tier' | 'scopes' | 'name' | 'expires_at'> {
  /** `null` for the shared namespace. */
  readonly privateNamespace: string | null
  /** Key id of the first key in its chain of rotations; omitted for a first key. */
  readonly owner?: string
}

/**
 * A new key and the event that publishes it. The key itself is not stored anywhere: show it once. Throws if it would
 * have no scope, because an event without scopes stands for a key from before there were scopes.
 */
export function createKey(
  { privateNamespace, owner = '', ...request }: KeyRequest,
  now: number,
): { readonly key: string; readonly event: KeyChanged } {
  if (request.scopes.length === 0) throw new Error('a key needs at least one scope')
  const key = newKey()
  return {
    key,
    event: {
      ...request,
      curator: request.scopes.includes('curate'),
      key_id: `key_${base32(randomBytes(10))}`,
      key_hash: keyHash(key),
      namespace: privateNamespace ?? SHARED,
      created_at: now,
      revoked_at: null,
      owner,
    },
  }
}

/** Why the name cannot be a private namespace; `null` if it can. */
export function privateNamespaceProblem(name: string): string | null {
  if (!isNamespace(name)) return 'a namespace is 3 to 40 characters of a-z, 0-9 and -'
  return name === SHARED ? `"${SHARED}" is everybody's namespace` : null
}

/** Publishes the new state of a key; every instance follows the topic. */
export async function publishKey(
  event: KeyChanged,
  { log, codec }: { readonly log: Pick<Log, 'produce'>; readonly codec: Codec },
): Promise<void> {
  const value = await codec.encode(keysChanged, event)
  await log.produce([{ topic: keysChanged.name, key: keysChanged.key(event), value }])
}
