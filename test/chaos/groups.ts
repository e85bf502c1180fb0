import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../src/ports/log.ts'
import { viewGroup } from '../../src/ports/log.ts'
import { pipeline } from '../../src/pipeline.ts'
import { deadTopic } from '../../src/runtime/dead-letter.ts'

/** Who reads what: every stage, effect and view. */
export interface GroupReading {
  readonly group: string
  readonly topics: readonly string[]
}

export const readings: readonly GroupReading[] = [
  ...Object.entries(pipeline.stages).map(([group, { reads }]) => ({ group, topics: reads })),
  ...pipeline.views.map(({ name, projections }) => ({
    group: viewGroup(name),
    topics: [...new Set(projections.map(({ reads, dead }) => (dead ? deadTopic(reads.name) : reads.name)))],
  })),
]

type OffsetReader = Pick<Log, 'ends' | 'committed'>

/** How many records each group has not read for good yet, over all its topics. */
export async function lagOf({ group, topics }: GroupReading, log: OffsetReader): Promise<number> {
  const lags = await Promise.all(
    topics.map(async (topic) => {
      const [ends, committed] = await Promise.all([log.ends(topic), log.committed(group, topic)])
      return ends.reduce((sum, end, partition) => sum + Math.max(0, end - (committed[partition] ?? 0)), 0)
    }),
  )
  return lags.reduce((sum, lag) => sum + lag, 0)
}

const LOOK_EVERY_MS = 300
/** Nothing moves for so long, and at most the marker of a transaction is left in each topic: all is read. */
const QUIET_MS = 2_500

/** Resolves when every group has read everything. */
export async function settled(log: OffsetReader): Promise<void> {
  let before = ''
  let since = performance.now()
  for (;;) {
    const lags = await Promise.all(readings.map((reading) => lagOf(reading, log)))
    const ends = await Promise.all([...new Set(readings.flatMap(({ topics }) => topics))].map((t) => log.ends(t)))
    const now = JSON.stringify([lags, ends])
    if (now !== before) since = performance.now()
    before = now
    const atMostMarkers = lags.every((lag, i) => lag <= (readings[i]?.topics.length ?? 0))
    if (atMostMarkers && performance.now() - since > QUIET_MS) return
    await sleep(LOOK_EVERY_MS)
  }
}
