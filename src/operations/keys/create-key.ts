import { randomBytes } from 'node:crypto'
import { base32 } from '../../events/ids.ts'
import { SHARED, isNamespace } from '../../domain/intake/articles.ts'
import type { KeyChanged, Tier } from '../../events/settings.ts'
import { keyHash, newKey } from '../../api/http/keys/key.ts'

export interface KeyWish {
  readonly tier: Tier
  /** A private namespace; null: the shared one. */
  readonly privateNamespace: string | null
  readonly curator: boolean
  readonly name: string
  /** Milliseconds since 1970; null: never. */
  readonly expires_at: number | null
  /** Of the key it is rotated from; left out: it is the first. */
  readonly owner?: string
}

/** A new key and the event that makes it known. The key itself is nowhere else: show it once. */
export function createKey(wish: KeyWish, now: number): { readonly key: string; readonly event: KeyChanged } {
  const key = newKey()
  return {
    key,
    event: {
      key_id: `key_${base32(randomBytes(10))}`,
      key_hash: keyHash(key),
      name: wish.name,
      tier: wish.tier,
      namespace: wish.privateNamespace ?? SHARED,
      curator: wish.curator,
      created_at: now,
      expires_at: wish.expires_at,
      revoked_at: null,
      owner: wish.owner ?? '',
    },
  }
}

/** Null: the name can be a private namespace. Else why not. */
export function privateNamespaceProblem(name: string): string | null {
  if (!isNamespace(name)) return 'a namespace is 3 to 40 characters of a-z, 0-9 and -'
  return name === SHARED ? `"${SHARED}" is everybody's namespace` : null
}
