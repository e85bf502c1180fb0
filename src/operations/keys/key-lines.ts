import { keyState } from '../../api/http/keys/key-book.ts'
import type { KeyChanged } from '../../events/settings.ts'

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export type ShownKey = ReturnType<typeof shown>

/** A key on the wire: never its hash. */
export const shown = (key: KeyChanged, now: number) => ({
  id: key.key_id,
  tier: key.tier,
  namespace: key.namespace,
  curator: key.curator,
  name: key.name,
  owner: ownerOf(key),
  state: keyState(key, now),
  created_at: isoOrNull(key.created_at),
  expires_at: isoOrNull(key.expires_at),
  revoked_at: isoOrNull(key.revoked_at),
})

/** The first key of those that were rotated from one another. */
export const ownerOf = ({ owner, key_id }: Pick<KeyChanged, 'owner' | 'key_id'>): string =>
  owner === '' ? key_id : owner

export const keyLine = ({ id, tier, namespace, state, name, owner, created_at, expires_at }: ShownKey): string =>
  [
    ...[id, tier.padEnd(12), namespace.padEnd(16), state.padEnd(8), created_at ?? ''],
    ...(expires_at === null ? [] : [`until ${expires_at}`]),
    ...(owner === id ? [] : [`of ${owner}`]),
    name,
  ]
    .join('  ')
    .trimEnd()
