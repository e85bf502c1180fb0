import type { EntityType } from '../../events/articles.ts'
import type { GraphRules } from './rules.ts'
import type { Significant } from './story.ts'

/** How often a story names an entity. */
export interface NamedCount {
  readonly entity_id: string
  readonly type: EntityType
  /** Of its articles, newest revision each: how many name it. */
  readonly articles: number
  readonly mentions: number
}

/** What a story of so many articles is about: by id, ascending. */
export function significant(
  counts: Iterable<NamedCount>,
  articles: number,
  { weights, significant: { oneIn, most } }: Pick<GraphRules, 'weights' | 'significant'>,
): readonly Significant[] {
  return [...counts]
    .filter((entity) => weights[entity.type] > 0 && oneIn * entity.articles >= articles)
    .sort((a, b) => b.articles - a.articles || b.mentions - a.mentions || byId(a, b))
    .slice(0, most)
    .sort(byId)
    .map(({ entity_id, type }) => ({ entity_id, weight: weights[type] }))
}

const byId = (a: NamedCount, b: NamedCount): number =>
  a.entity_id < b.entity_id ? -1 : Number(a.entity_id > b.entity_id)
