import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limits } from './limits.ts'

const CALLER = { key_id: 'key_1', tier: 'starter' } as const
const perMinute = { starter: 60, professional: 600, enterprise: 6_000 }

it('never allows more in a minute than the bucket and what flows into it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { minLength: 1, maxLength: 400 }), (gaps) => {
      const spend = limits(perMinute)
      let now = 0
      const allowed = gaps.flatMap((gap) => {
        now += gap
        return spend(CALLER, 'request', now).allowed ? [now] : []
      })
      return allowed.every((from) => allowed.filter((at) => at >= from && at < from + 60_000).length <= 120)
    }),
  )
})

it('charges nothing for what it refuses: asking on does not push the next request away', () => {
  const spend = limits(perMinute)
  for (let i = 0; i < 60; i++) spend(CALLER, 'request', 0)
  for (let ms = 1; ms < 1_000; ms++) expect(spend(CALLER, 'request', ms).allowed).toBe(false)

  expect(spend(CALLER, 'request', 1_000).allowed).toBe(true)
})

it('has for a key not seen for long what it has for a new one, and the same for one seen a moment ago', () => {
  const spend = limits(perMinute)
  for (let i = 0; i < 60; i++) spend(CALLER, 'request', 0)
  spend({ ...CALLER, key_id: 'key_2' }, 'request', 30_000) // its bucket is under a minute old at the eviction
  const [later, other] = [spend(CALLER, 'request', 61_000), spend({ ...CALLER, key_id: 'key_2' }, 'request', 61_000)]

  expect(later.headers.ratelimit).toBe('"default";r=59;t=1')
  expect(other.headers.ratelimit).toBe('"default";r=59;t=1')
})

it('counts polls in a bucket of their own', () => {
  const spend = limits(perMinute)
  for (let i = 0; i < 60; i++) spend(CALLER, 'request', 0)

  expect(spend(CALLER, 'request', 0).allowed).toBe(false)
  expect(spend(CALLER, 'poll', 0).headers).toEqual({
    'ratelimit-policy': '"poll";q=600;w=60',
    ratelimit: '"poll";r=599;t=1',
  })
})
