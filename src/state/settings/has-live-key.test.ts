import { expect, it } from 'vitest'
import { hasLiveKey } from './has-live-key.ts'

const NOW = 1_000
const key = (over: object = {}) => ({
  ...{ key_id: 'key_a', namespace: 'shared', owner: '', expires_at: null, revoked_at: null },
  ...over,
})
const shared = { namespace: 'shared', owner: 'key_a' }
const atHome = { namespace: 'acme', owner: '' }

it.each([
  ['its own key', shared, key(), true],
  ['a key rotated from it', shared, key({ key_id: 'key_b', owner: 'key_a' }), true],
  ['a stranger of the shared namespace', shared, key({ key_id: 'key_b' }), false],
  ['a key of the same name elsewhere', shared, key({ namespace: 'acme' }), false],
  ['a key that is revoked', shared, key({ revoked_at: NOW + 1 }), false],
  ['a key that ends now', shared, key({ expires_at: NOW }), false],
  ['a key that ends in a moment', shared, key({ expires_at: NOW + 1 }), true],
  ['any key of a private namespace', atHome, key({ key_id: 'key_c', namespace: 'acme' }), true],
  ['a revoked key of a private namespace', atHome, key({ namespace: 'acme', revoked_at: 1 }), false],
  ['a key of another private namespace', atHome, key({ namespace: 'other' }), false],
])('%s', (_, webhook, one, live) => {
  expect(hasLiveKey(webhook, [one], NOW)).toBe(live)
  expect(hasLiveKey(webhook, [key({ namespace: 'nobody' }), one], NOW)).toBe(live)
  expect(hasLiveKey(webhook, [], NOW)).toBe(false)
})
