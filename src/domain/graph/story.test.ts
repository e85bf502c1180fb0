import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../events/articles.ts'
import { GRAPH } from './rules.ts'
import { significant } from './story.ts'

const RULES = { ...GRAPH, significant: { oneIn: 3, most: 2 } }
const named = (
  entity_id: string,
  articles: number,
  over: { readonly mentions?: number; readonly type?: EntityType } = {},
) => ({
  ...{ entity_id, articles, mentions: articles, type: 'PERSON' as const },
  ...over,
})

describe('what a story is about', () => {
  it('is what a third of its articles name, never a date or a sum', () => {
    const counts = [named('ent_1', 1), named('ent_2', 2, { type: 'GPE' }), named('ent_3', 4, { type: 'DATE' })]

    expect(significant(counts, 4, RULES)).toEqual([{ entity_id: 'ent_2', weight: 1 }])
    expect(significant(counts, 3, RULES).map(({ entity_id }) => entity_id)).toEqual(['ent_1', 'ent_2'])
  })

  it('is no more than enough: what most articles name, then what is named most, then the smaller id; by id', () => {
    const counts = [
      named('ent_4', 2),
      named('ent_3', 2),
      named('ent_9', 2, { mentions: 5 }),
      named('ent_1', 1, { mentions: 9 }),
    ]

    expect(significant(counts, 2, RULES).map(({ entity_id }) => entity_id)).toEqual(['ent_3', 'ent_9'])
    expect(
      significant([...counts, named('ent_8', 2, { mentions: 6 })], 2, RULES).map(({ entity_id }) => entity_id),
    ).toEqual(['ent_8', 'ent_9'])
  })
})
