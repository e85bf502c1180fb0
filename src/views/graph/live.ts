import { z } from 'zod'
import { LINK_TYPES } from '../../events/graph.ts'
import type { Link } from '../../domain/graph/story.ts'
import type { Store } from '../../ports/store.ts'
import { query } from '../query.ts'
import { partsOf, type GraphFactsUpTo } from './facts.ts'

const MAX_SECONDS = 60

/** How many words there are on the relationships of a namespace, and on places in threads. */
const wordCount = query({
  name: 'graph.word_count',
  sql: `
    SELECT
      (SELECT count() FROM relationships WHERE namespace = {namespace: String}) AS links,
      (SELECT count() FROM thread_places WHERE namespace = {namespace: String}) AS places`,
  params: z.object({}),
  row: z.object({ links: z.number(), places: z.number() }),
  maxSeconds: MAX_SECONDS,
})

/** The relationships that hold up to a place in the ledger. A word is newer than another by what caused it, then by the log. */
const liveLinks = query({
  name: 'graph.live_links',
  sql: `
    SELECT source, target, type, word.2 AS directed, word.3 AS confidence, word.4 AS shared_entities, word.5 AS valid_from
    FROM
    (
      SELECT
        source, target, type,
        argMax(
          (action, directed, confidence, shared_entities, toUnixTimestamp64Milli(valid_from)), (caused_offset, _offset)
        ) AS word
      FROM relationships FINAL
      WHERE namespace = {namespace: String} AND caused_offset < {position: Int64}
        AND cityHash64(source, target) % {parts: UInt32} = {part: UInt32}
      GROUP BY source, target, type
    )
    WHERE word.1 != 'removed'`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({
    source: z.string(),
    target: z.string(),
    type: z.enum(LINK_TYPES),
    directed: z.boolean(),
    confidence: z.number(),
    shared_entities: z.array(z.string()),
    /** Milliseconds since 1970. */
    valid_from: z.number(),
  }),
  maxSeconds: MAX_SECONDS,
})

const livePlaces = query({
  name: 'graph.live_places',
  sql: `
    SELECT cluster_id, word.2 AS thread_id, word.3 AS valid_from
    FROM
    (
      SELECT
        cluster_id, argMax((action, thread_id, toUnixTimestamp64Milli(valid_from)), (caused_offset, _offset)) AS word
      FROM thread_places FINAL
      WHERE namespace = {namespace: String} AND caused_offset < {position: Int64}
        AND cityHash64(cluster_id) % {parts: UInt32} = {part: UInt32}
      GROUP BY cluster_id
    )
    WHERE word.1 != 'removed'`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({ cluster_id: z.string(), thread_id: z.string(), valid_from: z.number() }),
  maxSeconds: MAX_SECONDS,
})

export interface LiveLink extends Link {
  readonly valid_from: number
}

export interface LivePlace {
  readonly cluster_id: string
  readonly thread_id: string
  readonly valid_from: number
}

/** The graph as the views show it, up to a place in the ledger. */
export async function liveGraph(
  store: Store,
  upTo: GraphFactsUpTo,
): Promise<{ readonly links: readonly LiveLink[]; readonly places: readonly LivePlace[] }> {
  const [count] = await wordCount(store)({ namespace: upTo.namespace })
  const links = await inParts(count?.links ?? 0, (part) => liveLinks(store)({ ...upTo, ...part }))
  const places = await inParts(count?.places ?? 0, (part) => livePlaces(store)({ ...upTo, ...part }))
  return { links, places }
}

interface GraphPart {
  readonly parts: number
  readonly part: number
}

async function inParts<Row>(
  count: number,
  read: (part: GraphPart) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const parts = partsOf(count)
  for (let part = 0; part < parts; part++) for (const row of await read({ parts, part })) rows.push(row)
  return rows
}
