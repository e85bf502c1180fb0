import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { aHandClock } from '../../../test/builders/hand-clock.ts'
import type { StoreOffsets, StoreScope } from '../../domain/stores.ts'
import {
  PinnedServerLost,
  pinnedTo,
  StoreUnavailable,
  StoreUnreachable,
  type BoundQuery,
  type Store,
} from '../../ports/store.ts'
import { routedStore } from './routed-store.ts'
import { StoreHealth } from './store-health.ts'
import { viewedLog } from './viewed-log.ts'

/** A server whose reads return its name. */
class ServerDouble implements Store {
  readonly name: string
  failure: Error | null = null
  offset = 10

  constructor(name: string) {
    this.name = name
  }

  query<Out>({ parse }: BoundQuery<Out>): Promise<readonly Out[]> {
    return this.failure === null ? Promise.resolve([parse(this.name)]) : Promise.reject(this.failure)
  }

  ping = (): Promise<boolean> => Promise.resolve(this.failure === null)
  insert = (): Promise<void> => Promise.resolve()
  command = (): Promise<void> => Promise.resolve()
  close = (): Promise<void> => Promise.resolve()
}

function aRouted(...scopes: (Omit<StoreScope, 'except'> & { readonly server: ServerDouble })[]) {
  const clock = aHandClock()
  const offsetOf = (name: string): number => scopes.find((one) => one.name === name)?.server.offset ?? 0
  const offsetsOf = (name: string): Promise<StoreOffsets> =>
    Promise.resolve({ changes: { 'changes.published': [offsetOf(name)] } })
  const stores = scopes.map(({ server, ...scope }) => ({ scope: { ...scope, except: [] }, store: server }))
  const health = new StoreHealth({ stores, offsetsOf, clock })
  const store = routedStore(stores, health)
  const passing = async <Result>(work: Promise<Result>): Promise<Result> => {
    const running = { isDone: false }
    const ended = work.finally(() => (running.isDone = true))
    ended.catch(() => undefined)
    while (!running.isDone) {
      await turn()
      clock.pass(100)
    }
    return ended
  }
  const query = (namespace: string): BoundQuery<string> => ({
    ...{ name: 'test', sql: '', params: { namespace } },
    parse: String,
  })
  const read = (from: Store = store, namespace = 'shared') => passing(from.query(query(namespace)))
  const committed = (group: string): Promise<number[]> => {
    const [, of = 'main'] = /^view:changes(?:@(.+))?$/.exec(group) ?? []
    return Promise.resolve(group === 'clustered' ? [1] : [offsetOf(of)])
  }
  const ports = { committed, produce: never, ends: never, read: never, partitionOf: never }
  const log = viewedLog(
    ports,
    stores.map(({ scope }) => scope),
    health,
  )
  const offsets = (group: string) => passing(log.committed(group, 'changes.published'))
  return { store, health, clock, read, passing, offsets }
}

function aPair() {
  const [a, b] = [new ServerDouble('a'), new ServerDouble('b')]
  const routed = aRouted({ name: 'a', namespaces: null, server: a }, { name: 'b', namespaces: null, server: b })
  return { ...routed, servers: { a, b } }
}

/** The server that is read while both can be, and the other one. */
async function inOrder({ read, servers }: ReturnType<typeof aPair>): Promise<readonly [ServerDouble, ServerDouble]> {
  const [first] = await read()
  return first === 'a' ? [servers.a, servers.b] : [servers.b, servers.a]
}

it('reads one server while it responds, and the next one at once when it does not', async () => {
  const pair = aPair()
  const [first, second] = await inOrder(pair)
  expect(await pair.read()).toEqual([first.name])

  first.failure = new StoreUnreachable('gone')
  expect(await pair.read()).toEqual([second.name])
  second.failure = new StoreUnreachable('gone too')
  await expect(pair.read()).rejects.toThrow(StoreUnreachable)

  first.failure = null
  second.failure = null
  pair.clock.pass(10_000)
  await pair.read() // starts a check
  await pair.passing(turn())
  expect(await pair.read()).toEqual([first.name])
})

