import type { KnownStories } from './match.ts'
import { keysBy } from './keys-by.ts'
import { canonical, type Discourse } from './memory.ts'
import type { RememberedMember } from './remembered.ts'
import { addArticle, copyOf, noStory, removeArticle, type Story } from './story.ts'

/** The stories as they are. */
export const knownStories = (discourse: Discourse): KnownStories => ({
  get: (id) => withArticles(discourse.stories.get(id)),
  linkedBy: (url) => storyOfUrl(discourse, url),
  naming: (id) => keysBy(discourse.byEntity, id),
})

interface Grown extends KnownStories {
  /** The story that gets the article, and the one it leaves, as they will be. */
  readonly changed: ReadonlyMap<string, Story>
}

/** The stories as they will be with this article: deciding must not change what is remembered. */
export function withArticle(discourse: Discourse, key: string, member: RememberedMember): Grown {
  const before = discourse.members.things.get(key)
  const changed = new Map<string, Story>()
  const changing = (id: string): Story => {
    const story = changed.get(id) ?? copyOf(discourse.stories.get(id) ?? noStory(id))
    changed.set(id, story)
    return story
  }
  if (before !== undefined) removeArticle(changing(before.cluster_id), key, before)
  addArticle(changing(member.cluster_id), key, member)

  const url = canonical(member.url)
  return {
    changed,
    get: (id) => withArticles(changed.get(id) ?? discourse.stories.get(id)),
    linkedBy: (asked) =>
      asked === url ? member.cluster_id : discourse.byUrl.get(asked) === key ? undefined : storyOfUrl(discourse, asked),
    naming: (id) => [
      ...keysBy(discourse.byEntity, id).filter((cluster) => !changed.has(cluster)),
      ...[...changed.values()].flatMap((story) => (story.entities.has(id) ? story.clusterId : [])),
    ],
  }
}

const withArticles = (story: Story | undefined): Story | undefined => (story?.articles.size === 0 ? undefined : story)

function storyOfUrl({ byUrl, members }: Discourse, url: string): string | undefined {
  const article = byUrl.get(url)
  return article === undefined ? undefined : members.things.get(article)?.cluster_id
}
