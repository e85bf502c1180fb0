import { reachable, type StoreScope } from '../../domain/stores.ts'
import { viewGroup, type ViewedLog } from '../../ports/log.ts'
import type { StoreHealth } from './store-health.ts'

/** `view:NAME`, or `view:NAME@STORE`. */
const VIEW_GROUP = /^view:([^@]+)(?:@(.+))?$/

/**
 * The log, in which the committed offsets of a view (`view:NAME`) are those that every store that a read may reach has
 * reached: a read shows everything before. `view:NAME@STORE` are those of one store, `main` too.
 */
export const viewedLog = (log: ViewedLog, scopes: readonly StoreScope[], health: StoreHealth): ViewedLog => ({
  produce: (records) => log.produce(records),
  ends: (topic) => log.ends(topic),
  partitionOf: (...of) => log.partitionOf(...of),
  read: (topic, partition, from) => log.read(topic, partition, from),
  committed: async (group, topic) => {
    const [, view, store] = VIEW_GROUP.exec(group) ?? []
    if (view === undefined) return log.committed(group, topic)
    if (store !== undefined) return log.committed(viewGroup(view, store), topic)
    const stores = reachable(scopes, await health.usable())
    return lowest(await Promise.all(stores.map((name) => log.committed(viewGroup(view, name), topic))))
  },
})

type CommittedOffsets = readonly (number | null)[]

/** `null` where a store has committed nothing. */
function lowest(stores: readonly CommittedOffsets[]): CommittedOffsets {
  const partitions = Math.max(0, ...stores.map(({ length }) => length))
  return Array.from({ length: partitions }, (_, partition) => {
    const offsets = stores.map((store) => store[partition] ?? null)
    return offsets.includes(null) ? null : Math.min(...offsets.map((offset) => offset ?? 0))
  })
}
