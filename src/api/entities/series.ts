import type { Store } from '../../ports/store.ts'
import type { Resolution } from '../../domain/days.ts'
import { entitySeries, type Series } from '../../views/entities/series.ts'
import type { TimeWindow } from '../http/parameters.ts'
import type { Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'
import { entityNotFound, type ALL_TYPES } from './parts.ts'

type EntityTypeName = (typeof ALL_TYPES)[number]

interface EntitySeriesParameters {
  /** Id or name. */
  readonly entity: string
  readonly type: EntityTypeName | undefined
  /** What a name without `type` may stand for. */
  readonly types: readonly EntityTypeName[]
  readonly time_range: { readonly name: TimeWindow; readonly ms: number }
  readonly resolution: Resolution
  readonly as_of: number | undefined
  readonly max_article_ids: number
}

interface SeriesAnswer {
  readonly envelope: {
    readonly entity: string
    readonly entity_ids: string[]
    readonly type_filter: EntityTypeName | null
    readonly time_range: TimeWindow
  }
  /** Of the most mentioned. */
  readonly type: string
  readonly series: Series
}

/** The series a timeline and a sentiment are shown from, or that there is no such entity. */
export async function askSeries(
  store: Store,
  parameters: EntitySeriesParameters,
  { caller: { namespace }, now }: CallContext,
): Promise<SeriesAnswer | Problem> {
  const { entity, types, time_range, resolution, max_article_ids } = parameters
  const type = parameters.type ?? null
  const series = await entitySeries(store, {
    ...{ namespace, entity, type, types, resolution, max_article_ids },
    as_of: parameters.as_of ?? now,
    window_ms: time_range.ms,
  })
  if (series === null) return entityNotFound(entity)

  const { found } = series
  const envelope = { entity: found.name, entity_ids: [...found.ids], type_filter: type, time_range: time_range.name }
  return { envelope, type: found.type, series }
}
