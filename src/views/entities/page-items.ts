import { z } from 'zod'
import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type RowOf } from '../query.ts'
import { ANALYSES_OF_WINDOW, IN_ORDER } from './current-analyses.ts'
import { isShort, ROWS_OF_SHORT_WINDOW, type EntityPage } from './page.ts'
import { FACTS } from './queries.ts'

const ITEM = `
      entity_id, any(name) AS entity_name, any(type) AS entity_type,
      arrayMap(
        article -> article.2,
        arraySlice(arrayReverseSort(groupUniqArray((occurred_at, article_id))), 1, {max_articles: UInt32})
      ) AS article_ids`

const ItemParams = z.object({ ids: z.array(z.string()), from: moment, as_of: moment, max_articles: z.int() })
const ItemRow = z.object({
  entity_id: z.string(),
  entity_name: z.string(),
  entity_type: z.string(),
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

const itemsInOrder = query({
  name: 'entities.items_in_order',
  sql: `
    SELECT ${ITEM}
    FROM entity_articles
    PREWHERE entity_id IN {ids: Array(String)} AND _offset NOT IN {replaced: Array(UInt64)}
      AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    WHERE namespace = {namespace: String}
    GROUP BY entity_id
    ${IN_ORDER}`,
  params: ItemParams.extend({ replaced: z.array(z.number()) }),
  row: ItemRow,
})

interface EntityItemsQuery {
  readonly namespace: string
  readonly from: number
  readonly as_of: number
  readonly max_articles: number
}

type EntityItem = RowOf<typeof itemsExactly>

/** Names of the entities of a page, and the articles of its window that mention them, unordered; `article_ids` newest first. */
export function entityItems(
  store: Store,
  window: EntityItemsQuery,
  { rows, replaced }: EntityPage,
): Promise<readonly EntityItem[]> {
  if (replaced !== null) return itemsOfLong(store, { ...window, replaced: [...replaced] }, rows)
  return (isShort(window) ? itemsShortly : itemsExactly)(store)({ ...window, ids: rows.map(idOf) })
}

const idOf = ({ entity_id }: { readonly entity_id: string }): string => entity_id

/** The newest articles of an entity that many mention are mostly of the last day. */
const RECENT_MS = DAY_MS

async function itemsOfLong(
  store: Store,
  window: EntityItemsQuery & { readonly replaced: number[] },
  rows: EntityPage['rows'],
): Promise<readonly EntityItem[]> {
  const { as_of, from, max_articles } = window
  const often = rows.filter(({ article_count }) => article_count > max_articles).map(idOf)
  const recent = { ...window, ids: often, from: Math.max(from, as_of - RECENT_MS) }
  const found = often.length === 0 ? [] : await itemsShortly(store)(recent)
  const complete = found.filter(({ article_ids }) => article_ids.length >= max_articles)
  const known = new Set(complete.map(idOf))
  const ids = rows.map(idOf).filter((id) => !known.has(id))
  return ids.length === 0 ? complete : [...complete, ...(await itemsInOrder(store)({ ...window, ids }))]
}
