import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { DERIVED } from '../hash.ts'
import { instant } from '../instant.ts'
import { query } from '../query.ts'
import { figuresOfFacts, FIGURE_COLUMNS, figuresUpTo, touchedSince } from './figures.ts'

/** Facts of a namespace that are complete in all tables: those from an offset up to another, inclusive. */
export interface FactsRange {
  readonly namespace: string
  readonly partition: number
  readonly from: number
  readonly upTo: number
}

/** Stories per statement: bounds its memory. */
const AT_ONCE = 8_000
/** Later than any event time: the figures include all facts. */
const AFTER_ALL = Date.UTC(2200, 0)

/**
 * Computes the figures of the stories that facts of the range touch. Rows replace older ones, so it can be repeated; a
 * read meanwhile computes these stories from facts.
 */
export async function refreshFigures(store: Store, { namespace, partition, from, upTo }: FactsRange): Promise<void> {
  const known = (await figuresUpTo(store, namespace)) ?? -1
  const since = Math.min(known, from - 1)
  const [found] = await placedSince(store)({ namespace, since })
  const parts = Math.ceil((found?.stories ?? 0) / AT_ONCE)
  const touched = since < 0 ? ALL_STORIES : touchedSince('{since: Int64}')
  for (let part = 0; part < parts; part++) {
    await store.command(bound(refresh(touched), { namespace, since, partition, upTo, parts, part, as_of: AFTER_ALL }))
  }
  await store.insert('story_figures_read', [{ namespace, _partition: partition, _offset: Math.max(known, upTo) }])
}

/**
 * Computes the figures of all stories, after their facts may have been replaced by others with the same offsets. Lists
 * are computed from facts meanwhile.
 */
export async function recomputeFigures(store: Store): Promise<void> {
  for (const table of DERIVED) await store.command(`TRUNCATE TABLE ${table}`)
  const namespaces = await store.query({
    name: 'stories.namespaces',
    sql: `SELECT namespace, any(_partition) AS partition, max(_offset) AS up_to FROM
      (SELECT namespace, _partition, _offset FROM placements UNION ALL SELECT namespace, _partition, _offset FROM settlements)
      GROUP BY namespace`,
    params: {},
    parse: (row) => z.object({ namespace: z.string(), partition: z.number(), up_to: z.number() }).parse(row),
  })
  for (const { namespace, partition, up_to: upTo } of namespaces) {
    await refreshFigures(store, { namespace, partition, from: 0, upTo })
  }
}

const ALL_STORIES = 'SELECT DISTINCT cluster_id FROM placements WHERE namespace = {namespace: String}'

/** About as many stories as facts since an offset touch. */
const placedSince = query({
  name: 'stories.placed_since',
  sql: `
    SELECT uniq(cluster_id) AS stories FROM
    (
      SELECT cluster_id, _offset FROM placements WHERE namespace = {namespace: String}
      UNION ALL
      SELECT cluster_id, _offset FROM settlements WHERE namespace = {namespace: String}
    )
    WHERE toInt64(_offset) > {since: Int64}`,
  params: z.object({ since: z.int() }),
  row: z.object({ stories: z.number() }),
})

const refresh = (touched: string): string => `
    INSERT INTO story_figures (namespace, changed_at, ${FIGURE_COLUMNS}, _partition, _offset)
    WITH touched AS (
      SELECT cluster_id FROM (${touched}) WHERE sipHash64(cluster_id) % {parts: UInt32} = {part: UInt32}
    ),
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT cluster_id FROM touched)
    ),
    ${figuresOfFacts()},
    moved AS (
      SELECT article_id, max(valid_from) AS moved_at FROM placements
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
      GROUP BY article_id
    ),
    seen AS (
      SELECT article_id, max(occurred_at) AS seen_at FROM members
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
      GROUP BY article_id
    ),
    changed AS (
      SELECT placements.cluster_id AS cluster_id, max(greatest(moved_at, seen_at)) AS changed_at
      FROM placements INNER JOIN moved ON placements.article_id = moved.article_id
      LEFT JOIN seen ON placements.article_id = seen.article_id
      WHERE namespace = {namespace: String} AND placements.cluster_id IN (SELECT cluster_id FROM touched)
      GROUP BY cluster_id
    )
    SELECT {namespace: String}, changed_at, changed.${FIGURE_COLUMNS.replaceAll(', ', ', figures.')}, {partition: UInt32}, {upTo: UInt64}
    FROM changed LEFT JOIN figures ON changed.cluster_id = figures.cluster_id`

/** A statement has no parameters, so the values are written into its text. */
function bound(sql: string, params: Readonly<Record<string, string | number>>): string {
  return sql.replaceAll(/\{(\w+): ([^}]+)\}/g, (_, name: string, type: string) => {
    const value = params[name] ?? ''
    const text = type.startsWith('DateTime64') ? instant(Number(value)) : String(value)
    return `CAST('${text.replaceAll(/['\\]/g, '\\$&')}', '${type.replaceAll("'", "\\'")}')`
  })
}
