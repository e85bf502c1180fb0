import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { DERIVED } from '../hash.ts'
import { instant } from '../instant.ts'
import { FIGURES, ITEMS, touchedSince, type DerivedRows } from './derived-rows.ts'
import { figuresOfFacts, FIGURE_COLUMNS } from './figures.ts'
import { ITEM_COLUMNS, itemsOfFacts } from './item-rows.ts'
import { STORED_ENTITIES } from './items.ts'

/** Facts of a namespace that are complete in all tables: those from an offset up to another, inclusive. */
export interface FactsRange {
  readonly namespace: string
  readonly partition: number
  readonly from: number
  readonly upTo: number
}

/** How the rows of a table are computed. */
interface Computed {
  readonly rows: DerivedRows
  readonly columns: string
  /** CTEs on the CTEs `concerned` and `touched`, and the name of the last one, which has these columns. */
  readonly ctes: string
  readonly cte: string
  /** Articles per statement, about: bounds its memory. */
  readonly atOnce: number
}

const COMPUTED: readonly Computed[] = [
  { rows: FIGURES, columns: FIGURE_COLUMNS, ctes: figuresOfFacts(), cte: 'figures', atOnce: 40_000 },
  {
    rows: ITEMS,
    columns: ITEM_COLUMNS,
    ctes: itemsOfFacts('(SELECT cluster_id FROM touched)'),
    cte: 'items',
    atOnce: 16_000, // with their vectors
  },
]

/** Later than any event time: the rows include all facts. */
const AFTER_ALL = Date.UTC(2200, 0)

/**
 * Computes the figures and items of the stories that facts of the range touch. Rows replace older ones, so it can be
 * repeated; a read meanwhile computes these stories from facts.
 */
export async function refreshDerived(store: Store, range: FactsRange): Promise<void> {
  for (const computed of COMPUTED) await refreshRows(store, computed, range)
}

async function refreshRows(store: Store, computed: Computed, range: FactsRange): Promise<void> {
  const { rows, atOnce } = computed
  const { namespace, partition, from, upTo } = range
  const before = await rows.upTo(store, namespace)
  const since = Math.min(before ?? -1, from - 1)
  const touched = since < 0 ? ALL_STORIES : touchedSince('{since: Int64}')
  const parts = Math.ceil((await articlesOf(store, touched, { namespace, since })) / atOnce)
  const sql = refresh(computed, touched)
  const fixed = { namespace, since, partition, upTo, parts, as_of: AFTER_ALL, max_entities: STORED_ENTITIES }
  for (let part = 0; part < parts; part++) await store.command(bound(sql, { ...fixed, part }))
  // meanwhile, a rebuild may have emptied the table: these rows are not all of them
  const wasEmptied = before !== null && (await rows.upTo(store, namespace)) === null
  if (wasEmptied) return refreshRows(store, computed, range)
  await store.insert(rows.offsets, [{ namespace, _partition: partition, _offset: Math.max(before ?? -1, upTo) }])
}

/**
 * Computes the rows of all stories, after their facts may have been replaced by others with the same offsets. Lists are
 * computed from facts meanwhile.
 */
export async function recomputeDerived(store: Store): Promise<void> {
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
    await refreshDerived(store, { namespace, partition, from: 0, upTo })
  }
}

const ALL_STORIES = 'SELECT DISTINCT cluster_id FROM placements WHERE namespace = {namespace: String}'

/** How many articles these stories hold or held. */
async function articlesOf(store: Store, stories: string, params: { namespace: string; since: number }) {
  const [found] = await store.query({
    name: 'stories.articles_touched',
    sql: `SELECT count() AS articles FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (${stories})`,
    params,
    parse: (row) => z.object({ articles: z.number() }).parse(row),
  })
  return found?.articles ?? 0
}

const refresh = ({ rows, columns, ctes, cte }: Computed, touched: string): string => `
    INSERT INTO ${rows.table} (namespace, changed_at, ${columns}, _partition, _offset)
    WITH touched AS (
      SELECT cluster_id FROM (${touched}) WHERE sipHash64(cluster_id) % {parts: UInt32} = {part: UInt32}
    ),
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT cluster_id FROM touched)
    ),
    ${ctes},
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
    SELECT {namespace: String}, changed_at, changed.${columns.replaceAll(', ', `, ${cte}.`)}, {partition: UInt32}, {upTo: UInt64}
    FROM changed LEFT JOIN ${cte} ON changed.cluster_id = ${cte}.cluster_id`

/** A statement has no parameters, so the values are written into its text. */
function bound(sql: string, params: Readonly<Record<string, string | number>>): string {
  return sql.replaceAll(/\{(\w+): ([^}]+)\}/g, (_, name: string, type: string) => {
    const value = params[name] ?? ''
    const text = type.startsWith('DateTime64') ? instant(Number(value)) : String(value)
    return `CAST('${text.replaceAll(/['\\]/g, '\\$&')}', '${type.replaceAll("'", "\\'")}')`
  })
}
