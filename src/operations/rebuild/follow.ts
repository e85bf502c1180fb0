import { viewGroup, type Consumer } from '../../ports/log.ts'
import { runView, topicsOf } from '../../runtime/run-view.ts'
import { eta } from '../progress.ts'
import {
  type GroupPosition,
  onlyMarkersLeft,
  positionOf,
  type PositionReader,
  reaches,
  cachedOffsets,
} from '../lag/positions.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'

const rebuiltName = (name: string): string => `${name}.rebuild`

/** The consumer group whose offsets record the progress of a rebuild in a store. */
export const rebuildGroup = (name: string, store: string): string => viewGroup(rebuiltName(name), store)

/** Short waits, so that the shadow is not behind the live view when the tables are exchanged. */
const SHORT_WAITS = { asTheyCome: true, maxWaitMs: 100 } as const

/** Consumes into the shadow tables of a view with the normal runtime, from the committed offsets, until stopped. */
export const follow = ({ view }: Rebuilt, { running, shadow, scope }: RebuildParts): Promise<Consumer> =>
  runView(
    // derived tables are computed when the rebuilt ones are live
    { ...view, name: rebuiltName(view.name), ...SHORT_WAITS, derived: undefined },
    running,
    { ...scope, store: shadow },
  )

const POLL_EVERY_MS = 250
/** After this long without progress, check whether only transaction markers are left. */
const NO_PROGRESS_MS = 2_000

/** Up to this many records, or 1/100 of all, are left to read while the first views are compared. */
const NEARLY_ALL = 100
const isNearlyAll = ({ done, whole }: Total): boolean => whole - done <= Math.max(NEARLY_ALL, whole / NEARLY_ALL)

/** The position of a rebuild, and that of the live view. */
export const rebuildPosition = ({ name, view, store }: Rebuilt, log: PositionReader): Promise<GroupPosition> =>
  positionOf(topicsOf(view), rebuildGroup(name, store), log)
export const livePosition = ({ name, view, store }: Rebuilt, log: PositionReader): Promise<GroupPosition> =>
  positionOf(topicsOf(view), viewGroup(name, store), log)

async function rebuilding(views: readonly Rebuilt[], { running }: RebuildParts): Promise<readonly GroupPosition[]> {
  const log = cachedOffsets(running.log) // many views read the same topic
  return Promise.all(views.map((rebuilt) => rebuildPosition(rebuilt, log)))
}

/**
 * Resolves when the shadow tables have all records that the log had at the start, and nearly all that arrived since.
 * With a continuous flow of records, there is no time at which all tables have everything.
 */
export async function untilRead(views: readonly Rebuilt[], ports: RebuildParts): Promise<void> {
  const { clock, log } = ports.running
  const startedAt = clock.now()
  const rebuilt = await rebuilding(views, ports)
  const first = total(rebuilt)
  for (let [before, movedAt] = [first.done, startedAt]; ;) {
    await clock.sleep(POLL_EVERY_MS)
    ports.check()
    const positions = await rebuilding(views, ports)
    const now = total(positions)
    const elapsedMs = clock.now() - startedAt
    ports.progress.update(() => progressLine(now, first.done, elapsedMs))
    if (isNearlyAll(now) && positions.every(({ next }, i) => reaches(next, rebuilt[i]?.ends ?? {}))) return
    if (now.done !== before) [before, movedAt] = [now.done, clock.now()]
    else if (clock.now() - movedAt > NO_PROGRESS_MS) {
      movedAt = clock.now()
      const markersOnly = await Promise.all(positions.map((position) => onlyMarkersLeft(position, log)))
      if (markersOnly.every(Boolean)) return
    }
  }
}

/** Prints the number of records, or how far an interrupted rebuild has got. Call before anything is read. */
export async function printStart(views: readonly Rebuilt[], ports: RebuildParts): Promise<void> {
  const all = total(await rebuilding(views, ports))
  ports.progress.print(all.done === 0 ? `reading ${all.whole} records` : `resuming at ${percentOf(all)} %`)
}

/** Progress in whole percent. */
export const percentOf = ({ done, whole }: Total): number => (whole === 0 ? 100 : Math.floor((done / whole) * 100))

type Total = Pick<GroupPosition, 'done' | 'whole'>

const total = (positions: readonly Total[]): Total => ({
  done: positions.reduce((sum, { done }) => sum + done, 0),
  whole: positions.reduce((sum, { whole }) => sum + whole, 0),
})

/** The rate is that of this run, even if it has resumed in the middle. */
function progressLine({ done, whole }: Total, from: number, elapsedMs: number): string {
  const share = done === from ? 0 : done / (done - from)
  return eta({ done, whole, elapsedMs: elapsedMs * share, of: 'records' })
}

/** Maximum time to wait until the live view has nothing in progress. */
const MAX_WAIT_MS = 10_000
const POLL_CLOSELY_MS = 10

/**
 * Resolves when the shadow has everything that the live tables can have: both have caught up, or neither makes
 * progress. If records arrive continuously, resolves when the shadow has read as far as the live view.
 */
export async function untilLevel(rebuilt: Rebuilt, ports: RebuildParts): Promise<void> {
  const { clock, log } = ports.running
  const startedAt = clock.now()
  for (let [before, movedAt] = ['', startedAt]; ;) {
    ports.check()
    const live = await livePosition(rebuilt, log)
    const shadow = await rebuildPosition(rebuilt, log)
    if (reaches(shadow.next, shadow.ends) && reaches(live.next, shadow.ends)) return
    const now = JSON.stringify([live.next, shadow.next])
    if (now !== before) [before, movedAt] = [now, clock.now()]
    const waited = { still: clock.now() - movedAt, altogether: clock.now() - startedAt }
    if (isEnough(waited, reaches(shadow.next, live.next) ? 'level' : 'behind')) return
    await clock.sleep(POLL_CLOSELY_MS)
  }
}

/** The exchange fails if the shadow lags behind the live view for longer: readers would see older data. */
const MAX_LAG_MS = 120_000

function isEnough(
  { still, altogether }: { readonly still: number; readonly altogether: number },
  shadow: 'level' | 'behind',
): boolean {
  if (shadow === 'level') return still > NO_PROGRESS_MS || altogether > MAX_WAIT_MS
  if (altogether <= MAX_LAG_MS) return false
  throw new Error(
    'the rebuild does not keep up with incoming records. Run it again at lower load; it resumes where it stopped',
  )
}
