import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { pick, placed } from '../rows.ts'

/** A waiting subscriber gets a change from the log; the rows serve a subscriber that was away. */
const SOON_MS = 100

/** The feed, to be read on from any place of the last 30 days. */
export const changes: View = {
  name: 'changes',
  maxWaitMs: SOON_MS,
  projections: [on(changesPublished, (input) => placed(input, [{ table: 'changes', row: changeRow(input.event) }]))],
}

const changeRow = (event: ChangePublished): Row => ({
  ...pick(event, 'namespace', 'event_id', 'type', 'subject_id', 'entity_ids', 'velocity', 'data'),
  occurred_at: instant(event.occurred_at),
})
