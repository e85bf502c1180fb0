import type { StoreOffsets } from '../../domain/stores.ts'
import { pipeline } from '../../pipeline.ts'
import { viewGroup, type Log } from '../../ports/log.ts'
import { topicsOf } from '../../runtime/run-view.ts'

/** The committed offsets of a store's views. */
export async function viewOffsets(store: string, log: Pick<Log, 'committed'>): Promise<StoreOffsets> {
  const entries = pipeline.views.map(async (view) => {
    const group = viewGroup(view.name, store)
    const topics = topicsOf(view).map(async (topic) => [topic, await log.committed(group, topic)] as const)
    return [view.name, Object.fromEntries(await Promise.all(topics))] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
