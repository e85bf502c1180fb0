import type { ArticleAnalyzed } from '../../events/articles.ts'
import { relationsOf } from '../../language/relations/relations-of.ts'
import { openTagLexicon } from '../../language/tokens/part-of-speech.ts'
import type { TableRow } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'

/** What each sentence of an analysis says of the entities it names, and each of these sentences once, as it stands. */
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
