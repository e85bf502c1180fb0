import { IDEMPOTENCY_MS, type KeyedRequest, keyReused, randomId, shortHash } from './idempotency.ts'
import type { Problem } from './problem.ts'

/** Characters after the prefix of an id, such as `whk_`. */
export const SETTING_ID_CHARACTERS = 16
const KEY_CHARACTERS = 7
const BODY_CHARACTERS = 4

const keyPrefix = (prefix: string, { key_hash }: Pick<KeyedRequest, 'key_hash'>): string =>
  prefix + shortHash(key_hash, KEY_CHARACTERS)

const requestPrefix = (prefix: string, request: Pick<KeyedRequest, 'key_hash' | 'body_hash'>): string =>
  keyPrefix(prefix, request) + shortHash(request.body_hash, BODY_CHARACTERS)

/**
 * The id of a setting that is created under an `Idempotency-Key`: it starts with hashes of the key and the request and
 * ends with random characters. Without the service's secret it looks like a random id. A new id is used each time, so
 * that a deleted setting stays deleted.
 */
export const keyedSettingId = (prefix: string, request: KeyedRequest): string =>
  requestPrefix(prefix, request) + randomId(SETTING_ID_CHARACTERS - KEY_CHARACTERS - BODY_CHARACTERS)

interface CreatedSetting {
  readonly id: string
  readonly created_at: number
}

/**
 * Finds the setting that an earlier request with the same `Idempotency-Key` created; `null` if there is none, a problem
 * if that request was different.
 */
export function firstUnderKey<Setting extends CreatedSetting>(
  prefix: string,
  request: KeyedRequest,
  settings: readonly Setting[],
): Setting | Problem | null {
  const start = keyPrefix(prefix, request)
  const found = settings.find(({ id, created_at }) => id.startsWith(start) && request.now - created_at < IDEMPOTENCY_MS)
  return found === undefined || found.id.startsWith(requestPrefix(prefix, request)) ? (found ?? null) : keyReused()
}
