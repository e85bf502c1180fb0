import type { EntityType } from '../../events/articles.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import type { GraphStory } from '../../domain/graph/story.ts'
import { mulberry32 } from '../../quality/seeded-random.ts'

/** One in this many entities is a place. The others are persons and organisations in equal numbers. */
const PLACE_EVERY = 3
/** Entities per story, mean of the stories that do not repeat another one. The mean of all stories is 8.3. */
const MEAN_ENTITIES = 8.6
const SPREAD = 3
const MAX_ENTITIES = 16
/** One in this many stories is about nearly the same as an earlier one. */
const ECHO_EVERY = 5
/** The share of the earlier story that it repeats. */
const ECHOED = 0.85
const CENTRE = 384

/**
 * The entities of each story, as a list of distinct numbers. They are sampled from Zipf's law with exponent 1 (the most
 * frequent one is in about 40 % of the stories), 8.3 per story on average. One story in five repeats most of an earlier
 * one, as in threads.
 */
export function zipfSets(stories: number, seed = 1): readonly (readonly number[])[] {
  const chance = mulberry32(seed)
  const entities = Math.max(1_000, stories)
  const harmonic = Math.log(entities) + 0.5772
  // The inverse of the harmonic sum avoids searching a table of a hundred thousand shares for each sample.
  const draw = (): number => Math.min(entities - 1, Math.floor(Math.exp(chance() * harmonic - 0.5772)))
  const sets: number[][] = []
  for (let i = 0; i < stories; i++) {
    const earlier = i % ECHO_EVERY === ECHO_EVERY - 1 ? sets[Math.floor(chance() * i)] : undefined
    sets.push(earlier?.filter(() => chance() < ECHOED) ?? sampled(chance, draw))
  }
  return sets
}

function sampled(chance: () => number, draw: () => number): number[] {
  const spread = SPREAD * (chance() + chance() + chance() - 1.5)
  const size = Math.min(MAX_ENTITIES, Math.max(1, Math.round(MEAN_ENTITIES + spread)))
  const set = new Set<number>()
  while (set.size < size) set.add(draw())
  return [...set]
}

export const typeOf = (entity: number): EntityType =>
  entity % PLACE_EVERY === 0 ? 'GPE' : entity % 2 === 0 ? 'PERSON' : 'ORG'

export const entityName = (entity: number): string => `ent_bench${String(entity).padStart(8, '0')}`

export const storyName = (i: number): string => `sto_bench${String(i).padStart(8, '0')}`

/** The same stories in the form that the graph's functions take. */
export function zipfStories(
  sets: readonly (readonly number[])[],
  { weights }: Pick<GraphRules, 'weights'>,
): readonly GraphStory[] {
  return sets.map((set, i) => ({
    cluster_id: storyName(i),
    entities: set
      .map((entity) => ({ entity_id: entityName(entity), weight: weights[typeOf(entity)] }))
      .sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1)),
    first_at: i * 60_000,
    last_at: i * 60_000 + 3_600_000,
    founded: { order: i, cluster_id: storyName(i) },
    centre: new Int32Array(CENTRE),
    words: new Map(),
  }))
}
