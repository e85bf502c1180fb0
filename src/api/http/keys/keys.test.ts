import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anApi, A_NOON, aCodec, aHandMovedClock, aLog, settled, type TestApi } from '../../../../test/builders/api.ts'
import { keysChanged } from '../../../events/settings.ts'
import { createKey, privateNamespaceProblem, publishKey } from '../../../operations/keys/create-key.ts'
import { KeyBook } from './key-book.ts'
import { isKey, keyHash, newKey } from './key.ts'
import { followKeys } from './keyring.ts'

const silent = { warn: () => undefined, error: () => undefined }
const aWish = {
  tier: 'starter',
  privateNamespace: null,
  scopes: ['read', 'write'],
  name: '',
  expires_at: null,
} as const

describe('a key', () => {
  it('is pk_live_ and 36 characters, each one different', () => {
    const keys = Array.from({ length: 50 }, newKey)

    expect(keys.every((key) => /^pk_live_[0-9A-Za-z]{36}$/.test(key) && isKey(key))).toBe(true)
    expect(new Set(keys).size).toBe(50)
  })

  it('with any one character wrong is no key, before any look-up', () => {
    const key = newKey()
    const typos = Array.from(
      key,
      (character, i) => key.slice(0, i) + (character === 'a' ? 'b' : 'a') + key.slice(i + 1),
    )

    expect(typos.filter(isKey)).toEqual([])
  })

  it('is known by its hash alone', () => {
    const { key, event } = createKey({ ...aWish, privateNamespace: 'acme' }, A_NOON)

    expect(JSON.stringify(event)).not.toContain(key.slice(8))
    expect(event).toMatchObject({ key_hash: keyHash(key), namespace: 'acme', created_at: A_NOON, revoked_at: null })
    expect(event.key_id).toMatch(/^key_[a-z2-7]{16}$/)
  })

  it.each(['shared', 'ab', 'Acme', 'a'.repeat(41), 'a_b'])('has no private namespace "%s"', (name) => {
    expect(privateNamespaceProblem(name)).not.toBeNull()
  })
})

describe('the book of keys', () => {
  it('is the fold over keys.changed: the newest state holds, a tombstone forgets', async () => {
    const [log, codec, book] = [aLog({ batchRecords: 2 }), aCodec(), new KeyBook()]
    const [one, two, three] = [createKey(aWish, 1), createKey(aWish, 2), createKey(aWish, 3)]
    for (const { event } of [one, two, three]) await publishKey(event, { log, codec })
    await book.catchUp({ log, codec })
    await publishKey({ ...one.event, revoked_at: 5 }, { log, codec })
    await log.produce([{ topic: keysChanged.name, key: two.event.key_id, value: null }])
    await book.catchUp({ log, codec })

    expect(book.find(one.key)).toMatchObject({ revoked_at: 5 })
    expect(book.find(two.key)).toBeNull()
    expect(book.all().map(({ created_at }) => created_at)).toEqual([1, 3])
  })

  it('says whether an owner has a live key, as keys are rotated, revoked, forgotten and expire', async () => {
    const [log, codec, book] = [aLog(), aCodec(), new KeyBook()]
    const first = createKey(aWish, 1).event
    const rotated = { ...createKey(aWish, 2).event, owner: first.key_id, expires_at: 100 }
    const atHome = createKey({ ...aWish, privateNamespace: 'acme' }, 3).event
    const owner = { namespace: 'shared', owner: first.key_id }
    const acme = { namespace: 'acme', owner: '' }
    const live = async (now: number, ...changes: readonly (typeof first)[]) => {
      for (const change of changes) await publishKey(change, { log, codec })
      await book.catchUp({ log, codec })
      return [book.hasLiveKey(owner, now), book.hasLiveKey(acme, now)]
    }

    expect(await live(5)).toEqual([false, false])
    expect(await live(5, first, atHome)).toEqual([true, true])
    expect(await live(5, rotated, { ...first, revoked_at: 5 })).toEqual([true, true])
    expect(await live(100, { ...atHome, revoked_at: 6 })).toEqual([false, false])
    expect(await live(5)).toEqual([true, false])
    await log.produce([{ topic: keysChanged.name, key: rotated.key_id, value: null }])
    expect(await live(5)).toEqual([false, false])
    expect(book.hasLiveKey({ namespace: 'shared', owner: atHome.key_id }, 5)).toBe(false)
  })

  it('reads past what it cannot understand, and says where that was', async () => {
    const [log, codec, book] = [aLog(), aCodec(), new KeyBook()]
    const { key, event } = createKey(aWish, 1)
    await log.produce([{ topic: keysChanged.name, key: 'x', value: Buffer.from('nonsense') }])
    await publishKey(event, { log, codec })

    expect(await book.catchUp({ log, codec })).toEqual([0])
    expect(book.find(key)).not.toBeNull()
  })
})

