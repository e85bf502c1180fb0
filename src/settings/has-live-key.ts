import { SHARED } from '../events/intake-rules.ts'
import type { KeyChanged } from '../events/settings.ts'
import type { WebhookChanged } from '../events/webhooks.ts'

type Whose = Pick<WebhookChanged, 'namespace' | 'owner'>
type Key = Pick<KeyChanged, 'key_id' | 'namespace' | 'owner' | 'expires_at' | 'revoked_at'>

/** Keys of whoever the endpoint belongs to: of one owner in the shared namespace, all those of a private one. */
export const isOfKey = ({ namespace, owner }: Whose, key: Omit<Key, 'expires_at' | 'revoked_at'>): boolean =>
  key.namespace === namespace && (namespace !== SHARED || (key.owner === '' ? key.key_id : key.owner) === owner)

/** Whether anybody is left who may still ask for what the endpoint is sent. `now` in milliseconds since 1970. */
export const hasLiveKey = (webhook: Whose, keys: readonly Key[], now: number): boolean =>
  keys.some((key) => isOfKey(webhook, key) && isLive(key, now))

const isLive = ({ expires_at, revoked_at }: Key, now: number): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now)
