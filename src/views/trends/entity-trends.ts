import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { entityVelocity, PRIOR_DAYS, type EntityVelocity, hasLowSupport } from '../../domain/trends/velocity.ts'
import { momentum, scale, type Momentum, type Scale } from '../../domain/trends/momentum.ts'
import {
  daysWithNews,
  daysWithRows,
  entityNames,
  ingestionDays,
  velocitiesAsTheyLie,
  velocitiesExact,
} from './entity-queries.ts'
import type { RowOf } from '../query.ts'

export interface EntityTrendsQuery {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly as_of: number
  readonly types: readonly string[]
  readonly min_velocity: number
  /** Whether those of low support are left out. */
  readonly supported: boolean
  readonly limit: number
}

export interface EntityTrend extends EntityVelocity {
  /** Canonical name. */
  readonly entity: string
  readonly entity_id: string
  readonly type: string
  /** On the latest ingestion day. */
  readonly mentions: number
  readonly momentum: Momentum
  readonly scale: Scale
  readonly low_support: boolean
  /** Independent accounts among the articles of the latest day. */
  readonly origins: number
  /** `2018-12-31`. */
  readonly latest_day: string
  readonly day_complete: boolean
}

/** The entities that are named most above their usual measure as of a moment, the fastest first. */
export async function entityTrends(store: Store, params: EntityTrendsQuery): Promise<EntityTrend[]> {
  const days = await lastDays(store, params)
  if (days === null) return []
  const { entities } = await velocitiesOf(store, { ...params, above: params.min_velocity }, days)
  if (entities.length === 0) return []

  const { namespace } = params
  const ids = entities.map(([id]) => id)
  const names = await entityNames(store)({ namespace, ids, from: days.from })
  const nameOf = new Map(names.map((row) => [row.entity_id, row]))
  return entities.flatMap(([id, mentions, origins, before, days_of_history]) => {
    const name = nameOf.get(id)
    if (name === undefined) return []
    const velocity = entityVelocity({ mentions, origins }, { mentions: before, days: days.prior, days_of_history })
    return [trendOf(name, { mentions, origins, velocity }, days)]
  })
}

/** How many entities are faster than a velocity. */
export async function trendingEntities(
  store: Store,
  params: Pick<EntityTrendsQuery, 'namespace' | 'as_of' | 'types'> & { readonly above: number },
): Promise<number> {
  const days = await lastDays(store, params)
  if (days === null) return 0
  const found = await velocitiesOf(store, { ...params, min_velocity: params.above, supported: false, limit: 0 }, days)
  return found.count_above
}

interface LastDays {
  readonly latest: string
  /** Whether it is over. */
  readonly is_complete: boolean
  /** How much of each day before is compared with it, milliseconds from where the day begins. */
  readonly time_of_day: number
  /** Ingestion days before it. */
  readonly prior: number
  /** Where the first of them begins, milliseconds since 1970. */
  readonly from: number
}

/** Null: the namespace took in nothing. */
async function lastDays(store: Store, params: AsOf): Promise<LastDays | null> {
  const days = await lastIngestionDays(store, params)
  const [latest, first] = [days.at(0), days.at(-1)]
  if (latest === undefined || first === undefined) return null
  const elapsed = params.as_of - Date.parse(latest)
  return {
    latest,
    is_complete: elapsed >= DAY_MS,
    time_of_day: Math.min(elapsed, DAY_MS),
    prior: days.length - 1,
    from: Date.parse(first),
  }
}

type AsOf = Pick<EntityTrendsQuery, 'namespace' | 'as_of'>

/** Newest first, at most so many as a velocity looks at. */
async function lastIngestionDays(store: Store, { namespace, as_of }: AsOf): Promise<readonly string[]> {
  const asOfParams = { namespace, as_of, limit: 1 + PRIOR_DAYS }
  const likely = (await daysWithRows(store)(asOfParams)).map(({ day }) => day)
  const first = likely.at(-1)
  if (first === undefined) return []
  const sure = await daysWithNews(store)({ ...asOfParams, from: Date.parse(first) })
  return sure.length === likely.length ? likely : (await ingestionDays(store)(asOfParams)).map(({ day }) => day)
}

async function velocitiesOf(store: Store, filter: EntityTrendsQuery & { readonly above: number }, days: LastDays) {
  const { types, ...asOfParams } = filter
  const { from, latest, time_of_day, prior } = days
  const params = {
    ...{ ...asOfParams, types: [...types] },
    ...{ from, latest: Date.parse(latest), time_of_day, prior_days: prior },
  }
  const [found] = await velocitiesAsTheyLie(store)(params)
  const [exact] = found?.is_repeated === 0 ? [found] : await velocitiesExact(store)(params)
  return exact ?? { entities: [], count_above: 0 }
}

type Name = RowOf<typeof entityNames>

interface MeasuredEntity {
  /** On the latest day. */
  readonly mentions: number
  readonly origins: number
  readonly velocity: EntityVelocity
}

function trendOf(name: Name, { mentions, origins, velocity }: MeasuredEntity, days: LastDays): EntityTrend {
  const { entity_id, entity_name, entity_type } = name
  return {
    ...{ entity: entity_name, entity_id, type: entity_type, mentions, origins },
    ...velocity,
    momentum: momentum(velocity.velocity),
    scale: scale(velocity.velocity),
    low_support: hasLowSupport({ origins, days_of_history: velocity.days_of_history }),
    latest_day: days.latest,
    day_complete: days.is_complete,
  }
}
