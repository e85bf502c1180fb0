import { messageOf } from '../../domain/message-of.ts'
import type { Store } from '../../ports/store.ts'
import type { DerivedTables, NewRows } from '../../runtime/shapes.ts'
import { recomputeDerived, refreshDerived, type FactsRange } from './refresh-derived.ts'

/** Lists compute stories with newer facts by themselves, so rows are refreshed rarely, many at once. */
const EVERY_MS = 10_000
/** A refresh takes at most this share of the time, ... */
const SHARE = 0.1
/** ... but the first one of a large namespace takes minutes, and the next one must not wait ten times as long. */
const LONGEST_PAUSE_MS = 60_000

/** What is refreshed next in one store, by namespace. */
interface Refreshes {
  readonly pending: Map<string, FactsRange>
  isRunning: boolean
}

const refreshesOf = new WeakMap<Store, Refreshes>()

/**
 * Refreshes the figures and items of the stories that new facts touch, in the background. If the process ends or the
 * store fails, the next refresh includes what this one did not.
 */
export const derivedStories: DerivedTables = {
  follow: (store, { namespaces, partition, from, upTo, clock, logger }) => {
    const refreshes = refreshesOf.get(store) ?? { pending: new Map<string, FactsRange>(), isRunning: false }
    refreshesOf.set(store, refreshes)
    for (const namespace of namespaces) {
      const before = refreshes.pending.get(namespace)?.from ?? from
      refreshes.pending.set(namespace, { namespace, partition, from: Math.min(before, from), upTo })
    }
    if (!refreshes.isRunning) void refreshPending(store, refreshes, { clock, logger })
  },
  recompute: recomputeDerived,
}

async function refreshPending(
  store: Store,
  refreshes: Refreshes,
  { clock, logger }: Pick<NewRows, 'clock' | 'logger'>,
): Promise<void> {
  refreshes.isRunning = true
  while (refreshes.pending.size > 0) {
    const began = clock.now()
    const failures = await refreshAll(store, refreshes)
    const pause = Math.max(EVERY_MS, (clock.now() - began) / SHARE)
    for (const failure of failures) logger.warn(failure, 'figures and items of stories not refreshed')
    await clock.sleep(failures.length > 0 ? pause : Math.min(LONGEST_PAUSE_MS, pause))
  }
  refreshes.isRunning = false
}

/** Returns the namespaces that were not refreshed. They stay pending. */
async function refreshAll(store: Store, { pending }: Refreshes) {
  const failures: { readonly namespace: string; readonly error: string }[] = []
  for (const [namespace, range] of [...pending]) {
    try {
      await refreshDerived(store, range)
    } catch (cause) {
      failures.push({ namespace, error: messageOf(cause) })
      continue
    }
    // facts that arrived meanwhile are refreshed next time
    if (pending.get(namespace) === range) pending.delete(namespace)
    else pending.set(namespace, { ...(pending.get(namespace) ?? range), from: range.upTo + 1 })
  }
  return failures
}
