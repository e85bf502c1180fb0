import { MAIN_STORE } from '../domain/stores.ts'
import { viewGroup, type Codec, type Consumer, type LogRecord, type Subscription } from '../ports/log.ts'
import type { Row, Store } from '../ports/store.ts'
import { sharedRuns } from '../ports/shared-runs.ts'
import { consumeParts, type RecordPart, wholeBatches } from './consume-parts.ts'
import { deadTopic, readDeadLetter } from './dead-letter.ts'
import { identified, logPlace, readInputs } from './read-inputs.ts'
import type { RuntimePorts } from './running.ts'
import type { DeadLetter, Input, Projection, TableRow, View } from './shapes.ts'

/** For few, large inserts the broker waits for 256 KiB, but no longer than a polling client would notice. */
const MIN_BYTES = 256 * 1024
const MAX_WAIT_MS = 150
/** The longest wait for the first record. The first record ends the wait. */
const FIRST_RECORD_MS = 500
/** Batches whose rows are inserted together: about those that a broker returns at once. */
const BATCHES_AT_ONCE = 32
/** Bounds the memory of an insert: a batch is added to it while it has fewer rows. */
const ROWS_AT_ONCE = 10_000

/** The store that a view is written to. It is filled by consumer groups of its own. */
export interface ViewTarget {
  readonly name: string
  readonly store: Store
  /** Whether it holds the rows of a namespace. */
  readonly holds: (namespace: string) => boolean
}

/** The target of an installation with one store. */
export const onlyStore = (store: Store): ViewTarget => ({ name: MAIN_STORE, store, holds: () => true })

/** Runs a view in a group of its own until stopped. */
export async function runView(view: View, running: RuntimePorts, target: ViewTarget): Promise<Consumer> {
  const group = viewGroup(view.name, target.name)
  const work: ViewWork = { view, target, inTurn: inTurn(), inserts: sharedInserts(view, target.store) }
  return consumeParts(
    {
      name: group,
      group,
      topics: topicsOf(view),
      ...waitOf(view),
      concurrency: BATCHES_AT_ONCE,
      size: wholeBatches,
      handle: (part) => handlePart(part, work, running),
    },
    running,
  )
}

const waitOf = ({ asTheyCome, maxWaitMs }: View): Pick<Subscription, 'minBytes' | 'maxWaitMs'> =>
  asTheyCome
    ? { minBytes: 1, maxWaitMs: maxWaitMs ?? FIRST_RECORD_MS }
    : { minBytes: MIN_BYTES, maxWaitMs: maxWaitMs ?? MAX_WAIT_MS }

interface ViewWork {
  readonly view: View
  readonly target: ViewTarget
  /** Projects one part at a time, so that only one has a note. Inserts of others may run meanwhile. */
  readonly inTurn: ReturnType<typeof inTurn>
  /** By topic: inserts the rows that several parts have for a table together. */
  readonly inserts: ReadonlyMap<string, Store['insert']>
}

interface RowsOfTable {
  readonly table: string
  readonly rows: readonly Row[]
}

/**
 * An insert costs about the same for one row as for many. Rows of different topics are not inserted together, since they
 * may have different columns.
 */
function sharedInserts(view: View, store: Store): ViewWork['inserts'] {
  const shared = () =>
    sharedRuns((table, parts: readonly (readonly Row[])[]) => store.insert(table, parts.flat()), {
      failTogether: true,
      most: ROWS_AT_ONCE,
      weightOf: (rows) => rows.length,
    })
  return new Map(topicsOf(view).map((topic) => [topic, shared()]))
}

/** Runs work one at a time. What waits fails with what failed before it, as its caller retries. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result
    result.catch(() => {
      if (last === result) last = Promise.resolve()
    })
    return result
  }
}

/** Shared with other parts, but not after a failure: their rows may have caused it. */
function insertOf({ topic }: RecordPart, { inserts, target }: ViewWork, { table, rows }: RowsOfTable) {
  const alone = () => target.store.insert(table, rows)
  const shared = inserts.get(topic)
  let attempts = 0
  return () => (attempts++ === 0 && shared !== undefined ? shared(table, rows) : alone())
}

