import type { Store } from '../../ports/store.ts'
import { listEntities, type EntityList } from '../../views/entities/list.ts'
import type { TimeWindow } from '../http/parameters.ts'
import type { CallContext } from '../http/route.ts'

interface EntityListParameters<Type extends string> {
  readonly query?: string | undefined
  readonly type?: Type | undefined
  readonly min_mentions: number
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
  readonly as_of?: number | undefined
}

interface ListOf<Type extends string> {
  /** What is listed where no type is asked for. */
  readonly types: readonly Type[]
  /** Null: all time. */
  readonly time_range: { readonly name: TimeWindow; readonly ms: number } | null
  readonly max_article_ids: number
}

interface ListAnswer<Type extends string> extends EntityList {
  readonly query: string
  readonly type_filter: Type | null
}

/** A page of entities in the envelope that both lists have. */
export async function askList<Type extends string>(
  store: Store,
  { types, time_range, max_article_ids, ...parameters }: EntityListParameters<Type> & ListOf<Type>,
  { caller: { namespace }, now }: CallContext,
): Promise<ListAnswer<Type>> {
  const { query = null, type = null, as_of, min_mentions, limit, offset, cursor } = parameters
  const moment = { as_of: as_of ?? now, as_of_given: as_of !== undefined }
  const found = await listEntities(store, {
    ...{ namespace, query, min_mentions, limit, offset, cursor, max_article_ids, ...moment },
    types: type === null ? types : [type],
    window_ms: time_range === null ? null : time_range.ms,
  })
  return { ...found, query: query ?? '', type_filter: type }
}