describe('the keyring', () => {
  it('is not ready before the topic was read once, and goes on with what it knows when the log is away', async () => {
    const [log, codec, clock] = [aLog(), aCodec(), aHandMovedClock()]
    const { key, event } = createKey(aWish, 1)
    await publishKey(event, { log, codec })
    let away = true
    const moody = {
      ends: async (topic: string) => (away ? Promise.reject(new Error('away')) : log.ends(topic)),
      read: log.read.bind(log),
    }
    const keys = followKeys({ log: moody, codec, clock, logger: silent })
    await settled()

    expect(keys.notReady()).toBe('the keys have not been read yet')
    away = false
    await clock.advance(1_000)
    expect(keys.notReady()).toBeNull()
    away = true
    await clock.advance(1_000)
    expect(keys.find(key, A_NOON)).toMatchObject({ tier: 'starter', namespace: 'shared' })
    await keys.stop()
  })
})

describe('at the door', () => {
  let api: TestApi
  beforeEach(async () => {
    api = await anApi()
  })
  afterEach(() => api.stop())

  const statusWith = async (key: string): Promise<number> => (await api.get('/layer0/v1/nothing', key)).status

  it('nobody is called invalid before the keys were read: 503', async () => {
    const unread = await anApi({ keys: { find: () => null, notReady: () => 'the keys have not been read yet' } })
    const response = await unread.get('/layer0/v1/search?query=x', newKey())

    expect(response.status).toBe(503)
    expect((await unread.get('/readyz')).status).toBe(503)
    await unread.stop()
  })

  it('a revoked key is refused within 5 s', async () => {
    const { key, event } = createKey(aWish, A_NOON)
    await publishKey(event, api)
    await api.clock.advance(1_000)
    expect(await statusWith(key)).toBe(404)

    await publishKey({ ...event, revoked_at: api.clock.now() }, api)
    await api.clock.advance(5_000)

    expect(await statusWith(key)).toBe(401)
  })

  it('a key is good as soon as it has been published, also for many at once, with one look at the log', async () => {
    const { key } = createKey(aWish, A_NOON)
    expect(await statusWith(key)).toBe(401)
    const made = createKey(aWish, A_NOON)
    await publishKey(made.event, api)
    const ends = vi.spyOn(api.log, 'ends')
    const pending = Promise.all(Array.from({ length: 20 }, () => statusWith(made.key)))
    await settled()
    await api.clock.advance(200)

    expect(new Set(await pending)).toEqual(new Set([404]))
    expect(ends).toHaveBeenCalledTimes(1)
  })

  it('made-up keys cost a look in 200 ms, typos and revoked ones none', async () => {
    const { key, event } = createKey(aWish, A_NOON)
    await publishKey({ ...event, revoked_at: A_NOON }, api)
    await api.clock.advance(1_000)
    const ends = vi.spyOn(api.log, 'ends')
    expect([await statusWith(key), await statusWith('pk_live_typo')]).toEqual([401, 401])
    expect(ends).not.toHaveBeenCalled()

    const pending: Promise<number>[] = []
    for (let ms = 0; ms < 800; ms += 20) {
      pending.push(...Array.from({ length: 5 }, () => statusWith(newKey())))
      await settled()
      await api.clock.advance(20)
    }
    await api.clock.advance(200)

    expect(new Set(await Promise.all(pending))).toEqual(new Set([401]))
    expect(ends.mock.calls.length).toBeGreaterThan(1)
    expect(ends.mock.calls.length).toBeLessThanOrEqual(6)
  })

  it('a log that does not answer holds up nobody for more than a second, and after that nobody at all', async () => {
    const known = await api.key()
    let letGo: (ends: number[]) => void = () => undefined
    const coming = new Promise<number[]>((resolve) => (letGo = resolve))
    const ends = vi.spyOn(api.log, 'ends').mockImplementation(() => coming)
    const held = statusWith(newKey())
    await settled()
    await api.clock.advance(1_000)

    expect(await held).toBe(401)
    expect([await statusWith(newKey()), await statusWith(known)]).toEqual([401, 404])
    ends.mockRestore()
    letGo([])
  })

  it('a log that fails is 401 as before', async () => {
    const ends = vi.spyOn(api.log, 'ends').mockRejectedValue(new Error('away'))

    expect([await statusWith(newKey()), await statusWith(newKey())]).toEqual([401, 401])
    ends.mockRestore()
  })

  it('a key is refused from the moment it expires', async () => {
    const key = await api.key({ expires_at: A_NOON + 60_000 })
    await api.clock.advance(58_999)
    expect(await statusWith(key)).toBe(404)

    await api.clock.advance(1)

    expect(await statusWith(key)).toBe(401)
  })

  it('rotation is two live keys', async () => {
    const keys = [await api.key({ namespace: 'acme' }), await api.key({ namespace: 'acme' })]

    expect(await Promise.all(keys.map(statusWith))).toEqual([404, 404])
  })
})
