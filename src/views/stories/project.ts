import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { pick, placed } from '../rows.ts'

/** Through which states each story went. Who asks for an evaluation waits for its row. */
export const stories: View = {
  name: 'stories',
  projections: [
    on(storiesTransitioned, (input) => placed(input, [{ table: 'transitions', row: transitionRow(input.event) }])),
  ],
}

const transitionRow = (event: StoryTransitioned): Row => ({
  ...pick(event, 'namespace', 'cluster_id', 'event_id', 'lifecycle_state', 'previous_state', 'rule', 'facts'),
  evaluated_at: instant(event.evaluated_at),
  decided_by: event.produced_by.stage,
})
