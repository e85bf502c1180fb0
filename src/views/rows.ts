import type { Cell, Row } from '../ports/store.ts'
import type { Topic } from '../events/topic.ts'
import { on, type Input, type Projection, type TableRow } from '../runtime/shapes.ts'
import { instant } from './instant.ts'

/** The last columns of each table: the log time and position of the row's event. */
export const logPosition = ({ place, loggedAt }: Input<unknown>): Row => ({
  _log_at: instant(loggedAt),
  _partition: place.partition,
  _offset: place.offset,
})

/** Adds the log time and position of the event to some rows. */
export const withLogPosition = (input: Input<unknown>, rows: readonly TableRow[]): readonly TableRow[] => {
  const place = logPosition(input)
  return rows.map(({ table, row }) => ({ table, row: { ...row, ...place } }))
}

/** Each event of a topic becomes one row of one table. */
export const eachTo = <Event>(table: string, topic: Topic<Event>, row: (event: Event) => Row): Projection<never> =>
  on(topic, (input) => withLogPosition(input, [{ table, row: row(input.event) }]))

/** The fields of an event that are columns of the same name. */
export const pick = <Name extends string>(
  source: Readonly<Record<NoInfer<Name>, Cell>>,
  ...names: readonly Name[]
): Row => Object.fromEntries(names.map((name) => [name, source[name]]))

/** How long rows may wait in a batch if no client polls for them: an insert costs the same for one row as for many. */
export const NOBODY_POLLS_MS = 500
