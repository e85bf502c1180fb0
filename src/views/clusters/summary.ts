import { z } from 'zod'
import { summarise, type Quotation, type SummaryModel } from '../../language/summary/summarise.ts'
import type { Genre } from '../../events/articles.ts'
import type { Store } from '../../ports/store.ts'
import { query, type RowOf } from '../query.ts'
import { coreArticles } from './core-articles.ts'
import { independent, type OfOrigin } from './independent-origins.ts'

/** Articles that a summary is made from, and of each the sentences at its beginning. */
const MAX_ARTICLES = 12
const MAX_SENTENCES = 15
/** More characters than so many sentences have. */
const MAX_CHARACTERS = 15_000

/** The beginnings of some revisions of articles, and where their sentences are (UTF-16 offsets), as Layer 1 found them. */
const beginnings = query({
  name: 'clusters.beginnings',
  sql: `
    WITH spans AS (
      SELECT
        article_id, content_hash, arraySlice(sentence_starts, 1, ${MAX_SENTENCES}) AS starts,
        arraySlice(sentence_ends, 1, ${MAX_SENTENCES}) AS ends
      FROM analyzed_articles FINAL
      PREWHERE article_id IN {article_ids: Array(String)} AND content_hash IN {content_hashes: Array(String)} AND NOT direct
      WHERE namespace = {namespace: String}
    ),
    texts AS (
      SELECT article_id, content_hash, leftUTF8(text, ${MAX_CHARACTERS}) AS beginning
      FROM articles FINAL
      PREWHERE article_id IN {article_ids: Array(String)} AND content_hash IN {content_hashes: Array(String)}
      WHERE namespace = {namespace: String}
    )
    SELECT article_id, content_hash, beginning, starts, ends FROM spans INNER JOIN texts USING (article_id, content_hash)`,
  params: z.object({ article_ids: z.array(z.string()), content_hashes: z.array(z.string()) }),
  row: z.object({
    article_id: z.string(),
    content_hash: z.string(),
    beginning: z.string(),
    starts: z.array(z.number()),
    ends: z.array(z.number()),
  }),
})

interface SummaryMember extends OfOrigin {
  readonly article_id: string
  readonly title: string | null
  readonly genre: Genre
  /** ISO 8601; null: not known. */
  readonly published_date: string | null
  readonly content_hash: string
  readonly similarity: number
}

interface SummaryQuery {
  readonly namespace: string
  /** All of them, oldest first. */
  readonly members: readonly SummaryMember[]
  /** What the story is called. */
  readonly headline: string
}

/**
 * What a story's reports say in common, in sentences of theirs: of each independent account the member nearest to the centre
 * is read, of those at the core.
 */
export async function storySummary(
  store: Store,
  { namespace, members, headline }: SummaryQuery,
  model: SummaryModel,
): Promise<Quotation[]> {
  const read = accounts(coreArticles(members))
  const rows = await beginnings(store)({
    namespace,
    article_ids: read.map(({ article_id }) => article_id),
    content_hashes: read.map(({ content_hash }) => content_hash),
  })
  const found = new Map(rows.map((row) => [`${row.article_id} ${row.content_hash}`, row]))
  const quoted = read.flatMap(({ article_id, content_hash, title, published_date }) => {
    const row = found.get(`${article_id} ${content_hash}`)
    return row === undefined
      ? []
      : [{ article_id, title, published: millisOf(published_date), sentences: sentencesOf(row) }]
  })
  return summarise(quoted, model, headline)
}

const millisOf = (date: string | null): number | null => (date === null ? null : Date.parse(date))

/** One member an independent account, those nearest to the centre, oldest first. */
function accounts(members: readonly SummaryMember[]): SummaryMember[] {
  const roots = independent(members)
  const nearest = new Map<string, SummaryMember>()
  for (const member of members) {
    const root = roots.get(member.origin) ?? member.origin
    const best = nearest.get(root)
    if (best === undefined || member.similarity > best.similarity) nearest.set(root, member)
  }
  const chosen = new Set([...nearest.values()].toSorted((a, b) => b.similarity - a.similarity).slice(0, MAX_ARTICLES))
  return members.filter((member) => chosen.has(member))
}

const sentencesOf = ({ beginning, starts, ends }: RowOf<typeof beginnings>): string[] =>
  starts.map((start, i) => beginning.slice(start, ends[i]))
