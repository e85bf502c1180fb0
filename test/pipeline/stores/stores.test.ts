import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { median } from '../../../src/bench/rounds.ts'
import { inReadingOrder } from '../../../src/domain/stores.ts'
import { forgetStore } from '../../../src/operations/stores/stores.ts'
import { clusterChanges } from '../../../src/views/clusters/feed.ts'
import { publishArticle } from '../operations/rebuild-home.ts'
import { aStoresHome } from './stores-home.ts'

const all = (name: string, except: readonly string[] = []) => ({ name, namespaces: null, except })

/** A read takes at most this much longer when its store goes away. */
const FAILOVER_MS = 1_000

it('fills two stores alike, and reads on while either is away, without a gap or a repetition', async () => {
  const home = await aStoresHome(all('a'), all('b'))
  const { store, log } = home.reading
  const order = inReadingOrder([all('a'), all('b')], 'shared')
  let published = 0
  const publish = async (count: number) => {
    for (let i = 0; i < count; i++) await publishArticle(log as typeof home.log, published++, 'shared')
  }
  const seen: string[] = []
  const took: number[] = []
  let cursor: string | undefined
  const follow = async (): Promise<void> => {
    const began = performance.now()
    const page = await clusterChanges(store, { namespace: 'shared', as_of: null, cursor, limit: 3 })
    took.push(performance.now() - began)
    seen.push(...page.changes.map(({ id }) => id))
    cursor = page.next_cursor
  }

  await publish(12)
  await home.untilLevel()
  for (const [name, trouble] of [order[0], order[1], order[0]].flatMap((one, i) =>
    one === undefined ? [] : ([[one.name, i === 2 ? 'silent' : 'away']] as const),
  )) {
    const over = home.proxyOf(name).trouble(trouble, 3_000)
    await publish(6)
    for (let reads = 0; reads < 8; reads++) {
      await follow()
      await sleep(200)
    }
    await over
    await home.untilLevel()
  }
  while (seen.length < published) await follow()

  expect(new Set(seen).size).toBe(published)
  expect(seen).toHaveLength(published)
  expect(Math.max(...took) - median(took)).toBeLessThan(FAILOVER_MS)
  expect(await home.hashesOf('a')).toEqual(await home.hashesOf('b'))
  await home.close()
}, 600_000)

it('keeps a namespace in a store of its own', async () => {
  const home = await aStoresHome(all('a', ['acme']), { name: 'c', namespaces: ['acme'], except: [] })
  const { store } = home.reading
  for (let i = 0; i < 3; i++) await publishArticle(home.log, i, i === 0 ? 'shared' : 'acme')
  await home.untilLevel()

  expect([await home.rowsOf('a', 'shared'), await home.rowsOf('a', 'acme')]).toEqual([1, 0])
  expect([await home.rowsOf('c', 'shared'), await home.rowsOf('c', 'acme')]).toEqual([0, 2])
  const read = (namespace: string) => clusterChanges(store, { namespace, as_of: null, cursor: undefined, limit: 10 })
  expect((await read('acme')).changes).toHaveLength(2)
  expect((await read('shared')).changes).toHaveLength(1)

  // no other store holds it: a read waits for a restart
  const over = home.proxyOf('c').trouble('away', 1_500)
  expect((await read('acme')).changes).toHaveLength(2)
  expect((await read('shared')).changes).toHaveLength(1)
  await over
  await home.close()
}, 600_000)

it('fills a store again whose disk was lost, while the other one serves', async () => {
  const home = await aStoresHome(all('a'), all('b'))
  for (let i = 0; i < 6; i++) await publishArticle(home.log, i, 'shared')
  await home.untilLevel()
  await expect(forgetStore('b', home.log)).rejects.toThrow() // its views run

  await home.replaceDisk('b')
  const whileFilled = await clusterChanges(home.reading.store, {
    ...{ namespace: 'shared', as_of: null, cursor: undefined, limit: 10 },
  })
  await publishArticle(home.log, 6, 'shared')
  await home.untilLevel()

  expect(whileFilled.changes).toHaveLength(6)
  expect(await home.states()).toMatchObject([
    { name: 'a', responds: true, pending_migrations: 0, lag: 0 },
    { name: 'b', responds: true, pending_migrations: 0, lag: 0 },
  ])
  expect(await home.hashesOf('b')).toEqual(await home.hashesOf('a'))
  await home.close()
}, 600_000)
