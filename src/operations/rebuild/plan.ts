import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { projected, topicsOf } from '../../runtime/run-view.ts'
import { standingClaim, type StandingClaim } from './claim.ts'
import { checkExchangeable } from './exchange.ts'
import { REBUILT } from './rebuilt-tables.ts'
import { stateOf } from './state.ts'
import { percentOf, rebuildPosition } from './follow.ts'
import { checkCompleteTopics } from './cleanups.ts'
import { offsetsFrom, type InPlaceStart } from './reread.ts'
import { recordsBetween } from '../lag/positions.ts'
import { hasShadow, type RebuildParts, type Rebuilt } from './rebuilding.ts'

/** What a rebuild of a view would do, as `--dry-run` prints it. */
export interface RebuildPlan {
  readonly view: string
  readonly topics: readonly { readonly topic: string; readonly records: number }[]
  readonly records: number
  readonly rows: readonly { readonly table: string; readonly rows: number }[]
  /** Estimated duration, from a sample of the records; `null` if there are none. */
  readonly seconds: number | null
  /** Progress of an interrupted rebuild, percent; `null` if it would start from the beginning. */
  readonly from_percent: number | null
  readonly claimed_by: StandingClaim | null
}

/** Changes nothing. Throws if a rebuild would. */
export async function plan(rebuilt: Rebuilt, from: InPlaceStart | null, ports: RebuildParts): Promise<RebuildPlan> {
  const { name, view } = rebuilt
  const { log } = ports.running
  if (from === null) {
    await checkExchangeable(ports.live, ports.sides)
    await checkCompleteTopics([name], log)
  }
  const begin = from === null ? null : await offsetsFrom(rebuilt, from, log)
  const topics = await Promise.all(
    topicsOf(view).map(async (topic) => {
      const starts = { [topic]: begin?.[topic] ?? (await log.starts(topic)) }
      return { topic, records: recordsBetween(starts, { [topic]: await log.ends(topic) }) }
    }),
  )
  const records = topics.reduce((sum, topic) => sum + topic.records, 0)
  const rows = await Promise.all(
    REBUILT[name].map(async ({ table }) => ({ table, rows: await rowsOf(ports.live, table) })),
  )
  const rate = await sampledRate(view, ports)
  const seconds = rate === null ? null : Math.ceil(records / rate)
  return { view: name, topics, records, rows, seconds, ...(await progressAndClaim(rebuilt, ports)) }
}

async function rowsOf(store: Store, table: string): Promise<number> {
  const [found] = await store.query({
    name: 'rebuild.rows',
    sql: `SELECT count() AS rows FROM ${table} FINAL`,
    params: {},
    parse: (row) => z.object({ rows: z.number() }).parse(row),
  })
  return found?.rows ?? 0
}

/** Writing a row takes about as long as computing it. */
const WITH_WRITES = 2

/** Records per second, measured with the first batch of each topic; `null` if there are no records. */
async function sampledRate(view: Rebuilt['view'], { running, scope }: RebuildParts): Promise<number | null> {
  const { log, codec, clock } = running
  let [records, took] = [0, 0]
  for (const topic of topicsOf(view)) {
    for await (const some of log.read(topic, 0, 0)) {
      const startedAt = clock.now()
      await projected(view, { topic, records: some, holds: scope.holds }, codec)
      took += clock.now() - startedAt
      records += some.length
      break
    }
  }
  return records === 0 ? null : (records / Math.max(1, took * WITH_WRITES)) * 1000
}

async function progressAndClaim(
  rebuilt: Rebuilt,
  ports: RebuildParts,
): Promise<Pick<RebuildPlan, 'from_percent' | 'claimed_by'>> {
  const none = { from_percent: null, claimed_by: null }
  if (!(await hasShadow(ports))) return none
  const state = await stateOf(ports.shadow, rebuilt.name)
  const claimed_by = await standingClaim(ports.shadow, rebuilt.name)
  if (state?.phase !== 'reading') return { ...none, claimed_by }
  return { from_percent: percentOf(await rebuildPosition(rebuilt, ports.running.log)), claimed_by }
}

/** The lines that `--dry-run` prints. */
export function planLines({
  view,
  topics,
  records,
  rows,
  seconds,
  from_percent,
  claimed_by,
}: RebuildPlan): readonly string[] {
  const time = seconds === null ? '' : `, about ${seconds} s`
  return [
    `${view.padEnd(12)} would read ${records} records${time}`,
    ...topics.map((topic) => `  ${topic.topic.padEnd(24)} ${topic.records} records`),
    ...rows.map((table) => `  ${table.table.padEnd(24)} ${table.rows} rows now`),
    ...(from_percent === null ? [] : [`  would resume at ${from_percent} % (--restart starts from the beginning)`]),
    ...(claimed_by === null
      ? []
      : [`  process ${claimed_by.pid} on ${claimed_by.host} has been rebuilding it since ${claimed_by.since}`]),
  ]
}
