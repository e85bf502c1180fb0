import { messageOf } from '../../domain/message-of.ts'
import type { Store } from '../../ports/store.ts'
import type { DerivedTables, NewRows } from '../../runtime/shapes.ts'
import { recomputeDerived, refreshDerived, type FactsRange } from './refresh-derived.ts'

/** Lists compute stories with newer facts by themselves, so rows are refreshed rarely, many at once. */
const EVERY_MS = 10_000
/** A refresh takes at most this share of the time, ... */
const SHARE = 0.1
/** ... but the first one of a large namespace takes minutes, and so many stories must not wait ten times as long. */
const MOST_MS = 60_000

/** What is refreshed next in one store, by namespace. */
interface Kept {
  readonly pending: Map<string, FactsRange>
  isRunning: boolean
}

const kept = new WeakMap<Store, Kept>()

/**
 * Refreshes the figures and items of the stories that new facts touch, in the background. If the process ends or the
 * store fails, the next refresh includes what this one did not.
 */
export const derivedStories: DerivedTables = {
  follow: (store, { namespaces, partition, from, upTo, clock, logger }) => {
    const all = kept.get(store) ?? { pending: new Map<string, FactsRange>(), isRunning: false }
    kept.set(store, all)
    for (const namespace of namespaces) {
      const before = all.pending.get(namespace)?.from ?? from
      all.pending.set(namespace, { namespace, partition, from: Math.min(before, from), upTo })
    }
    if (!all.isRunning) void keep(store, all, { clock, logger })
  },
  recompute: recomputeDerived,
}

async function keep(store: Store, all: Kept, { clock, logger }: Pick<NewRows, 'clock' | 'logger'>) {
  all.isRunning = true
  while (all.pending.size > 0) {
    const began = clock.now()
    await refreshAll(store, all).catch((cause: unknown) => {
      logger.warn({ error: messageOf(cause) }, 'figures and items of stories not refreshed')
    })
    await clock.sleep(Math.min(MOST_MS, Math.max(EVERY_MS, (clock.now() - began) / SHARE)))
  }
  all.isRunning = false
}

async function refreshAll(store: Store, { pending }: Kept): Promise<void> {
  for (const [namespace, range] of pending) {
    await refreshDerived(store, range)
    // facts that arrived meanwhile are refreshed next time
    if (pending.get(namespace) === range) pending.delete(namespace)
    else pending.set(namespace, { ...(pending.get(namespace) ?? range), from: range.upTo + 1 })
  }
}
