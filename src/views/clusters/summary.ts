import { z } from 'zod'
import { inOneLanguage } from '../../language/headlines/one-language.ts'
import { summarise, type Quotation, type SummaryModel } from '../../language/summary/summarise.ts'
import type { Genre } from '../../events/articles.ts'
import type { Store } from '../../ports/store.ts'
import { query, type RowOf } from '../query.ts'
import { independent } from './as-of.ts'
import type { clusterMembers } from './items.ts'

/** Maximum number of articles per summary, and of sentences read from the start of each. */
const MAX_ARTICLES = 12
const MAX_SENTENCES = 15
/** Characters read from the start of an article: more than its first `MAX_SENTENCES` sentences. */
const MAX_CHARACTERS = 15_000

/** The first part of some revisions of articles, and the spans of its sentences (UTF-16 offsets) from Layer 1. */
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

type SummaryMember = Pick<
  RowOf<typeof clusterMembers>,
  | 'article_id'
  | 'title'
  | 'genre'
  | 'language'
  | 'published_date'
  | 'content_hash'
  | 'similarity'
  | 'origin'
  | 'from_origin'
>

interface SummaryQuery {
  readonly namespace: string
  /** All members, oldest first. */
  readonly members: readonly SummaryMember[]
  /** The story's title. */
  readonly headline: string
  /** The languages of the reader, ISO 639-1, the first preferred: English by default. */
  readonly languages?: readonly string[] | undefined
}

/**
 * An extractive summary: sentences with what the story's reports have in common. Reads the core articles, one per
 * independent source: the member nearest to the centre. In one language: the first of the reader's that has articles, or else the most
 * frequent one.
 */
export async function storySummary(
  store: Store,
  { namespace, members, headline, languages }: SummaryQuery,
  model: SummaryModel,
): Promise<Quotation[]> {
  const chosen = onePerSource(coreArticles(inOneLanguage(members, languages)))
  const rows = await beginnings(store)({
    namespace,
    article_ids: chosen.map(({ article_id }) => article_id),
    content_hashes: chosen.map(({ content_hash }) => content_hash),
  })
  const found = new Map(rows.map((row) => [`${row.article_id} ${row.content_hash}`, row]))
  const quoted = chosen.flatMap(({ article_id, content_hash, title, published_date }) => {
    const row = found.get(`${article_id} ${content_hash}`)
    return row === undefined
      ? []
      : [{ article_id, title, published: millisOf(published_date), sentences: sentencesOf(row) }]
  })
  return summarise(quoted, model, headline)
}

const millisOf = (date: string | null): number | null => (date === null ? null : Date.parse(date))

/** One member per independent source, those nearest to the centre, oldest first. */
function onePerSource(members: readonly SummaryMember[]): SummaryMember[] {
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

/**
 * Genres in order of preference. If a story has no report, the next group is quoted; opinions and digests come last.
 */
const ORDER: readonly (readonly Genre[])[] = [
  ['report'],
  ['analysis', 'explainer', 'live_blog'],
  ['roundup', 'press_digest', 'opinion'],
]
/** A core member's similarity is at most this much below the highest one. */
const MAX_BELOW_BEST = 0.12

/**
 * The core members of a story: those of the preferred genre (reports if there are any) that are near the centre.
 * `similarity` is the cosine to the centre, -1 to 1.
 */
export function coreArticles<Member extends Pick<SummaryMember, 'genre' | 'similarity'>>(
  members: readonly Member[],
): Member[] {
  const preferred = ORDER.find((genres) => members.some(({ genre }) => genres.includes(genre))) ?? []
  const eligible = members.filter(({ genre }) => preferred.includes(genre))
  const best = Math.max(...eligible.map(({ similarity }) => similarity))
  return eligible.filter(({ similarity }) => similarity >= best - MAX_BELOW_BEST)
}
