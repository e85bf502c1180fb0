import { SHARED } from '../../domain/intake/articles.ts'
import type { KeyChanged } from '../../events/settings.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'

/** A setting of an owner. */
export type SettingOwner = Pick<WebhookChanged, 'namespace' | 'owner'>
type Key = Pick<KeyChanged, 'key_id' | 'namespace' | 'owner' | 'expires_at' | 'revoked_at'>

/** The name of an owner: one owner in the shared namespace, or a private namespace as a whole. */
export const ownerName = ({ namespace, owner }: SettingOwner): string =>
  namespace === SHARED ? `${namespace} ${owner}` : namespace

/** The name of the owner of a key. A key that was not rotated from another is its own owner. */
export const ownerNameOfKey = ({ namespace, owner, key_id }: Omit<Key, 'expires_at' | 'revoked_at'>): string =>
  ownerName({ namespace, owner: owner === '' ? key_id : owner })

/**
 * Whether the key belongs to the endpoint's owner: a single owner in the shared namespace, every key of a private
 * namespace.
 */
export const isOfKey = (webhook: SettingOwner, key: Omit<Key, 'expires_at' | 'revoked_at'>): boolean =>
  ownerNameOfKey(key) === ownerName(webhook)

/** Whether any valid key may still read what the endpoint is sent. `now` in milliseconds since 1970. */
export function hasLiveKey(webhook: SettingOwner, keys: Iterable<Key>, now: number): boolean {
  for (const key of keys) if (isLive(key, now) && isOfKey(webhook, key)) return true
  return false
}

/** Whether a key may still be used. `now` in milliseconds since 1970. */
export const isLive = ({ expires_at, revoked_at }: Pick<Key, 'expires_at' | 'revoked_at'>, now: number): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now)
