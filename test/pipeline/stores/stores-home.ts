import { randomBytes } from 'node:crypto'
import { expect, inject, vi } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/adapters/clock.ts'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { MemoryLog } from '../../../src/adapters/memory-log.ts'
import type { StoreConfig } from '../../../src/config/stores.ts'
import { holds } from '../../../src/domain/stores.ts'
import { anyFreePort } from '../../../src/engines/free-port.ts'
import { migrateStore } from '../../../src/operations/stores/migrate-store.ts'
import { forgetStore, storeStates } from '../../../src/operations/stores/stores.ts'
import { pipeline } from '../../../src/pipeline.ts'
import { viewGroup, type Consumer } from '../../../src/ports/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { runView, topicsOf } from '../../../src/runtime/run-view.ts'
import { hashView, TABLES, type ViewName } from '../../../src/views/hash.ts'
import { readStores } from '../../../src/wiring/stores.ts'
import { inserts, startProxy, type Proxy } from '../../chaos/proxy.ts'
import { codec } from '../../builders/plain-log.ts'
import { aRunning } from '../../builders/running.ts'

/** A store behind a proxy, filled by its views: a database of its own on the shared engine. */
interface TestedStore {
  readonly scope: StoreConfig
  readonly proxy: Proxy
  readonly direct: Store
  views: readonly Pick<Consumer, 'stop'>[]
}

type TestedScope = Pick<StoreConfig, 'name' | 'namespaces' | 'except'> &
  /** Default: the shared engine, with a database of its own, and no shards. */
  Partial<Pick<StoreConfig, 'url' | 'user' | 'password' | 'database' | 'shards'>>

/** An in-memory log and some stores that are filled from it and read as the service reads them. */
export async function aStoresHome(...scopes: readonly TestedScope[]) {
  const log = new MemoryLog({ batchRecords: 10, now: () => Date.now() })
  const stores = await Promise.all(scopes.map((scope) => openStore(scope, log)))
  const reading = readStores({ stores: stores.map(({ scope }) => scope), log, clock: systemClock })
  const named = (name: string): TestedStore => {
    const found = stores.find(({ scope }) => scope.name === name)
    if (found === undefined) throw new Error(`no store ${name}`)
    return found
  }
  return {
    log,
    reading,
    storeOf: (name: string): Store => named(name).direct,
    scopeOf: (name: string): StoreConfig => named(name).scope,
    proxyOf: (name: string): Proxy => named(name).proxy,
    states: () =>
      storeStates({
        config: { stores: stores.map(({ scope }) => scope) },
        log: () => Promise.resolve(log),
        openStore: (name) => Promise.resolve(named(name).direct),
      }),
    /** Deletes the database of a store, and fills it again as `docs/stores.md` describes. */
    replaceDisk: async (name: string): Promise<void> => {
      const store = named(name)
      await stopViews(store)
      await store.direct.command(`DROP DATABASE ${store.scope.database} SYNC`)
      await forgetStore(name, log)
      await migrateStore(store.direct, store.scope, () => undefined)
      store.views = await startViews(store.scope, log)
    },
    untilLevel: () => Promise.all(stores.map(({ scope }) => untilFilled(scope.name, log))),
    hashesOf: (name: string) => hashesOf(named(name).direct),
    rowsOf: async (name: string, namespace: string): Promise<number> => {
      const sql = 'SELECT count() AS n FROM articles FINAL WHERE namespace = {namespace: String}'
      const parse = (row: unknown) => z.object({ n: z.number() }).parse(row).n
      const [found = 0] = await named(name).direct.query({ name: 'test.rows', sql, params: { namespace }, parse })
      return found
    },
    close: async () => {
      await reading.store.close()
      await Promise.all(stores.map(closeStore))
    },
  }
}

async function openStore(scope: TestedScope, log: MemoryLog): Promise<TestedStore> {
  const database = `store_${scope.name}_${randomBytes(4).toString('hex')}`
  const given = { ...inject('engines').clickhouse, database, shards: [], ...scope }
  const proxy = await startProxy({ port: await anyFreePort(), target: Number(new URL(given.url).port) }, inserts)
  const url = `http://127.0.0.1:${proxy.port}`
  const configured = { ...given, replicated: false, readMemoryBytes: 500_000_000, url }
  const direct = clickhouseStore(given)
  await migrateStore(direct, configured, () => undefined)
  return { scope: configured, proxy, direct, views: await startViews(configured, log) }
}

async function startViews(scope: StoreConfig, log: MemoryLog): Promise<TestedStore['views']> {
  const running = { ...aRunning({ memoryLog: log, clock: systemClock }), codec }
  const target = {
    name: scope.name,
    store: clickhouseStore({ ...scope, timeoutMs: 5_000 }),
    holds: (namespace: string) => holds(scope, namespace),
  }
  const views = await Promise.all(pipeline.views.map((view) => runView(view, running, target)))
  return [...views, { stop: () => target.store.close() }]
}

async function stopViews({ views }: TestedStore): Promise<void> {
  for (const view of views) await view.stop()
}

async function closeStore(store: TestedStore): Promise<void> {
  const { scope, proxy, direct } = store
  await stopViews(store)
  await direct.command(`DROP DATABASE IF EXISTS ${scope.database} SYNC`)
  await direct.close()
  await proxy.close()
}

async function hashesOf(store: Store): Promise<Readonly<Record<string, string>>> {
  const names = Object.keys(TABLES) as ViewName[]
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await hashView(store, name)).hash] as const)),
  )
}

/** 26 views begin at once. */
const LONG = { timeout: 60_000 }

/** Until the views of a store have read all that the log holds. */
const untilFilled = (store: string, log: MemoryLog): Promise<void> =>
  vi.waitFor(async () => {
    for (const view of pipeline.views) {
      for (const topic of topicsOf(view)) {
        const committed = await log.committed(viewGroup(view.name, store), topic)
        expect(committed.map((next) => next ?? 0)).toEqual(await log.ends(topic))
      }
    }
  }, LONG)
