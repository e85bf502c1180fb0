import { z } from 'zod'
import { subjectTitle } from '../../language/headlines/subject-title.ts'
import type { Weigh } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { clusterItem, PRIMARY_ENTITIES, titleOf, type ClusterItem } from './item.ts'
import { clusterItems, subjectItems } from './items.ts'

/** A subject page: articles of several stories that share what they are about, not the event. */
export interface SubjectItem extends ClusterItem {
  readonly kind: 'subject'
}

/** Entities and headlines that a title is made of: a page's whole are not read for it. */
const TITLE_ENTITIES = 40

interface Wanted {
  readonly namespace: string
  readonly as_of: number
  readonly ids: string[]
}

type Row = Awaited<ReturnType<ReturnType<typeof subjectItems>>>[number]

export const subjectItem = (row: Row, weigh: Weigh): SubjectItem => {
  const headlines = row.headlines.flatMap(({ title }) => title ?? [])
  const title = subjectTitle({ ...row, headlines }, weigh)
  return { ...clusterItem(row), title: title === '' ? titleOf({ ...row, title: null }) : title, kind: 'subject' }
}

/** Some subject pages as of a moment, in the order of their ids. */
export async function subjects(store: Store, wanted: Wanted, weigh: Weigh): Promise<SubjectItem[]> {
  if (wanted.ids.length === 0) return []
  const rows = await subjectItems(store)({ ...wanted, max_entities: TITLE_ENTITIES })
  const items = new Map(rows.map((row) => [row.cluster_id, subjectItem(row, weigh)]))
  return wanted.ids.flatMap((id) => items.get(id) ?? [])
}

/** One row an article that is on a subject page as of a moment: the page, and the story the article belongs to. */
const listedArticles = query({
  name: 'subjects.listed',
  sql: `
    WITH belonging AS (
      SELECT article_id, argMax(cluster_id, _offset) AS story
      FROM placements FINAL
      PREWHERE article_id IN {articles: Array(String)}
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    listed AS (
      SELECT article_id, argMax(cluster_id, _offset) AS subject
      FROM subject_listings FINAL
      PREWHERE article_id IN {articles: Array(String)}
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT subject, story, count() AS articles
    FROM listed INNER JOIN belonging USING (article_id)
    GROUP BY subject, story
    ORDER BY articles DESC, subject, story`,
  params: z.object({ articles: z.array(z.string()), as_of: moment }),
  row: z.object({ subject: z.string(), story: z.string(), articles: z.number() }),
})

interface ArticlesAt {
  readonly namespace: string
  readonly as_of: number
  readonly articles: string[]
}

/** The subject page that lists most of some articles as of a moment; null: none lists any. */
export async function subjectOf(store: Store, at: ArticlesAt): Promise<string | null> {
  if (at.articles.length === 0) return null
  const counts = new Map<string, number>()
  for (const { subject, articles } of await listedArticles(store)(at)) {
    counts.set(subject, (counts.get(subject) ?? 0) + articles)
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return most?.[0] ?? null
}

/** A story as a subject page lists it. */
export interface ListedStory {
  readonly id: string
  readonly title: string
  readonly article_count: number
  readonly updated_at: string
}

/** More stories are not listed: those with the most articles on the page are. */
const LISTED_STORIES = 100

/** The stories of some articles as of a moment, the one with the newest article first. */
export async function storiesOf(store: Store, at: ArticlesAt): Promise<ListedStory[]> {
  const rows = await listedArticles(store)(at)
  const ids = [...new Set(rows.map(({ story }) => story))].slice(0, LISTED_STORIES)
  if (ids.length === 0) return []
  const { namespace, as_of } = at
  const stories = await clusterItems(store)({ namespace, as_of, ids, max_entities: PRIMARY_ENTITIES })
  return stories
    .map((row) => ({
      id: row.cluster_id,
      title: titleOf(row),
      article_count: row.article_count,
      updated_at: row.updated_at,
    }))
    .sort(
      (a, b) => (a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1) || (a.id < b.id ? -1 : 1),
    )
}
