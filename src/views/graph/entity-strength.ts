import type { Store } from '../../ports/store.ts'
import { entitiesByArticles, mostTogether } from './entity-pairs.ts'

export interface EntityWindow {
  readonly namespace: string
  /** Milliseconds since 1970, exclusive. */
  readonly from: number
  readonly as_of: number
}

/** Entities that are looked at first; twice as many each time they do not decide. */
const FIRST = 32

/**
 * The most articles of a window that name any two entities together, which is what strength 1 means; 0: none names two.
 * Found among the entities of most articles: a pair is in no more articles than either of its two, so it is the most of
 * all once the first entity that was not looked at is in no more.
 */
export async function strongestPair(store: Store, window: EntityWindow): Promise<number> {
  for (let looked = FIRST; ; looked *= 2) {
    const entities = await entitiesByArticles(store)({ ...window, limit: looked + 1 })
    const ids = entities.slice(0, looked).map(({ entity_id }) => entity_id)
    const [found] = await mostTogether(store)({ ...window, ids })
    const articles = found?.articles ?? 0
    if (articles >= (entities[looked]?.articles ?? 0)) return articles
  }
}

/** What is shown of counts: a share of the strongest pair's, 0 to 1. */
export const strengthOf = (articles: number, most: number): number => Math.round((articles / most) * 1e6) / 1e6

/** The fewest articles that make a pair of so much strength; at least one. */
export const leastArticles = (strength: number, most: number): number =>
  Math.max(1, Math.ceil(strength * most - ROUNDING))

/** 0.3 x 10 is a little more than 3. */
const ROUNDING = 1e-6
