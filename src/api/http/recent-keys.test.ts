import { expect, it } from 'vitest'
import { RecentKeys, type InUse, type KeyBounds } from './recent-keys.ts'

const WIDE: KeyBounds = { ofOwner: 1_000, inAll: 1_000, idleMs: 1_000_000 }

interface RecentKeysEntry extends InUse {
  readonly name: string
}

function someKeys(bounds: Partial<KeyBounds>) {
  const keys = new RecentKeys<RecentKeysEntry>({ ...WIDE, ...bounds })
  const made: string[] = []
  const use = (owner: string, name: string, now = 0): RecentKeysEntry =>
    keys.use(owner, name, { now, make: () => (made.push(`${owner} ${name}`), { users: 0, name }) })
  return { keys, made, use }
}

it('holds no more entries than the process may, however many owners there are', () => {
  const { keys, use } = someKeys({ inAll: 10 })

  for (let i = 0; i < 1_000; i++) use(`owner ${i}`, 'a key')

  expect(keys.size).toBe(10)
})

it('drops entries that were not used for the idle time', () => {
  const { keys, made, use } = someKeys({ idleMs: 100 })
  use('a', 'old', 0)
  use('a', 'used again', 0)

  use('a', 'used again', 90)
  use('b', 'new', 120)

  expect(keys.size).toBe(2)
  use('a', 'used again', 120)
  expect(made).toEqual(['a old', 'a used again', 'b new'])
})

it('drops the least recently used first', () => {
  const { made, use } = someKeys({ inAll: 2 })
  use('a', 'first')
  use('b', 'second')
  use('a', 'first')

  use('c', 'third')

  use('a', 'first')
  expect(made).toEqual(['a first', 'b second', 'c third'])
})

it('never drops an entry that is in use', () => {
  const { keys, made, use } = someKeys({ inAll: 2, idleMs: 100 })
  const busy = use('a', 'busy', 0)
  busy.users = 1

  for (let i = 0; i < 10; i++) use('b', `key ${i}`, 1_000)

  expect(use('a', 'busy', 1_000)).toBe(busy)
  expect(made.filter((name) => name === 'a busy')).toHaveLength(1)
  expect(keys.size).toBeLessThanOrEqual(2)
})

it('lets one owner displace only its own entries while the process has room', () => {
  const { made, use } = someKeys({ ofOwner: 3 })
  use('quiet', 'one')

  for (let i = 0; i < 100; i++) use('busy', `key ${i}`)

  use('quiet', 'one')
  expect(made.filter((name) => name === 'quiet one')).toHaveLength(1)
})
