import type { MemoryLog } from '../../src/adapters/memory-log.ts'
import { sha256 } from '../../src/events/ids.ts'
import { withBoundTimes, type Topic } from '../../src/events/topic.ts'
import { pipeline } from '../../src/pipeline.ts'
import type { Codec } from '../../src/ports/log.ts'
import type { Row } from '../../src/ports/store.ts'
import { identified } from '../../src/runtime/read-inputs.ts'
import type { Input, View } from '../../src/runtime/shapes.ts'
import { DERIVED, NOT_HASHED } from '../../src/views/hash.ts'
import { topicOf } from '../golden/keys.ts'
import { rowText } from '../simulation/tables.ts'

/** The content of a table, from the rows that its view would insert. */
export interface RowsHash {
  /** The columns that are hashed. A column that a later version adds is not among them. */
  readonly columns: readonly string[]
  readonly rows: number
  /** Hex; does not depend on the order of rows. */
  readonly hash: string
}
export type HashesByTable = Readonly<Record<string, RowsHash>>

export interface HashedLog {
  readonly log: MemoryLog
  readonly codec: Codec
}

/** Columns that `story hash` leaves out, because they depend on when and where a record was written. */
const WRITE_COLUMNS = new Set(['event_id', 'fetched_at', 'caused_offset'])
const EVENT_TIMES = new Set(['occurred_at', 'valid_from'])

/**
 * The hash of every table that `story hash` covers. `like`: hashes that were recorded, whose columns are used; by
 * default all columns of today.
 */
export async function hashesOf(hashed: HashedLog, like: HashesByTable = {}): Promise<HashesByTable> {
  const tables = new Map<string, Row[]>()
  for (const { table, row } of await rowsOf(hashed)) tables.set(table, [...(tables.get(table) ?? []), row])
  const hashes = [...tables]
    .filter(([table]) => ![...NOT_HASHED, ...DERIVED].includes(table))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, rows]): [string, RowsHash] => [table, hashOf(rows, like[table]?.columns ?? columnsOf(rows))])
  return Object.fromEntries(hashes)
}

async function rowsOf({ log, codec }: HashedLog) {
  const views: readonly View[] = pipeline.views
  const live = views.flatMap(({ projections }) => projections).filter(({ dead }) => !dead)
  const rows = live.map(async (projection) => {
    const inputs = await inputsOf({ log, codec }, topicOf(projection.reads.name))
    return inputs.flatMap((input) => projection.project(input as Input<never>))
  })
  return (await Promise.all(rows)).flat()
}

async function inputsOf({ log, codec }: HashedLog, topic: Topic<unknown>): Promise<readonly Input<unknown>[]> {
  const inputs = log.records(topic.name).map(async ({ partition, offset, value, loggedAt }) => {
    const decoded = await codec.decode(topic, value ?? Buffer.alloc(0))
    if (decoded.kind === 'malformed') return []
    const place = { topic: topic.name, partition, offset }
    const event = withBoundTimes(topic, identified(decoded.event, place), loggedAt)
    return [{ event, topic: topic.name, place, loggedAt }]
  })
  return (await Promise.all(inputs)).flat()
}

const columnsOf = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))]
    .filter((name) => !name.startsWith('_') && !WRITE_COLUMNS.has(name))
    .sort()

function hashOf(rows: readonly Row[], columns: readonly string[]): RowsHash {
  const texts = new Set(rows.map((row) => rowText(contentOf(row, columns))))
  return {
    columns,
    rows: texts.size,
    hash: sha256([...texts].sort().join('\n'))
      .toString('hex')
      .slice(0, 32),
  }
}

/** As in `story hash`, the event time of an article without a date is not content: it is the time of arrival. */
const contentOf = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(
    columns.map((name) => [name, row['dated'] === false && EVENT_TIMES.has(name) ? '' : (row[name] ?? null)]),
  )
