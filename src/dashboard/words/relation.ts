import type { ApiSchemas } from './schemas.ts'

type Relationship = ApiSchemas['ClusterRelationship']

const NAMED = 3
const names = new Intl.ListFormat('en')

/** A sentence that says how another story is related to the story `own`. `nameOf`: entity names by id. */
export function relationOf(
  relationship: Pick<Relationship, 'source' | 'target' | 'type' | 'shared_entities'>,
  own: string,
  nameOf: ReadonlyMap<string, string>,
): string {
  const isFromOwn = relationship.source === own
  const shared = sharedNames(relationship.shared_entities, nameOf)
  return shared === ''
    ? `${SENTENCES[relationship.type](isFromOwn)}.`
    : `${SENTENCES[relationship.type](isFromOwn)}; both mention ${shared}.`
}

const SENTENCES: Readonly<Record<Relationship['type'], (isFromOwn: boolean) => string>> = {
  shared_entities: () => 'About the same people, organisations or places',
  evolved_into: (isFromOwn) =>
    isFromOwn
      ? 'A later chapter: its articles continue what this story reports'
      : 'An earlier chapter: this story continues what its articles report',
  merged_with: () => 'Reports the same event at the same time, or was merged with this story',
  split_from: (isFromOwn) => (isFromOwn ? 'This story was split from it' : 'It was split from this story'),
}

/** The known names, and the number of the other entities. */
function sharedNames(ids: readonly string[], nameOf: ReadonlyMap<string, string>): string {
  const known = ids.flatMap((id) => nameOf.get(id) ?? []).slice(0, NAMED)
  const more = ids.length - known.length
  if (ids.length === 0) return ''
  if (known.length === 0) return ids.length === 1 ? 'one shared entity' : `${ids.length} shared entities`
  return names.format(more === 0 ? known : [...known, `${more} more`])
}

export interface RelatedStory {
  readonly relationship: Relationship
  /** The id of the story today; differs from the id in the relationship after a merge. */
  readonly id: string
  readonly title: string
  /** A sentence that says how it is related. */
  readonly why: string
}

/**
 * Each story once, by its relationship with the highest confidence, without the story `own`. After merges several ids
 * may resolve to one story, and two stories can have more than one relationship. Sorted by confidence, highest first.
 */
export function uniqueStories(found: readonly RelatedStory[], own: string): readonly RelatedStory[] {
  const byId = new Map<string, RelatedStory>()
  const sorted = found.toSorted((a, b) => b.relationship.confidence - a.relationship.confidence)
  for (const story of sorted) if (story.id !== own && !byId.has(story.id)) byId.set(story.id, story)
  return [...byId.values()]
}
