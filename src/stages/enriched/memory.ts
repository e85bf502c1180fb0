import { canonical, closeIfEmpty, noDiscourse, storyOf, type Discourse, type EnrichedState } from './discourse.ts'
import { addTo, takeFrom, type KeysBy } from './keys-by.ts'
import { foldPost } from './post-memory.ts'
import {
  NONE,
  type EnrichedUpdate,
  type RememberedAlias,
  type EnrichedMemberRecord,
  type RememberedSplit,
  type EmissionState,
} from './changelog.ts'
import { addArticle, entityIds, removeArticle } from './story.ts'

/** Folds one remembered thing, or its end, into the state. */
export function evolve(state: EnrichedState, change: EnrichedUpdate): EnrichedState {
  const namespace = change.key.slice(0, change.key.indexOf(':'))
  const discourse = state.namespaces.get(namespace) ?? noDiscourse()
  const { members, posts } = discourse
  const [articlesBefore, postsBefore] = [members.size, posts.size]
  state.namespaces.set(namespace, discourse)
  fold(discourse, change)
  state.members += members.size - articlesBefore
  state.posts += posts.size - postsBefore
  if (isEmpty(discourse)) state.namespaces.delete(namespace)
  return state
}

const isEmpty = ({ members, posts, aliases, emissions, splits }: Discourse): boolean =>
  members.size + posts.size + aliases.size + emissions.size + splits.size === 0

/** Keys say what kind of thing they are of, since of one that ends there is nothing else. */
function fold(discourse: Discourse, { key, value }: EnrichedUpdate): void {
  const thing = value ?? NONE
  const [, kind] = key.split(':', 2)
  if (kind === 'member') foldMember(discourse, key, thing.member)
  else if (kind === 'post') foldPost(discourse, key, thing.post)
  else if (kind === 'alias') foldAlias(discourse, key, thing.alias)
  else if (kind === 'telling') foldEmission(discourse, key, thing.telling)
  else if (kind === 'split') foldSplit(discourse, key, thing.split)
}

function foldMember(discourse: Discourse, key: string, member: EnrichedMemberRecord | null): void {
  const before = discourse.members.get(key)
  if (before !== undefined) unlinkMember(discourse, key, before)
  if (member === null) {
    discourse.members.delete(key)
    return
  }
  discourse.members.set(key, member)
  addArticle(storyOf(discourse, member.cluster_id), key, member)
  const url = canonical(member.url)
  if (url !== null) discourse.byUrl.set(url, key)
  for (const id of entityIds(member)) addTo(discourse.byEntity, id, member.cluster_id)
}

function unlinkMember(discourse: Discourse, key: string, member: EnrichedMemberRecord): void {
  const story = storyOf(discourse, member.cluster_id)
  removeArticle(story, key, member)
  const url = canonical(member.url)
  if (url !== null && discourse.byUrl.get(url) === key) discourse.byUrl.delete(url)
  for (const id of entityIds(member)) if (!story.entities.has(id)) takeFrom(discourse.byEntity, id, story.clusterId)
  closeIfEmpty(discourse, story)
}

const foldAlias = ({ aliases, mergedInto }: Discourse, key: string, alias: RememberedAlias | null): void =>
  point({ there: aliases, back: mergedInto }, storyIn(key, 'alias'), alias?.merged_into ?? null)

const foldSplit = ({ splits, splitInto }: Discourse, key: string, split: RememberedSplit | null): void =>
  point({ there: splits, back: splitInto }, storyIn(key, 'split'), split?.split_from ?? null)

const storyIn = (key: string, kind: string): string => key.slice(key.indexOf(`:${kind}:`) + kind.length + 2)

interface Pointers {
  readonly there: Map<string, string>
  readonly back: KeysBy
}

/** One story points to another from now on; null: to none. */
function point({ there, back }: Pointers, story: string, to: string | null): void {
  const before = there.get(story)
  if (before !== undefined) takeFrom(back, before, story)
  there.delete(story)
  if (to === null) return
  there.set(story, to)
  addTo(back, to, story)
}

function foldEmission(discourse: Discourse, key: string, emission: EmissionState | null): void {
  if (emission === null) discourse.emissions.delete(key)
  else discourse.emissions.set(key, emission)
  if ((emission?.untold ?? 0) > 0) discourse.pending.add(key)
  else discourse.pending.delete(key)
}
