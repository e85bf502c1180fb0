import { z } from 'zod'
import { groupBy } from '../../domain/group-by.ts'
import { subjectTitle } from '../../language/headlines/subject-title.ts'
import type { Weigh } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'
import { concernedByIds } from './as-of.ts'
import { clusterItem, PRIMARY_ENTITIES, titleOf, type ClusterRow } from './item.ts'
import { clusterItems, subjectItems } from './items.ts'

/** Maximum number of entities and headlines read for a title, instead of all of a page. */
const TITLE_ENTITIES = 40

export type SubjectItem = ReturnType<typeof subjectItem>

/**
 * A subject page: articles of several stories that share a subject but not an event. `story_count`: the number of
 * stories that its articles belong to.
 */
export const subjectItem = (row: ClusterRow, { story_count, weigh }: { story_count: number; weigh: Weigh }) => {
  const headlines = row.headlines.flatMap(({ title }) => title ?? [])
  const title = subjectTitle({ ...row, headlines }, weigh)
  const named = title === '' ? titleOf({ ...row, title: null }) : title
  return { ...clusterItem(row), title: named, kind: 'subject' as const, story_count }
}

/** Some subject pages as of a point in time, in the order of `ids`. */
export async function subjects(store: Store, params: AsOf & { readonly ids: string[] }, weigh: Weigh) {
  const [rows, stories] = await Promise.all([
    subjectItems(store)({ ...params, max_entities: TITLE_ENTITIES }),
    listedStories(store)(params),
  ])
  const storiesBySubject = groupBy(stories, ({ subject }) => subject)
  const items = new Map(
    rows.map((row) => {
      const story_count = storiesBySubject.get(row.cluster_id)?.length ?? 0
      return [row.cluster_id, subjectItem(row, { story_count, weigh })]
    }),
  )
  return params.ids.flatMap((id) => items.get(id) ?? [])
}

/** The number of articles of the CTE `concerned` on each subject page as of a point in time, by story. */
const listed = (concerned: string, condition = '') => `
    WITH ${concerned},
    belonging AS (
      SELECT article_id, argMax(cluster_id, _offset) AS story
      FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    listed AS (
      SELECT article_id, argMax(cluster_id, _offset) AS subject
      FROM subject_listings FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT subject, story, count() AS articles
    FROM listed INNER JOIN belonging USING (article_id)
    ${condition}
    GROUP BY subject, story
    ORDER BY articles DESC, subject, story`

const ListedRow = z.object({ subject: z.string(), story: z.string(), articles: z.number() })

/** The subject pages that list some articles, with the number of these articles by story. */
const listedArticles = query({
  name: 'subjects.listed',
  sql: listed('concerned AS (SELECT arrayJoin({articles: Array(String)}) AS article_id)'),
  params: z.object({ articles: z.array(z.string()), as_of: moment }),
  row: ListedRow,
})

/** The stories of some subject pages, with their number of articles on the page. */
const listedStories = query({
  name: 'subjects.stories',
  sql: listed(concernedByIds('subject_listings'), 'WHERE subject IN {ids: Array(String)}'),
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: ListedRow,
})

/** The subject page that lists most of some articles as of a point in time; `null` if none lists any. */
export async function subjectOf(store: Store, at: AsOf & { readonly articles: string[] }): Promise<string | null> {
  if (at.articles.length === 0) return null
  const counts = new Map<string, number>()
  for (const { subject, articles } of await listedArticles(store)(at)) {
    counts.set(subject, (counts.get(subject) ?? 0) + articles)
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return most?.[0] ?? null
}

/** Maximum number of stories listed, those with the most articles on the page. */
const LISTED_STORIES = 100

/** The stories of a subject page as of a point in time, the one with the newest article first, and their number. */
export async function storiesOf(store: Store, { namespace, as_of, subject }: AsOf & { readonly subject: string }) {
  const rows = await listedStories(store)({ namespace, as_of, ids: [subject] })
  const ids = rows.map(({ story }) => story).slice(0, LISTED_STORIES)
  const found =
    ids.length === 0 ? [] : await clusterItems(store)({ namespace, as_of, ids, max_entities: PRIMARY_ENTITIES })
  const stories = found
    .map((row) => ({
      id: row.cluster_id,
      title: titleOf(row),
      article_count: row.article_count,
      updated_at: row.updated_at,
    }))
    .sort(
      (a, b) => (a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1) || (a.id < b.id ? -1 : 1),
    )
  return { stories, story_count: rows.length }
}
