import { expect, it } from 'vitest'
import type { KeyChanged } from '../../events/settings.ts'
import { countLive, demoKey, restoredLines } from './steps.ts'

const NOW = 1_000
const key = (over: Partial<KeyChanged> = {}): KeyChanged => ({
  ...{
    key_id: 'key_a',
    key_hash: 'a'.repeat(64),
    name: '',
    tier: 'starter',
    namespace: 'shared',
    curator: false,
    scopes: [],
  },
  ...{ created_at: 1, expires_at: null, revoked_at: null, owner: '' },
  ...over,
})

it('counts the live keys of an archive and the private namespaces they belong to', () => {
  const keys = [
    key(),
    key({ namespace: 'zeta' }),
    key({ namespace: 'acme' }),
    key({ namespace: 'acme' }),
    key({ namespace: 'old', revoked_at: 2 }),
  ]

  expect(countLive(keys, NOW)).toEqual({ live: 4, namespaces: ['acme', 'zeta'] })
})

it('says what a restore did not bring', () => {
  expect(restoredLines({ live: 1, namespaces: ['acme', 'zeta'] })).toEqual([
    'the archive has 1 live key: no demo key is created',
    expect.stringContaining('story analysts create acme; story analysts create zeta'),
  ])
  expect(restoredLines({ live: 0, namespaces: [] })).toEqual([])
})

it('creates no key without a name', async () => {
  const cli = { command: 'no-such-command', args: [], environment: {} }
  const secrets = { get: () => undefined, set: () => undefined, random: () => '' }

  expect(await demoKey(cli, { secrets, url: 'http://127.0.0.1:1', name: null })).toBeNull()
})
