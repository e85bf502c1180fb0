import type { Cell } from '../ports/store.ts'
import type { Input } from '../runtime/shapes.ts'
import { instant } from './instant.ts'

/** Where the event of a row stands in the log: every table ends with these columns. */
export const placeOf = ({ place, loggedAt }: Input<unknown>): Readonly<Record<string, Cell>> => ({
  _log_at: instant(loggedAt),
  _partition: place.partition,
  _offset: place.offset,
})
