import { viewGroup, type ViewedLog } from '../../ports/log.ts'
import type { StoreHealth } from './store-health.ts'

const OF_ANY_STORE = /^view:([^@]+)$/

/**
 * The log, in which the committed offsets of a view (`view:NAME`) are those that every store that can be read has
 * reached: a read of any of them shows everything before.
 */
export const viewedLog = (log: ViewedLog, health: StoreHealth): ViewedLog => ({
  produce: (records) => log.produce(records),
  ends: (topic) => log.ends(topic),
  partitionOf: (...of) => log.partitionOf(...of),
  read: (topic, partition, from) => log.read(topic, partition, from),
  committed: async (group, topic) => {
    const view = OF_ANY_STORE.exec(group)?.[1]
    if (view === undefined) return log.committed(group, topic)
    const stores = [...(await health.usable())]
    return lowest(await Promise.all(stores.map((store) => log.committed(viewGroup(view, store), topic))))
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