/** A crash after step 2 repeats the inserts. Rows are keyed by event, so a repeated row replaces the same row. */
async function handlePart(part: RecordPart, work: ViewWork, running: RuntimePorts): Promise<void> {
  const { view, target } = work
  const project = (records: readonly LogRecord[]) =>
    projected(view, { topic: part.topic, records, holds: target.holds }, running.codec)

  // 1. Project. Undecodable records are only counted: the stage that reads the topic writes them to the dead letters.
  const projectAlone = () =>
    work.inTurn(async () => {
      part.throwIfInterrupted()
      await part.riskOnce(project)
      const made = await project(part.setAside ? [] : part.records)
      await part.survived()
      return made
    })
  const { rows, malformed } = await part.insist('project', projectAlone)

  // 2. Insert, one insert a table.
  for (const [table, ofTable] of rows) {
    await part.insist('insert', insertOf(part, work, { table, rows: ofTable }))
    running.metrics.count('story_rows_total', { view: view.name, table }, ofTable.length)
  }

  // 3. Only now commit the offsets.
  await part.commit()

  // 4. Tables that are computed from these rows follow in the background.
  view.derived?.follow(target.store, { ...newRows(part, rows), clock: running.clock, logger: running.logger })

  const stage = viewGroup(view.name, target.name)
  const { topic, partition, next } = part
  if (malformed > 0) {
    running.metrics.count('story_inputs_total', { stage, outcome: 'malformed', reason: 'unreadable' }, malformed)
  }
  const inserted = [...rows.values()].reduce((sum, ofTable) => sum + ofTable.length, 0)
  running.logger.info(
    { stage, topic, partition, next, records: part.records.length, rows: inserted, malformed },
    'part done',
  )
}

const newRows = ({ partition, records, next }: RecordPart, rows: ReadonlyMap<string, readonly Row[]>) => ({
  ...{ partition, from: records[0]?.offset ?? next, upTo: next - 1 },
  namespaces: [
    ...new Set(
      [...rows.values()].flat().flatMap(({ namespace }) => (typeof namespace === 'string' ? [namespace] : [])),
    ),
  ],
})

/** The topics that a view reads. */
export const topicsOf = (view: View): readonly string[] => [...new Set(view.projections.map(topicOf))]
const topicOf = ({ reads, dead }: Projection<never>): string => (dead ? deadTopic(reads.name) : reads.name)

interface ViewRecords extends Pick<ViewTarget, 'holds'> {
  readonly topic: string
  readonly records: readonly LogRecord[]
}

/** Projects records of a topic into the rows that the store holds, by table. Undecodable records are only counted. */
export async function projected(
  view: View,
  { topic, records, holds }: ViewRecords,
  codec: Codec,
): Promise<{ readonly rows: ReadonlyMap<string, readonly Row[]>; readonly malformed: number }> {
  const rows = new Map<string, Row[]>()
  let malformed = 0
  for (const projection of view.projections.filter((one) => topicOf(one) === topic)) {
    const made = projection.dead
      ? await projectLetters(projection, records, codec)
      : await projectEvents(projection, records, codec)
    malformed += made.malformed
    for (const { table, row } of made.rows) {
      if (typeof row['namespace'] === 'string' && !holds(row['namespace'])) continue
      const ofTable = rows.get(table) ?? []
      rows.set(table, ofTable)
      ofTable.push(row)
    }
  }
  return { rows, malformed }
}

interface ProjectedRows {
  readonly rows: readonly TableRow[]
  readonly malformed: number
}

async function projectEvents(
  projection: Projection<never>,
  records: readonly LogRecord[],
  codec: Codec,
): Promise<ProjectedRows> {
  const { read, malformed } = await readInputs(projection.reads, records, codec)
  return { rows: read.flatMap(({ input }) => projection.project(input)), malformed: malformed.length }
}

async function projectLetters(
  projection: Projection<never>,
  records: readonly LogRecord[],
  codec: Codec,
): Promise<ProjectedRows> {
  const rows: TableRow[] = []
  for (const record of records) {
    const { stage, reason, attempts, original, resolved } = readDeadLetter(record)
    const decoded = record.value === null ? null : await codec.decode(projection.reads, record.value)
    const event = decoded?.kind === 'event' ? identified(decoded.event, original) : null
    const input: Input<DeadLetter<never>> = {
      event: { stage, reason, attempts, original, resolved, event },
      topic: record.topic,
      place: logPlace(record),
      loggedAt: record.loggedAt,
    }
    rows.push(...(projection.letters?.(input) ?? []))
  }
  return { rows, malformed: 0 }
}
