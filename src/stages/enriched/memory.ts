import { canonical, closeIfEmpty, noDiscourse, storyOf, type Discourse, type State } from './discourse.ts'
import { addTo, takeFrom } from './keys-by.ts'
import { foldPost } from './post-memory.ts'
import {
  NONE,
  type Change,
  type RememberedAlias,
  type RememberedMember,
  type RememberedSplit,
  type Telling,
} from './remembered.ts'
import { byArrival, put } from './shelf.ts'
import { addArticle, entityIds, removeArticle } from './story.ts'

/** Folds one remembered thing, or its end, into the state. */
export function evolve(state: State, change: Change): State {
  const namespace = change.key.slice(0, change.key.indexOf(':'))
  const discourse = state.namespaces.get(namespace) ?? noDiscourse()
  const { members, posts } = discourse
  const [articlesBefore, postsBefore] = [members.things.size, posts.things.size]
  state.namespaces.set(namespace, discourse)
  fold(discourse, change)
  state.members += members.things.size - articlesBefore
  state.posts += posts.things.size - postsBefore
  if (isEmpty(discourse)) state.namespaces.delete(namespace)
  return state
}

const isEmpty = ({ members, posts, aliases, tellings, splits }: Discourse): boolean =>
  members.things.size + posts.things.size + aliases.size + tellings.size + splits.size === 0

/** Keys say what kind of thing they are of, since of one that ends there is nothing else. */
function fold(discourse: Discourse, { key, value }: Change): void {
  const thing = value ?? NONE
  const [, kind] = key.split(':', 2)
  if (kind === 'member') foldMember(discourse, key, thing.member)
  else if (kind === 'post') foldPost(discourse, key, thing.post)
  else if (kind === 'alias') foldAlias(discourse, key, thing.alias)
  else if (kind === 'telling') foldTelling(discourse, key, thing.telling)
  else if (kind === 'split') foldSplit(discourse, key, thing.split)
}

function foldMember(discourse: Discourse, key: string, member: RememberedMember | null): void {
  const before = discourse.members.things.get(key)
  if (before !== undefined) unlinkMember(discourse, key, before)
  if (member === null) {
    discourse.members.things.delete(key)
    return
  }
  put(discourse.members, [key, member], byArrival)
  addArticle(storyOf(discourse, member.cluster_id), key, member)
  const url = canonical(member.url)
  if (url !== null) discourse.byUrl.set(url, key)
  for (const id of entityIds(member)) addTo(discourse.byEntity, id, member.cluster_id)
}

function unlinkMember(discourse: Discourse, key: string, member: RememberedMember): void {
  const story = storyOf(discourse, member.cluster_id)
  removeArticle(story, key, member)
  const url = canonical(member.url)
  if (url !== null && discourse.byUrl.get(url) === key) discourse.byUrl.delete(url)
  for (const id of entityIds(member)) if (!story.entities.has(id)) takeFrom(discourse.byEntity, id, story.clusterId)
  closeIfEmpty(discourse, story)
}

function foldAlias(discourse: Discourse, key: string, alias: RememberedAlias | null): void {
  const story = key.slice(key.indexOf(':alias:') + ':alias:'.length)
  const target = discourse.aliases.get(story)
  if (target !== undefined) takeFrom(discourse.mergedInto, target, story)
  discourse.aliases.delete(story)
  if (alias === null) return
  discourse.aliases.set(alias.cluster_id, alias.merged_into)
  addTo(discourse.mergedInto, alias.merged_into, alias.cluster_id)
}

function foldSplit(discourse: Discourse, key: string, split: RememberedSplit | null): void {
  const story = key.slice(key.indexOf(':split:') + ':split:'.length)
  const from = discourse.splits.get(story)
  if (from !== undefined) takeFrom(discourse.splitInto, from, story)
  discourse.splits.delete(story)
  if (split === null) return
  discourse.splits.set(split.cluster_id, split.split_from)
  addTo(discourse.splitInto, split.split_from, split.cluster_id)
}

function foldTelling(discourse: Discourse, key: string, telling: Telling | null): void {
  if (telling === null) discourse.tellings.delete(key)
  else discourse.tellings.set(key, telling)
  if ((telling?.untold ?? 0) > 0) discourse.untold.add(key)
  else discourse.untold.delete(key)
}
