/** A state update as the changelog holds it: the whole value of a key, or `null` when the key was evicted. */
export interface Entry<Value> {
  readonly key: string
  readonly value: Value | null
}

/** Makes the entries of one changelog, whose topic knows the key of a value. */
export const entryIn =
  <Value>(changelog: { key(value: Value): string }) =>
  (value: Value): Entry<Value> => ({ key: changelog.key(value), value })

/** Deletes a key. */
export const tombstone = (key: string): Entry<never> => ({ key, value: null })

export const articleKey = (namespace: string, articleId: string): string => `${namespace}:article:${articleId}`

export const storyKey = (namespace: string, clusterId: string): string => `${namespace}:story:${clusterId}`

/** A changelog value of a stage that keeps articles and stories: one of the two. */
export type ArticleOrStory<Article, Story> =
  | { readonly namespace: string; readonly article: Article; readonly story: null }
  | { readonly namespace: string; readonly article: null; readonly story: Story }

export const articleOrStoryKey = ({
  namespace,
  article,
  story,
}: ArticleOrStory<{ readonly article_id: string }, { readonly cluster_id: string }>): string =>
  article === null ? storyKey(namespace, story.cluster_id) : articleKey(namespace, article.article_id)
