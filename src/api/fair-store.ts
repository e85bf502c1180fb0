import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { EngineAway, PATIENCE_MS } from './away.ts'
import { Room, type RoomBounds } from './room.ts'

/** As many as the client of the store has connections, some of them for other namespaces than the busiest. */
const QUERIES: RoomBounds = { inHand: 16, inHandOfOne: 12, waiting: 500 }

/** The same store, its connections shared out between the namespaces; beyond a bounded queue it is `Away`. */
export function fairStore(store: Store, clock: Clock, bounds: RoomBounds = QUERIES): Store {
  const room = new Room(bounds)
  return {
    query: async (query) => {
      const until = clock.now() + PATIENCE_MS
      return await room.run(String(query.params['namespace']), async () => {
        if (clock.now() >= until) throw new EngineAway('who asked has been sent away meanwhile')
        return await store.query(query)
      })
    },
    insert: async (table, rows) => await store.insert(table, rows),
    command: async (sql) => await store.command(sql),
    ping: async () => await store.ping(),
    close: async () => await store.close(),
  }
}
