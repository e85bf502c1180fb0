import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { EngineAway, PATIENCE_MS } from './engine-deadline.ts'
import { Room, type RoomBounds } from './admission.ts'

/** As many as the client of the store has connections, some of them for other namespaces than the busiest. */
const QUERIES: RoomBounds = { inHand: 16, inHandOfOne: 12, waiting: 500 }

/** The same store, its connections shared out between the namespaces; beyond a bounded queue it is `Away`. */
export function fairStore(store: Store, clock: Clock, bounds: RoomBounds = QUERIES): Store {
  const room = new Room(bounds)
  return {
    query: async (query) => {
      const until = clock.now() + PATIENCE_MS
      return room.run(String(query.params['namespace']), async () => {
        if (clock.now() >= until) throw new EngineAway('who asked has been sent away meanwhile')
        return store.query(query)
      })
    },
    insert: (table, rows) => store.insert(table, rows),
    command: (sql) => store.command(sql),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}
