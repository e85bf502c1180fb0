import { messageOf } from '../../domain/message-of.ts'
import type { Store } from '../../ports/store.ts'
import type { DerivedTables, NewRows } from '../../runtime/shapes.ts'
import { recomputeFigures, refreshFigures, type FactsRange } from './refresh-figures.ts'

/** Lists compute stories with newer facts by themselves, so their figures are refreshed rarely, many at once. */
const EVERY_MS = 10_000
/** A refresh takes at most this share of the time. */
const SHARE = 0.1

/** What is refreshed next in one store, by namespace. */
interface KeptFigures {
  readonly pending: Map<string, FactsRange>
  isRunning: boolean
}

const kept = new WeakMap<Store, KeptFigures>()

/**
 * Refreshes the figures of the stories that new facts touch, in the background. If the process ends or the store fails,
 * the next refresh includes what this one did not.
 */
export const storyFigures: DerivedTables = {
  follow: (store, { namespaces, partition, from, upTo, clock, logger }) => {
    const figures = kept.get(store) ?? { pending: new Map<string, FactsRange>(), isRunning: false }
    kept.set(store, figures)
    for (const namespace of namespaces) {
      const before = figures.pending.get(namespace)?.from ?? from
      figures.pending.set(namespace, { namespace, partition, from: Math.min(before, from), upTo })
    }
    if (!figures.isRunning) void keep(store, figures, { clock, logger })
  },
  recompute: recomputeFigures,
}

async function keep(store: Store, figures: KeptFigures, { clock, logger }: Pick<NewRows, 'clock' | 'logger'>) {
  figures.isRunning = true
  while (figures.pending.size > 0) {
    const began = clock.now()
    await refreshAll(store, figures).catch((cause: unknown) => {
      logger.warn({ error: messageOf(cause) }, 'figures of stories not refreshed')
    })
    await clock.sleep(Math.max(EVERY_MS, (clock.now() - began) / SHARE))
  }
  figures.isRunning = false
}

async function refreshAll(store: Store, { pending }: KeptFigures): Promise<void> {
  for (const [namespace, range] of pending) {
    await refreshFigures(store, range)
    // facts that arrived meanwhile are refreshed next time
    if (pending.get(namespace) === range) pending.delete(namespace)
    else pending.set(namespace, { ...(pending.get(namespace) ?? range), from: range.upTo + 1 })
  }
}
