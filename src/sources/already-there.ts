import { z } from 'zod'
import { articlesScored } from '../events/articles.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { query } from '../views/query.ts'
import type { SourceTally } from './tally.ts'

/** By partition of `articles.scored`: what comes from here on is new. */
export type OffsetsBefore = readonly number[]

/** Where the pipeline's articles end before an import begins. */
export const endsBefore = (log: Pick<Log, 'ends'>): Promise<OffsetsBefore> => log.ends(articlesScored.name)

const IDS_A_QUERY = 2_000

/** Once an import is readable: finds which of its contents the service had before, and counts them as repeats. */
export async function countAlreadyThere(
  tally: SourceTally,
  { store, namespace, before }: { readonly store: Store; readonly namespace: string; readonly before: OffsetsBefore },
): Promise<void> {
  const ids = [...tally.contents.keys()]
  const known = new Map<string, ReadonlySet<string>>()
  for (let at = 0; at < ids.length; at += IDS_A_QUERY) {
    const article_ids = ids.slice(at, at + IDS_A_QUERY)
    const rows = await contentsBefore(store)({ namespace, article_ids, before: [...before] })
    for (const { article_id, content_hashes } of rows) known.set(article_id, new Set(content_hashes))
  }
  tally.compareWith(known)
}

/** A content that came again keeps the place in the log of its first event. */
const contentsBefore = query({
  name: 'contents_before',
  sql: `
    SELECT article_id, groupUniqArray(content_hash) AS content_hashes
    FROM articles
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      AND _offset < {before: Array(UInt64)}[_partition + 1]
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()), before: z.array(z.number()) }),
  row: z.object({ article_id: z.string(), content_hashes: z.array(z.string()) }),
})
