import { articlesAnalyzed } from '../../events/articles.ts'
import { storiesLinked, type GraphBuilt, type StoryLinked } from '../../events/graph.ts'
import type { Row } from '../../ports/store.ts'
import { on, type TableRow, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { placeOf } from '../place.ts'
import { entityRelationRows } from './entity-relation-rows.ts'

/** Which stories have to do with each other, and which threads they make. Who asks for a build waits for its row. */
export const graph: View = {
  name: 'graph',
  projections: [
    on(storiesLinked, (input) =>
      wordRows(input.event).map(({ table, row }) => ({ table, row: { ...row, ...placeOf(input) } })),
    ),
    on(articlesAnalyzed, (input) =>
      entityRelationRows(input.event).map(({ table, row }) => ({ table, row: { ...row, ...placeOf(input) } })),
    ),
    // Inserted last: what a build found missing is there when the build is.
    on(storiesLinked, (input) =>
      buildRows(input.event).map((row) => ({ table: 'graph_builds', row: { ...row, ...placeOf(input) } })),
    ),
  ],
}

function wordRows(event: StoryLinked): TableRow[] {
  switch (event.kind) {
    case 'relationship':
      return [{ table: 'relationships', row: relationshipRow(event) }]
    case 'thread':
      return [{ table: 'thread_places', row: placeRow(event) }]
    case 'build':
      return []
  }
}

const relationshipRow = (event: StoryLinked): Row => ({
  namespace: event.namespace,
  source: event.source,
  target: event.target ?? '',
  type: event.type,
  event_id: event.event_id,
  action: event.action,
  directed: event.directed,
  confidence: event.confidence,
  shared_entities: event.shared_entities,
  valid_from: instant(event.occurred_at),
  caused_offset: event.caused_by?.offset ?? NOT_KNOWN,
})

const placeRow = (event: StoryLinked): Row => ({
  namespace: event.namespace,
  cluster_id: event.source,
  event_id: event.event_id,
  action: event.action,
  thread_id: event.thread_id ?? '',
  valid_from: instant(event.occurred_at),
  caused_offset: event.caused_by?.offset ?? NOT_KNOWN,
})

const NOT_KNOWN = -1

const buildRows = (event: StoryLinked): Row[] => (event.built === null ? [] : [buildRow(event, event.built)])

const buildRow = (event: StoryLinked, built: GraphBuilt): Row => ({
  namespace: event.namespace,
  event_id: event.event_id,
  occurred_at: instant(event.occurred_at),
  ...built,
})
