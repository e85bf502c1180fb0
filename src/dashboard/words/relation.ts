import type { components } from '../../../sdk/src/index.ts'

type DashboardRelationship = components['schemas']['ClusterRelationship']

const NAMED = 3
const names = new Intl.ListFormat('en')

/** How another story is related to the story `own`, and why, for a reader. `nameOf`: names of entities by id. */
export function relationOf(
  relationship: Pick<DashboardRelationship, 'source' | 'target' | 'type' | 'shared_entities'>,
  own: string,
  nameOf: ReadonlyMap<string, string>,
): string {
  const isFromOwn = relationship.source === own
  const shared = sharedNames(relationship.shared_entities, nameOf)
  return shared === ''
    ? `${SENTENCES[relationship.type](isFromOwn)}.`
    : `${SENTENCES[relationship.type](isFromOwn)}; both name ${shared}.`
}

const SENTENCES: Readonly<Record<DashboardRelationship['type'], (isFromOwn: boolean) => string>> = {
  shared_entities: () => 'About the same people, organisations or places',
  evolved_into: (isFromOwn) =>
    isFromOwn
      ? 'A later chapter: its articles and headlines go on with what this story reports'
      : 'An earlier chapter: this story goes on with what its articles and headlines report',
  merged_with: () => 'Reported the same at the same time, or became one story with it',
  split_from: (isFromOwn) => (isFromOwn ? 'This story was split from it' : 'It was split from this story'),
}

/** The names of those that are known, and how many more there are. */
function sharedNames(ids: readonly string[], nameOf: ReadonlyMap<string, string>): string {
  const known = ids.flatMap((id) => nameOf.get(id) ?? []).slice(0, NAMED)
  const more = ids.length - known.length
  if (ids.length === 0) return ''
  if (known.length === 0) return ids.length === 1 ? 'one same entity' : `${ids.length} same entities`
  return names.format(more === 0 ? known : [...known, `${more} more`])
}
