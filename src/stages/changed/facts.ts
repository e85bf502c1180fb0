import type { ChangePublished } from '../../events/changes.ts'
import { coverageOf, entitiesOf, type ChangedArticle, type ChangedEntity, type ChangedStory } from './memory.ts'

type Certainty = Pick<ChangePublished, 'membership' | 'assignment_confidence'>

/** What the filters of subscribers compare. */
export type ChangeFacts = Certainty &
  Pick<ChangePublished, 'entity_ids' | 'entity_names' | 'origin_count' | 'title' | 'velocity'>

/** For a change without a story, or with an unknown one. */
export const NO_FACTS: ChangeFacts = {
  entity_ids: [],
  entity_names: [],
  velocity: null,
  membership: null,
  assignment_confidence: null,
  origin_count: null,
  title: null,
}

/** Of a change that concerns a story as a whole. */
export const factsOf = (story: ChangedStory | undefined): ChangeFacts =>
  story === undefined ? NO_FACTS : factsOfPart(story, entitiesOf(story))

/** Of a change that concerns some entities of a story. */
export const factsOfPart = (
  story: ChangedStory | undefined,
  entities: Iterable<Pick<ChangedEntity, 'id' | 'name'>>,
): ChangeFacts => ({
  ...NO_FACTS,
  ...namesOf(entities),
  ...(story === undefined ? {} : { ...certaintyOf(story), ...coverageOf(story) }),
})

/** Entities for the filters; names that are not known are left out. */
const namesOf = (entities: Iterable<Pick<ChangedEntity, 'id' | 'name'>>) => ({
  entity_ids: [...entities].map(({ id }) => id),
  entity_names: [...entities].map(({ name }) => name).filter((name) => name !== ''),
})

/** A story is settled when each of its articles is, and as certain as the least certain one. */
function certaintyOf({ articles }: { readonly articles: Iterable<ChangedArticle> }): Certainty {
  let isSettled = true
  let lowest: number | null = Infinity
  for (const { settled, assignment_confidence } of articles) {
    isSettled &&= settled
    lowest = lowest === null || assignment_confidence === null ? null : Math.min(lowest, assignment_confidence)
  }
  if (lowest === Infinity) return { membership: null, assignment_confidence: null }
  return { membership: isSettled ? 'settled' : 'provisional', assignment_confidence: lowest }
}
