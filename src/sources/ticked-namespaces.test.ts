import { expect, it, vi } from 'vitest'
import { TickedNamespaces } from './ticked-namespaces.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 23, 12)
const QUIET_MS = 8 * DAY_MS

const aKey = (namespace: string, over: { readonly expires_at?: number; readonly revoked_at?: number } = {}) => ({
  namespace,
  expires_at: null,
  revoked_at: null,
  ...over,
})

const someNamespaces = (keys: readonly ReturnType<typeof aKey>[], newestFact: () => Promise<number | null>) =>
  new TickedNamespaces({
    keys: () => Promise.resolve(keys),
    always: ['watched'],
    newestFact,
    quietMs: QUIET_MS,
  })

const long = NOW - 100 * DAY_MS

it('ticks namespaces with a live key, and none whose keys ended long ago', async () => {
  const keys = [
    aKey('lab'),
    aKey('gone', { revoked_at: long }),
    aKey('over', { expires_at: long }),
    aKey('back', { revoked_at: long }),
    aKey('back'),
  ]

  const ticked = await someNamespaces(keys, () => Promise.resolve(null)).at(NOW)

  expect(ticked).toEqual(['shared', 'watched', 'lab', 'back'])
})

it.each([
  ['its key ended a day ago', NOW - DAY_MS, null],
  ['the log took news of it a day ago', long, NOW - DAY_MS],
])('goes on ticking a namespace without a live key while %s', async (_, revoked_at, newest) => {
  const namespaces = someNamespaces([aKey('lab', { revoked_at })], () => Promise.resolve(newest))

  expect(await namespaces.at(NOW)).toContain('lab')
  expect(await namespaces.at(NOW + QUIET_MS)).not.toContain('lab')
})

it('ticks what it cannot find out about, and asks no more than once an hour', async () => {
  const away = vi.fn(() => Promise.reject<null>(new Error('the store is away')))
  const quiet = vi.fn(() => Promise.resolve(null))
  const keys = [aKey('lab', { revoked_at: long })]
  const namespaces = someNamespaces(keys, quiet)

  expect(await someNamespaces(keys, away).at(NOW)).toContain('lab')
  for (const minute of [0, 1, 59, 61]) await namespaces.at(NOW + minute * 60_000)

  expect(quiet).toHaveBeenCalledTimes(2)
})
