import { inReadingOrder, type StoreScope } from '../../domain/stores.ts'
import { PinnedServerLost, StoreUnreachable, type BoundQuery, type Store } from '../../ports/store.ts'
import type { StoreHealth } from './store-health.ts'

export interface RoutedServer {
  readonly scope: StoreScope
  readonly store: Store
  /** Waits longer for the same server: for reads that no other server is left to answer. Default: `store`. */
  readonly lastResort?: Store
}

/**
 * Reads from one of several servers with copies of the views: the first of the namespace that responds and has caught up
 * with the log, else the first that responds. A read that fails because its server does not respond goes to the next one
 * at once; the last one has more time. Writes nothing: each server is filled by consumer groups of its own.
 */
export function routedStore(servers: readonly RoutedServer[], health: StoreHealth): Store {
  const serverOf = new Map(servers.map((server) => [server.scope.name, server]))

  const serversFor = async ({ params, pin }: BoundQuery<unknown>): Promise<readonly string[]> => {
    if (pin !== undefined && pin.server !== null) return [pin.server]
    const { namespace } = params
    const scopes = servers.map(({ scope }) => scope)
    const holding = typeof namespace === 'string' ? inReadingOrder(scopes, namespace) : scopes
    const usable = await health.usable()
    const names = holding.map(({ name }) => name)
    return [...names.filter((name) => usable.has(name)), ...names.filter((name) => !usable.has(name))]
  }

  return {
    query: async (query) => {
      let failure = new StoreUnreachable('no store holds the namespace')
      const names = await serversFor(query)
      for (const name of names) {
        const server = serverOf.get(name)
        if (server === undefined) continue
        const { store, lastResort = store } = server
        try {
          const found = await (name === names.at(-1) ? lastResort : store).query(query)
          if (query.pin !== undefined) query.pin.server = name
          return found
        } catch (cause) {
          if (!(cause instanceof StoreUnreachable)) throw cause
          health.failed(name)
          failure = failureOf(query, name, cause)
        }
      }
      throw failure
    },
    insert: () => Promise.reject(new Error('a routed store is read only')),
    command: () => Promise.reject(new Error('a routed store is read only')),
    ping: () => firstPing(servers.map(({ store }) => store)),
    close: async () => {
      const stores = new Set(servers.flatMap(({ store, lastResort = store }) => [store, lastResort]))
      await Promise.all([...stores].map((store) => store.close()))
    },
  }
}

const failureOf = ({ pin }: BoundQuery<unknown>, server: string, cause: StoreUnreachable): StoreUnreachable =>
  pin?.server === server ? new PinnedServerLost(`${server} stopped responding`, { cause }) : cause

/** Whether a server responds. */
async function firstPing(stores: readonly Store[]): Promise<boolean> {
  const pinged = async (store: Store): Promise<void> => {
    if (!(await store.ping())) throw new StoreUnreachable('no answer to a ping')
  }
  return Promise.any(stores.map(pinged)).then(
    () => true,
    () => false,
  )
}
