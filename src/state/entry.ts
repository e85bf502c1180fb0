/** A state update as the changelog holds it: the whole value of a key, or `null` when the key was evicted. */
export interface Entry<Value> {
  readonly key: string
  readonly value: Value | null
}

export const tombstone = (key: string): Entry<never> => ({ key, value: null })
export const articleKey = (namespace: string, articleId: string): string => `${namespace}:article:${articleId}`
export const isArticleKey = (key: string): boolean => key.split(':')[1] === 'article'
export const storyKey = (namespace: string, clusterId: string): string => `${namespace}:story:${clusterId}`

/** A changelog value of a stage that keeps articles and stories: one of the two. */
export type ArticleOrStory<Article, Story> =
  | { readonly namespace: string; readonly article: Article; readonly story: null }
  | { readonly namespace: string; readonly article: null; readonly story: Story }

type AnArticle = { readonly article_id: string }
type AStory = { readonly cluster_id: string }

export const articleOrStoryKey = ({ namespace, article, story }: ArticleOrStory<AnArticle, AStory>): string =>
  article === null ? storyKey(namespace, story.cluster_id) : articleKey(namespace, article.article_id)

export const articleEntry = <Article extends AnArticle>(namespace: string, article: Article) => ({
  key: articleKey(namespace, article.article_id),
  value: { namespace, article, story: null },
})

export const storyEntry = <Story extends AStory>(namespace: string, story: Story) => ({
  key: storyKey(namespace, story.cluster_id),
  value: { namespace, article: null, story },
})
