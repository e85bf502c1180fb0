import fc from 'fast-check'
import { pairIf, type StoryPair } from '../../src/domain/graph/join.ts'
import type { GraphRules } from '../../src/domain/graph/rules.ts'
import type { GraphStory } from '../../src/domain/graph/story.ts'
import { countWords, titleWords } from '../../src/domain/graph/title-words.ts'

/** Entities of a random world: those that end in 0 to 2 weigh one, the others two. */
const ENTITIES = Array.from({ length: 24 }, (_, i) => `ent_${String(i).padStart(2, '0')}`)
export const weightOfEntity = (id: string): number => (Number(id.slice(-1)) < 3 ? 1 : 2)

export const aGraphStory = (
  cluster_id: string,
  entities: readonly string[],
  over: Partial<Omit<GraphStory, 'cluster_id' | 'entities'>> = {},
): GraphStory => ({
  cluster_id,
  entities: [...new Set(entities)].sort().map((entity_id) => ({ entity_id, weight: weightOfEntity(entity_id) })),
  first_at: 0,
  last_at: 0,
  founded: { order: Number(cluster_id.replace(/\D/gu, '')), cluster_id },
  centre: new Int32Array([1, 0]),
  words: new Map(),
  ...over,
})

/** The hot entities stand first: chosen as the square of a chance, as few are named by many. */
const anEntity = fc.double({ min: 0, max: 0.999, noNaN: true }).map((x) => ENTITIES[Math.floor(x * x * 24)] ?? '')

/** A story of some number: hours and days apart, of one of a few directions. */
export const anyStory = (number: fc.Arbitrary<number>): fc.Arbitrary<GraphStory> =>
  fc
    .record({
      number,
      entities: fc.array(anEntity, { maxLength: 10 }),
      first_at: fc.nat({ max: 60 }).map((hours) => hours * 3_600_000),
      lasts: fc.nat({ max: 20 }).map((hours) => hours * 3_600_000),
      order: fc.nat({ max: 1_000 }),
      centre: fc.constantFrom([3, 4], [4, 3], [0, 5], [5, -1]),
      title: fc.constantFrom('', 'Senate votes', 'Senate delays the vote'),
    })
    .map(({ number: id, entities, first_at, lasts, order, centre, title }) =>
      aGraphStory(`sto_${id}`, entities, {
        ...{ first_at, last_at: first_at + lasts, founded: { order: order * 100 + id, cluster_id: `sto_${id}` } },
        centre: Int32Array.from(centre),
        words: titleWords(countWords([title]), 1),
      }),
    )

/** Stories of different ids. */
export const anyStories = (most: number): fc.Arbitrary<GraphStory[]> =>
  fc.uniqueArray(anyStory(fc.nat({ max: 999 })), { maxLength: most, selector: ({ cluster_id }) => cluster_id })

/** Each story beside each other. */
export function joinedPlainly(stories: readonly GraphStory[], rules: GraphRules): readonly StoryPair[] {
  return stories.flatMap((a, i) => stories.slice(i + 1).flatMap((b) => comparedPlainly(a, b, rules)))
}

function comparedPlainly(a: GraphStory, b: GraphStory, rules: GraphRules): readonly StoryPair[] {
  const [ofA, ofB] = [a, b].map(({ entities }) => entities.map(({ entity_id }) => entity_id)) as [string[], string[]]
  const weigh = (ids: Iterable<string>): number => [...ids].reduce((sum, id) => sum + weightOfEntity(id), 0)
  const both = ofA.filter((id) => ofB.includes(id))
  const confidence = weigh(both) / weigh(new Set([...ofA, ...ofB]))
  const pair = both.length >= rules.candidate.least ? pairIf(a, b, { confidence, rules }) : null
  return pair === null ? [] : [pair]
}

/** As text, in one order: what two joins are compared by. */
export const asLines = (pairs: readonly StoryPair[]): readonly string[] =>
  pairs
    .map(({ one, other, confidence, shared_entities }) =>
      [one.cluster_id, other.cluster_id, confidence, ...shared_entities].join(' '),
    )
    .sort()
