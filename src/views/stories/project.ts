import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { placeOf } from '../place.ts'

/** Through which states each story went. Who asks for an evaluation waits for its row. */
export const stories: View = {
  name: 'stories',
  projections: [
    on(storiesTransitioned, (input) => [
      { table: 'transitions', row: { ...transitionRow(input.event), ...placeOf(input) } },
    ]),
  ],
}

const transitionRow = (event: StoryTransitioned): Row => ({
  namespace: event.namespace,
  cluster_id: event.cluster_id,
  event_id: event.event_id,
  lifecycle_state: event.lifecycle_state,
  previous_state: event.previous_state,
  rule: event.rule,
  facts: event.facts,
  evaluated_at: instant(event.evaluated_at),
  decided_by: event.produced_by.stage,
})