it('gives the last server that may answer more time, and the only one of a pin', async () => {
  const clock = aHandClock()
  const [a, b] = [new ServerDouble('a'), new ServerDouble('b')]
  const offsetsOf = () => Promise.resolve({})
  const servers = [a, b].map((slow) => ({
    scope: { name: slow.name, namespaces: null, except: [] },
    store: Object.assign(new ServerDouble(slow.name), { failure: new StoreUnreachable('given up') }),
    lastResort: slow,
  }))
  const health = new StoreHealth({ stores: servers, offsetsOf, clock })
  vi.spyOn(health, 'usable').mockResolvedValue(new Set(['a', 'b']))
  const store = routedStore(servers, health)
  const query = { name: 'test', sql: '', params: { namespace: 'shared' }, parse: String }

  const [last] = await store.query(query)
  const first = last === 'a' ? 'b' : 'a'

  expect(await store.query({ ...query, pin: { server: first } })).toEqual([first])
  ;(last === 'a' ? a : b).failure = new StoreUnreachable('gone')
  await expect(store.query(query)).rejects.toThrow('gone')
})

it('passes on the error of a server that responds', async () => {
  const pair = aPair()
  const [first] = await inOrder(pair)
  first.failure = new StoreUnavailable('too busy')

  await expect(pair.read()).rejects.toThrow('too busy')
})

it('does not read a server that lags behind, unless no other responds', async () => {
  const pair = aPair()
  const [first, second] = await inOrder(pair)
  second.offset = 500
  for (let checks = 0; checks < 2; checks++) {
    pair.clock.pass(10_000)
    await pair.read()
    await pair.passing(turn())
  }
  expect(await pair.read()).toEqual([second.name])

  second.failure = new StoreUnreachable('gone')
  expect(await pair.read()).toEqual([first.name])
})

it('reads with one pin go to one server or fail', async () => {
  const pair = aPair()
  const [first, second] = await inOrder(pair)
  const pin = { server: null as string | null }
  const pinned = pinnedTo(pair.store, pin)
  expect(await pair.read(pinned)).toEqual([first.name])
  expect(pin.server).toBe(first.name)

  first.failure = new StoreUnreachable('gone')
  await expect(pair.read(pinned)).rejects.toThrow(PinnedServerLost)
  expect(await pair.read(pinnedTo(pair.store, { server: null }))).toEqual([second.name])
})

it('reads a namespace in the stores that hold it only', async () => {
  const [a, c] = [new ServerDouble('a'), new ServerDouble('c')]
  const { read, store } = aRouted(
    { name: 'a', namespaces: null, server: a },
    { name: 'c', namespaces: ['acme'], server: c },
  )
  expect(await read(store, 'acme')).toEqual(['c'])
  expect(await read(store, 'shared')).toEqual(['a'])

  a.failure = new StoreUnreachable('gone')
  await expect(read(store, 'shared')).rejects.toThrow(StoreUnreachable)
})

it('writes nothing', async () => {
  const { store } = aPair()

  await expect(store.insert('articles', [])).rejects.toThrow('read only')
  await expect(store.command('DROP TABLE articles')).rejects.toThrow('read only')
})

it('shows the offsets that every store that can be read has reached', async () => {
  const pair = aPair()
  const [first, second] = await inOrder(pair)
  second.offset = 8

  expect(await pair.offsets('view:changes')).toEqual([8])
  expect(await pair.offsets(`view:changes@${second.name}`)).toEqual([8])
  expect(await pair.offsets('clustered')).toEqual([1])
  second.failure = new StoreUnreachable('gone')
  pair.health.failed(second.name)
  expect(await pair.offsets('view:changes')).toEqual([first.offset])
  pair.health.failed(first.name) // none can be read: any may be
  expect(await pair.offsets('view:changes')).toEqual([8])
})

it('shows the offsets of a store that cannot be read if no other holds its namespaces', async () => {
  const [main, c] = [new ServerDouble('main'), new ServerDouble('c')]
  const { read, offsets, clock, passing, store } = aRouted(
    { name: 'main', namespaces: null, server: main },
    { name: 'c', namespaces: ['acme'], server: c },
  )
  await read()
  c.offset = 900 // it inserts less
  for (let checks = 0; checks < 2; checks++) {
    clock.pass(10_000)
    await read()
    await passing(turn())
  }

  expect(await read(store, 'shared')).toEqual(['main'])
  expect(await read(store, 'acme')).toEqual(['c'])
  expect(await offsets('view:changes')).toEqual([main.offset])
  expect(await offsets('view:changes@main')).toEqual([main.offset])
  expect(await offsets('view:changes@c')).toEqual([900])
})

const never = (): never => {
  throw new Error('not used')
}
