import type { EntityType } from '../../events/articles.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import type { GraphStory } from '../../domain/graph/story.ts'
import { mulberry32 } from '../../quality/seeded-random.ts'

/** One entity in so many is a place; persons and organisations take turns with the rest. */
const PLACE_EVERY = 3
/** Of a story that repeats none; with those that do, 8.3. */
const MEAN_ENTITIES = 8.6
const SPREAD = 3
const MOST_ENTITIES = 16
/** One story in so many is about nearly the same as an earlier one. */
const ECHO_EVERY = 5
/** How much of that one it repeats. */
const ECHOED = 0.85
const CENTRE = 384

/**
 * What stories are about: each a list of different entities by number, drawn after Zipf's law with exponent 1 (the hottest
 * is in some 40 % of them), 8.3 on average; one story in five repeats most of an earlier one, as chapters of one affair do.
 */
export function zipfSets(stories: number, seed = 1): readonly (readonly number[])[] {
  const chance = mulberry32(seed)
  const entities = Math.max(1_000, stories)
  const harmonic = Math.log(entities) + 0.5772
  // The inverse of the harmonic sum, so that no table of a hundred thousand shares is searched for each draw.
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
  const size = Math.min(MOST_ENTITIES, Math.max(1, Math.round(MEAN_ENTITIES + spread)))
  const set = new Set<number>()
  while (set.size < size) set.add(draw())
  return [...set]
}

export const typeOf = (entity: number): EntityType =>
  entity % PLACE_EVERY === 0 ? 'GPE' : entity % 2 === 0 ? 'PERSON' : 'ORG'

export const entityName = (entity: number): string => `ent_bench${String(entity).padStart(8, '0')}`

export const storyName = (i: number): string => `sto_bench${String(i).padStart(8, '0')}`

/** The same as the graph's functions take them. */
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
