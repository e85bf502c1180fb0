import { viewGroup, type LogRecord } from '../../src/ports/log.ts'
import { readDeadLetter } from '../../src/runtime/dead-letter.ts'
import type { Projection, TableRow } from '../../src/runtime/shapes.ts'
import { inputOf, placeName, topicNamed } from './reading.ts'
import type { Simulation } from './simulation.ts'
import { rowText } from './tables.ts'

/** Rows by table, and where they come from; null: they may be there. */
type Expected = Map<string, Map<string, string | null>>

/** The rows of every table are what the log says they are: none is missing, none is of anything else. */
export async function checkViews(world: Simulation): Promise<void> {
  const expected: Expected = new Map()
  for (const view of world.views) {
    for (const projection of view.projections) await project(world, viewGroup(view.name), { projection, expected })
  }
  for (const table of new Set([...expected.keys(), ...world.tables.rows.keys()])) {
    const params = expected.get(table) ?? new Map<string, string | null>()
    const found = new Set([...(world.tables.rows.get(table) ?? [])].map(rowText))
    for (const [row, place] of params)
      if (place !== null && !found.has(row)) world.violation(`${table} lacks a row of ${place}`)
    for (const row of found)
      if (!params.has(row)) world.violation(`${table} has a row of nothing: ${row.slice(0, 200)}`)
  }
}

interface Into {
  readonly projection: Projection<never>
  readonly expected: Expected
}

async function project(world: Simulation, group: string, { projection, expected }: Into): Promise<void> {
  const name = projection.dead ? `${projection.reads.name}.dead` : projection.reads.name
  for (const record of world.broker.records(name)) {
    // thrice alone with it when the process died: a view may pass it over
    const place = world.diedOf(group, record) ? null : placeName(record)
    for (const { table, row } of await rowsOf(projection, record)) {
      const rows = expected.get(table) ?? new Map<string, string | null>()
      expected.set(table, rows.set(rowText(row), place))
    }
  }
}

async function rowsOf(projection: Projection<never>, record: LogRecord): Promise<readonly TableRow[]> {
  if (!projection.dead) {
    const input = await inputOf(topicNamed(projection.reads.name), record)
    return input === null ? [] : projection.project(input)
  }
  const letter = readDeadLetter(record)
  const input = await inputOf(topicNamed(projection.reads.name), { ...record, ...letter.original })
  const { topic, partition, offset, loggedAt } = record
  const event = { ...letter, event: input === null ? null : input.event }
  return projection.letters?.({ event, topic, place: { topic, partition, offset }, loggedAt }) ?? []
}
