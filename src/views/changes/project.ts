import { changesPublished, type ChangePublished } from '../../events/changes.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { placeOf } from '../place.ts'

/** A waiting subscriber gets a change from the log; the rows serve a subscriber that was away. */
const SOON_MS = 100

/** The feed, to be read on from any place of the last 30 days. */
export const changes: View = {
  name: 'changes',
  maxWaitMs: SOON_MS,
  projections: [
    on(changesPublished, (input) => [{ table: 'changes', row: { ...changeRow(input.event), ...placeOf(input) } }]),
  ],
}

const changeRow = (event: ChangePublished): Row => ({
  namespace: event.namespace,
  event_id: event.event_id,
  type: event.type,
  subject_id: event.subject_id,
  entity_ids: event.entity_ids,
  velocity: event.velocity,
  data: event.data,
  occurred_at: instant(event.occurred_at),
})
