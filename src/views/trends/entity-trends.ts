import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { entityVelocity, hasLowSupport, momentum, PRIOR_DAYS, scale } from '../../domain/trends/velocity.ts'
import {
  daysWithNews,
  daysWithRows,
  entityNames,
  ingestionDays,
  velocitiesWithRepeats,
  velocitiesExact,
} from './entity-queries.ts'
import type { AsOf } from '../query.ts'

interface EntityTrendsQuery extends AsOf {
  readonly types: readonly string[]
  readonly min_velocity: number
  /** Leave out entities with low support. */
  readonly supported: boolean
  readonly limit: number
}

/** The entities whose mentions exceed their baseline most as of a point in time, fastest first. */
export async function entityTrends(store: Store, params: EntityTrendsQuery) {
  const days = await lastDays(store, params)
  if (days === null) return []
  const { entities } = await velocitiesOf(store, { ...params, above: params.min_velocity }, days)
  if (entities.length === 0) return []

  const { namespace } = params
  const ids = entities.map(([id]) => id)
  const names = await entityNames(store)({ namespace, ids, from: days.from })
  const nameOf = new Map(names.map((row) => [row.entity_id, row]))
  return entities.flatMap(([entity_id, mentions, origins, before, days_of_history]) => {
    const name = nameOf.get(entity_id)
    if (name === undefined) return []
    const velocity = entityVelocity({ mentions, origins }, { mentions: before, days: days.prior, days_of_history })
    const trend = {
      entity: name.entity_name,
      entity_id,
      type: name.entity_type,
      /** On the latest day, like `origins`. */
      mentions,
      origins,
      ...velocity,
      momentum: momentum(velocity.velocity),
      scale: scale(velocity.velocity),
      low_support: hasLowSupport({ origins, days_of_history }),
      latest_day: days.latest,
      day_complete: days.is_complete,
    }
    return [trend]
  })
}

/** The number of entities with a higher velocity than `above`. */
export async function trendingEntities(
  store: Store,
  params: Pick<EntityTrendsQuery, keyof AsOf | 'types'> & { readonly above: number },
): Promise<number> {
  const days = await lastDays(store, params)
  if (days === null) return 0
  const found = await velocitiesOf(store, { ...params, min_velocity: params.above, supported: false, limit: 0 }, days)
  return found.count_above
}

type LastDays = NonNullable<Awaited<ReturnType<typeof lastDays>>>

/** `null` if the namespace has ingested nothing. */
async function lastDays(store: Store, params: AsOf) {
  const days = await lastIngestionDays(store, params)
  const [latest, first] = [days.at(0), days.at(-1)]
  if (latest === undefined || first === undefined) return null
  const elapsed = params.as_of - Date.parse(latest)
  return {
    /** `2018-12-31`. */
    latest,
    is_complete: elapsed >= DAY_MS,
    /** Prior days are compared up to this time of day, in milliseconds. */
    time_of_day: Math.min(elapsed, DAY_MS),
    /** The number of prior ingestion days, and the start of the first one. */
    prior: days.length - 1,
    from: Date.parse(first),
  }
}

/**
 * The latest ingestion day and at most `PRIOR_DAYS` before it, newest first. `daysWithRows` is cheap but may include days
 * that hold only repeats. If each of them also has news, it is exact; otherwise the exact query runs.
 */
async function lastIngestionDays(store: Store, { namespace, as_of }: AsOf): Promise<readonly string[]> {
  const asOfParams = { namespace, as_of, limit: 1 + PRIOR_DAYS }
  const candidates = (await daysWithRows(store)(asOfParams)).map(({ day }) => day)
  const first = candidates.at(-1)
  if (first === undefined) return []
  const daysOfNews = await daysWithNews(store)({ ...asOfParams, from: Date.parse(first) })
  return daysOfNews.length === candidates.length
    ? candidates
    : (await ingestionDays(store)(asOfParams)).map(({ day }) => day)
}

async function velocitiesOf(store: Store, filter: EntityTrendsQuery & { readonly above: number }, days: LastDays) {
  const { from, latest, time_of_day, prior: prior_days } = days
  const params = { ...filter, types: [...filter.types], from, latest: Date.parse(latest), time_of_day, prior_days }
  const [found] = await velocitiesWithRepeats(store)(params)
  const [exact] = found?.is_repeated === 0 ? [found] : await velocitiesExact(store)(params)
  return exact ?? { entities: [], count_above: 0 }
}
