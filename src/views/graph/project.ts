import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import { storiesLinked, type StoryLinked } from '../../events/graph.ts'
import type { Row } from '../../ports/store.ts'
import { on, type TableRow, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { pick, withLogPosition } from '../rows.ts'
import { relationsOf } from '../../language/relations/relations-of.ts'
import { openTagLexicon } from '../../language/tokens/part-of-speech.ts'

/** Relationships between stories, and their threads. A client that starts a build waits for its row. */
export const graph: View = {
  name: 'graph',
  projections: [
    on(storiesLinked, (input) => withLogPosition(input, ledgerRows(input.event))),
    on(articlesAnalyzed, (input) => withLogPosition(input, entityRelationRows(input.event))),
    // Inserted last, so that a build's corrections are visible as soon as its own row is.
    on(storiesLinked, (input) => withLogPosition(input, buildRows(input.event))),
  ],
}

function ledgerRows(event: StoryLinked): TableRow[] {
  switch (event.kind) {
    case 'relationship':
      return [{ table: 'relationships', row: relationshipRow(event) }]
    case 'thread':
      return [{ table: 'thread_places', row: threadRow(event) }]
    case 'build':
      return []
  }
}

const relationshipRow = (event: StoryLinked): Row => ({
  ...pick(event, 'namespace', 'source', 'type', 'event_id', 'action', 'directed', 'confidence', 'shared_entities'),
  target: event.target ?? '',
  valid_from: instant(event.occurred_at),
  caused_offset: event.caused_by?.offset ?? UNKNOWN_OFFSET,
})

const threadRow = (event: StoryLinked): Row => ({
  ...pick(event, 'namespace', 'event_id', 'action'),
  cluster_id: event.source,
  thread_id: event.thread_id ?? '',
  valid_from: instant(event.occurred_at),
  caused_offset: event.caused_by?.offset ?? UNKNOWN_OFFSET,
})

const UNKNOWN_OFFSET = -1

const buildRows = ({ namespace, event_id, occurred_at, built }: StoryLinked): TableRow[] =>
  built === null
    ? []
    : [{ table: 'graph_builds', row: { namespace, event_id, occurred_at: instant(occurred_at), ...built } }]

/**
 * What each sentence of an analysis states about the entities it mentions, and the text of each of these sentences
 * once.
 */
export function entityRelationRows(event: ArticleAnalyzed): TableRow[] {
  const relations = relationsOf(event, openTagLexicon())
  if (relations.length === 0) return []
  const { namespace, article_id, content_hash, direct, dated } = event
  const revision = { namespace, article_id, content_hash, direct }
  const row = { ...revision, occurred_at: instant(event.occurred_at), dated }
  const quoted = [...new Set(relations.map(({ sentence }) => sentence))]
  return [
    ...quoted.map((sentence) => ({
      table: 'relation_sentences',
      row: { ...revision, sentence, quote: quoteOf(event, sentence) },
    })),
    ...relations.map((relation) => ({
      table: 'sentence_relations',
      row: { ...row, ...relation },
    })),
  ]
}

function quoteOf({ text, sentences }: ArticleAnalyzed, sentence: number): string {
  const { start, end } = sentences[sentence] ?? { start: 0, end: 0 }
  return text.slice(start, end)
}
