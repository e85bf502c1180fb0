import type { KnownStories } from './match.ts'
import { keysBy, type KeysBy } from './keys-by.ts'
import { canonical, type Discourse } from './discourse.ts'
import type { RememberedAlias, EnrichedMemberRecord, RememberedSplit } from './changelog.ts'
import { addArticle, copyOf, noStory, removeArticle, type EnrichedStory } from './story.ts'

/** The stories as they are. */
export function knownStories(discourse: Discourse): KnownStories {
  const get = (id: string) => withArticles(discourse.stories.get(id))
  return {
    get,
    named: (id) => survivor(id, { get, aliases: discourse.aliases }),
    family: (story) => family(story, { get, names: (id) => namesOf(discourse, id), splitInto: discourse.splitInto }),
    linkedBy: (url) => storyOfUrl(discourse, url),
    naming: (id) => keysBy(discourse.byEntity, id),
  }
}

/** An article as it will be, and its key. */
export interface PlacedMemberKey {
  readonly key: string
  readonly member: EnrichedMemberRecord
}

export interface KnownPlacement {
  readonly placed: readonly PlacedMemberKey[]
  /** A story that goes into another one with them. */
  readonly alias: RememberedAlias | null
  /** A story that opens with them. */
  readonly split: RememberedSplit | null
}

export interface ChangedKnownStories extends KnownStories {
  /** The stories that get articles, and those that they leave, as they will be. */
  readonly changed: ReadonlyMap<string, EnrichedStory>
}

/** The stories as they will be with these articles where they go: deciding must not change what is remembered. */
export function withPlaced(discourse: Discourse, { placed, alias, split }: KnownPlacement): ChangedKnownStories {
  const changed = new Map<string, EnrichedStory>()
  const changing = (id: string): EnrichedStory => {
    const story = changed.get(id) ?? copyOf(discourse.stories.get(id) ?? noStory(id))
    changed.set(id, story)
    return story
  }
  const byUrl = new Map<string | null, string>()
  for (const { key, member } of placed) {
    const before = discourse.members.get(key)
    if (before !== undefined) removeArticle(changing(before.cluster_id), key, before)
    addArticle(changing(member.cluster_id), key, member)
    byUrl.set(canonical(member.url), member.cluster_id)
  }
  const keys = new Set(placed.map(({ key }) => key))
  const get = (id: string) => withArticles(changed.get(id) ?? discourse.stories.get(id))
  const aliases =
    alias === null ? discourse.aliases : new Map(discourse.aliases).set(alias.cluster_id, alias.merged_into)
  const names = (id: string) => namesWith(discourse, id, alias)
  const splitInto = split === null ? discourse.splitInto : withSplit(discourse.splitInto, split)
  return {
    changed,
    get,
    named: (id) => survivor(id, { get, aliases }),
    family: (story) => family(story, { get, names, splitInto }),
    linkedBy: (url) =>
      byUrl.get(url) ?? (keys.has(discourse.byUrl.get(url) ?? '') ? undefined : storyOfUrl(discourse, url)),
    naming: (id) => naming(discourse, changed, id),
  }
}

function* naming(discourse: Discourse, changed: ReadonlyMap<string, EnrichedStory>, id: string): Generator<string> {
  for (const cluster of keysBy(discourse.byEntity, id)) if (!changed.has(cluster)) yield cluster
  for (const { clusterId, entities } of changed.values()) if (entities.has(id)) yield clusterId
}

interface KnownNames {
  readonly get: (id: string) => EnrichedStory | undefined
  readonly aliases: ReadonlyMap<string, string>
}

/** Follows a name from merge to merge until a story has articles. */
function survivor(name: string, { get, aliases }: KnownNames): EnrichedStory | undefined {
  const seen = new Set<string>()
  for (let id: string | undefined = name; id !== undefined && !seen.has(id); id = aliases.get(id)) {
    const story = get(id)
    if (story !== undefined) return story
    seen.add(id)
  }
  return undefined
}

interface Lineage {
  readonly get: (id: string) => EnrichedStory | undefined
  /** All names of stories that went into one. */
  readonly names: (id: string) => ReadonlySet<string>
  readonly splitInto: KeysBy
}

/** The story, and all that opened out of it or out of one that went into it, in the order of their ids. */
function family(story: EnrichedStory, { get, names, splitInto }: Lineage): readonly EnrichedStory[] {
  const found = new Map([[story.clusterId, story]])
  const queue = [story.clusterId]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const name of [id, ...names(id)]) {
      for (const child of keysBy(splitInto, name)) {
        const opened = get(child)
        if (opened === undefined || found.has(child)) continue
        found.set(child, opened)
        queue.push(child)
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1))
}

const withSplit = (splitInto: KeysBy, { cluster_id, split_from }: RememberedSplit): KeysBy =>
  new Map(splitInto).set(split_from, new Set([...keysBy(splitInto, split_from), cluster_id]))

function namesWith(discourse: Discourse, id: string, alias: RememberedAlias | null): ReadonlySet<string> {
  if (alias?.merged_into !== id) return namesOf(discourse, id)
  return new Set([...namesOf(discourse, id), alias.cluster_id, ...namesOf(discourse, alias.cluster_id)])
}

/** All names of stories that went into this one, at one remove or at several. */
export function namesOf(discourse: Discourse, clusterId: string): ReadonlySet<string> {
  const names = new Set<string>()
  const queue = [clusterId]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const name of keysBy(discourse.mergedInto, id)) {
      if (names.has(name)) continue
      names.add(name)
      queue.push(name)
    }
  }
  return names
}

const withArticles = (story: EnrichedStory | undefined): EnrichedStory | undefined =>
  story?.articles.size === 0 ? undefined : story

function storyOfUrl({ byUrl, members }: Discourse, url: string): string | undefined {
  const article = byUrl.get(url)
  return article === undefined ? undefined : members.get(article)?.cluster_id
}
