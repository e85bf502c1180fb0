import { spanOf } from './days.ts'
import type { Arriving } from './level.ts'
import { mentionsOf, type Article, type Entity, type Prior } from './memory.ts'
import { allIn, isIn, type Coming } from './timeline.ts'

/** An entity that an article names as it comes. */
export interface Naming extends Arriving {
  readonly entity: Entity
  /** Whole ingestion days before the moment's, the earliest first. */
  readonly days: readonly number[]
}

/** How much it was named on the days of its history. */
export function priorOf({ entity, coming, days }: Naming): Prior {
  const { added, without } = coming
  const isFresh = days.some((day) => [added, without].some((one) => one !== null && isIn(one, spanOf(day))))
  if (isFresh) return summed(entity, coming, days)
  if (entity.prior?.days !== days) entity.prior = summed(entity, coming, days)
  return entity.prior
}

function summed(entity: Entity, coming: Coming<Article>, days: readonly number[]): Prior {
  const byDay = days.map((day) => mentionsIn(entity, allIn(coming, spanOf(day))))
  return {
    days,
    articles: priorArticles(coming, days).length,
    mentions: byDay.reduce((sum, mentions) => sum + mentions, 0),
    namedOn: byDay.filter((mentions) => mentions > 0).length,
  }
}

export const priorArticles = (coming: Coming<Article>, days: readonly number[]): readonly Article[] =>
  days.flatMap((day) => allIn(coming, spanOf(day)))

export function mentionsIn(entity: Entity, articles: readonly Article[]): number {
  let sum = 0
  for (const article of articles) sum += mentionsOf(article, entity)
  return sum
}
