import pLimit from 'p-limit'
import { monitorPreview } from '../../views/monitors/preview.ts'
import { surviving } from '../../views/clusters/surviving-story.ts'
import { storiesMatched, type MonitorChanged } from '../../events/monitors.ts'
import { EARLIEST_MOMENT, SHARED } from '../../domain/intake/articles.ts'
import type { Store } from '../../ports/store.ts'
import { readEvents, type EventLog } from '../topic-events.ts'

export interface MatchComparison {
  /** Pairs of monitor and story in the topic. */
  readonly matches: number
  /** Matches of a monitor and story that are in the topic more than once. */
  readonly repeated: number
  /** Stories that meet a monitor's conditions by the views. */
  readonly met: number
  /** Of these, without a match. */
  readonly missing: number
  /** Matches whose story no longer meets the conditions: articles moved to another story since. */
  readonly no_longer_met: number
}

/** Compares every match in the log with the stories that a query over the views finds for each monitor. */
export async function comparedMatches(
  monitors: readonly MonitorChanged[],
  { log, store, now }: { readonly log: EventLog; readonly store: Store; readonly now: number },
): Promise<MatchComparison> {
  const byMonitor = new Map<string, string[]>()
  let matches = 0
  for await (const { type, monitor_id, stories } of readEvents(log, storiesMatched)) {
    if (type !== 'monitor.matched') continue
    matches += 1
    byMonitor.set(monitor_id, [...(byMonitor.get(monitor_id) ?? []), ...stories.map(({ cluster_id }) => cluster_id)])
  }
  const current = currentStory(store, now)
  const limit = pLimit(AT_ONCE)
  const each = await Promise.all(
    monitors.map((monitor) =>
      limit(async () => {
        const found = byMonitor.get(monitor.monitor_id) ?? []
        const window = { namespace: SHARED, from: EARLIEST_MOMENT, as_of: now }
        const { stories } = await monitorPreview(store, { ...window, conditions: monitor.conditions })
        const shown = new Set(stories.map(({ cluster_id }) => cluster_id))
        const matched = new Set(await Promise.all(found.map(current)))
        return {
          repeated: found.length - new Set(found).size,
          met: shown.size,
          missing: [...shown].filter((id) => !matched.has(id)).length,
          no_longer_met: [...matched].filter((id) => !shown.has(id)).length,
        }
      }),
    ),
  )
  const sum = (figure: keyof (typeof each)[number]): number => each.reduce((total, one) => total + one[figure], 0)
  return {
    matches,
    repeated: sum('repeated'),
    met: sum('met'),
    missing: sum('missing'),
    no_longer_met: sum('no_longer_met'),
  }
}

/** Previews that run at once. */
const AT_ONCE = 4

/** The story that a story was merged into, if it was. */
function currentStory(store: Store, now: number): (id: string) => Promise<string> {
  const known = new Map<string, Promise<string>>()
  return (id) => {
    const current =
      known.get(id) ??
      surviving(store, { namespace: SHARED, cluster_id: id, as_of: now }).then((story) => story?.cluster_id ?? id)
    known.set(id, current)
    return current
  }
}
