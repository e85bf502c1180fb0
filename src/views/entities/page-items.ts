import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { ALWAYS, moment } from '../instant.ts'
import { query, type RowOf, type Window } from '../query.ts'
import { ANALYSES_OF_WINDOW, currentAnalysesParams, IN_CURRENT_ANALYSES, IN_ORDER } from './current-analyses.ts'
import { isShort, ROWS_OF_SHORT_WINDOW, type EntityPage } from './page.ts'
import type { CountedAnalyses } from './window-sums.ts'
import { FACTS } from './queries.ts'

const ITEM = `
      entity_id, any(name) AS entity_name, any(type) AS entity_type, min(occurred_at) AS first_seen,
      max(occurred_at) AS last_seen,
      arrayMap(
        article -> article.2,
        arraySlice(arrayReverseSort(groupUniqArray((occurred_at, article_id))), 1, {max_articles: UInt32})
      ) AS article_ids`

const ItemParams = z.object({ ids: z.array(z.string()), from: moment, as_of: moment, max_articles: z.int() })
const ItemRow = z.object({
  entity_id: z.string(),
  entity_name: z.string(),
  entity_type: z.string(),
  first_seen: z.string(),
  last_seen: z.string(),
  article_ids: z.array(z.string()),
})

const itemsExactly = query({
  name: 'entities.items',
  sql: `WITH ${FACTS} SELECT ${ITEM} FROM facts GROUP BY entity_id`,
  params: ItemParams,
  row: ItemRow,
})

const itemsShortly = query({
  name: 'entities.items_short',
  sql: `
    WITH ${ANALYSES_OF_WINDOW}
    SELECT ${ITEM}
    FROM ${ROWS_OF_SHORT_WINDOW}
    WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
    GROUP BY entity_id`,
  params: ItemParams,
  row: ItemRow,
})

/** From rows that are not repeated. Of a short window, ClickHouse reads the projection `by_time`. */
const itemsCounted = query({
  name: 'entities.items_counted',
  sql: `
    SELECT ${ITEM}
    FROM entity_articles
    PREWHERE entity_id IN {ids: Array(String)} AND ${IN_CURRENT_ANALYSES}
    WHERE namespace = {namespace: String}
    GROUP BY entity_id
    ${IN_ORDER}`,
  params: ItemParams.extend(currentAnalysesParams.shape),
  row: ItemRow,
})

interface EntityItemsQuery extends Window {
  readonly max_articles: number
}

type EntityItem = RowOf<typeof itemsExactly>

/**
 * Names of the entities of a page, when they were first and last mentioned in its window, and its articles that mention
 * them, unordered; `article_ids` newest first.
 */
export async function entityItems(
  { namespace, from, as_of, max_articles }: EntityItemsQuery,
  { store, rows, analyses }: EntityPage,
): Promise<readonly EntityItem[]> {
  const ids = rows.map(idOf)
  const window = { namespace, from, as_of, max_articles }
  if (analyses === null) return (isShort(window) ? itemsShortly : itemsExactly)(store)({ ...window, ids })
  const often = rows.filter(({ article_count }) => article_count > max_articles).map(idOf)
  const isWhole = from === ALWAYS || isShort(window)
  const found = isWhole ? [] : await itemsAtEnds(store, analyses, { ids: often, max_articles })
  const known = new Set(found.map(idOf))
  const others = ids.filter((id) => !known.has(id))
  if (others.length === 0) return found
  return [...found, ...(await itemsCounted(store)({ ...analyses, max_articles, ids: others }))]
}

const idOf = ({ entity_id }: { readonly entity_id: string }): string => entity_id

interface OftenMentioned {
  readonly ids: readonly string[]
  readonly max_articles: number
}

/**
 * The first and the newest articles of an entity that many mention are near the ends of a window, which is less to read
 * than all of its articles. Returns only entities with enough articles there.
 */
async function itemsAtEnds(
  store: Store,
  analyses: CountedAnalyses,
  of: OftenMentioned,
): Promise<readonly EntityItem[]> {
  const { from, as_of } = analyses
  const read = (window: Pick<Window, 'from' | 'as_of'>, ids: string[]) =>
    itemsCounted(store)({ ...analyses, ...window, ids, max_articles: of.max_articles })
  const [first, last] = await Promise.all([
    inSpans(of.ids, (span, ids) => read({ from, as_of: Math.min(as_of, from + span) }, ids)),
    inSpans(of.ids, async (span, ids) => {
      const items = await read({ from: Math.max(from, as_of - span), as_of }, ids)
      return items.filter(({ article_ids }) => article_ids.length >= of.max_articles)
    }),
  ])
  return last.flatMap((item) => {
    const earliest = first.find(({ entity_id }) => entity_id === item.entity_id)
    return earliest === undefined ? [] : [{ ...item, first_seen: earliest.first_seen }]
  })
}

const SPANS = [2 * HOUR_MS, DAY_MS]

/** Reads the shorter span first, then the longer one for entities that were not found. */
async function inSpans(
  ids: readonly string[],
  read: (span: number, ids: string[]) => Promise<readonly EntityItem[]>,
): Promise<readonly EntityItem[]> {
  const found: EntityItem[] = []
  for (const span of SPANS) {
    const missing = ids.filter((id) => !found.some(({ entity_id }) => entity_id === id))
    if (missing.length > 0) found.push(...(await read(span, missing)))
  }
  return found
}
