import type { ArticleClustered, StoryChange } from '../events/ledger.ts'
import { storyKey, tombstone, type Entry } from './entry.ts'
import { OrderedMap, pickOldestItems } from './eviction.ts'
import type { PartitionState } from './namespaces.ts'

/** A story, what is known of it, and its articles in memory. */
export interface KeptStory<Known> {
  readonly clusterId: string
  readonly articles: { readonly size: number }
  known: Known | null
}

/** The articles and stories of one namespace. */
export interface StoriesHeld<Article, Story> {
  /** By article id, ordered by arrival. */
  readonly articles: OrderedMap<Article>
  /** Stories with an article in memory, or of which something else is known. */
  readonly stories: Map<string, Story>
}

export const storyIndex = <Article, Story>(arrivalOf: (article: Article) => number): StoriesHeld<Article, Story> => ({
  articles: new OrderedMap(arrivalOf),
  stories: new Map<string, Story>(),
})

/** How a stage keeps stories and their articles. */
export interface StoryRules<Article, Story> {
  readonly open: (clusterId: string) => Story
  /** `null` if the article is in no story. */
  readonly clusterOf: (article: Article) => string | null
  readonly add: (story: Story, article: Article) => void
  readonly remove: (story: Story, article: Article) => void
}

/** The story with this id. Opens it if it is not in memory. */
export function storyOf<Story>(
  { stories }: Pick<StoriesHeld<never, Story>, 'stories'>,
  clusterId: string,
  { open }: Pick<StoryRules<never, Story>, 'open'>,
): Story {
  const story = stories.get(clusterId) ?? open(clusterId)
  stories.set(clusterId, story)
  return story
}

/** Replaces or adds an article; `null` deletes it. Returns the stories that it left and joined. */
export function putArticle<Article, Story extends KeptStory<unknown>>(
  index: StoriesHeld<Article, Story>,
  { id, article }: { readonly id: string; readonly article: Article | null },
  rules: StoryRules<Article, Story>,
): ReadonlySet<Story> {
  const before = index.articles.get(id)
  const touched = new Set<Story>()
  const storyWith = (one: Article): Story[] => {
    const clusterId = rules.clusterOf(one)
    const stories = clusterId === null ? [] : [storyOf(index, clusterId, rules)]
    for (const story of stories) touched.add(story)
    return stories
  }
  if (before !== undefined) for (const story of storyWith(before)) rules.remove(story, before)
  if (article === null) index.articles.delete(id)
  else {
    index.articles.set(id, article)
    for (const story of storyWith(article)) rules.add(story, article)
  }
  for (const story of touched) closeIfUnknown(index, story)
  return touched
}

/** Replaces what is known of a story besides its articles. Returns the story. */
export function putStory<Known, Story extends KeptStory<Known>>(
  index: Pick<StoriesHeld<never, Story>, 'stories'>,
  { id, known }: { readonly id: string; readonly known: Known | null },
  rules: Pick<StoryRules<never, Story>, 'open'>,
): Story {
  const story = storyOf(index, id, rules)
  story.known = known
  closeIfUnknown(index, story)
  return story
}

function closeIfUnknown<Story extends KeptStory<unknown>>(
  { stories }: Pick<StoriesHeld<never, Story>, 'stories'>,
  { clusterId, articles, known }: Story,
): void {
  if (articles.size === 0 && known === null) stories.delete(clusterId)
}

/** The articles in memory that a change assigns to another story. */
export const movedArticles = <Article>(
  { articles }: { readonly articles: { readonly get: (id: string) => Article | undefined } },
  { event, change }: { readonly event: Pick<ArticleClustered, 'cluster_id'>; readonly change: StoryChange },
  clusterOf: (article: Article) => string | null,
): readonly Article[] =>
  change.article_ids
    .flatMap((id) => articles.get(id) ?? [])
    .filter((article) => clusterOf(article) !== event.cluster_id)

/** Whether a change is a merge, made by a rebuild or by a curator. */
export const isMerge = ({ action }: Pick<ArticleClustered, 'action'>, { correction }: StoryChange): boolean =>
  action === 'merged' || correction?.action === 'merge'

/** Whether a change is a split, made by a rebuild or by a curator. */
export const isSplit = ({ action }: Pick<ArticleClustered, 'action'>, { correction }: StoryChange): boolean =>
  action === 'split' || correction?.action === 'split'

/** Stories, or other groups of articles, that lose all their articles. */
export function emptiedBy<Article, Group>(
  articles: Iterable<Article>,
  groupsOf: (article: Article) => Iterable<Group>,
  sizeOf: (group: Group) => number,
): readonly Group[] {
  const lost = new Map<Group, number>()
  for (const article of articles) for (const group of groupsOf(article)) lost.set(group, (lost.get(group) ?? 0) + 1)
  return [...lost].flatMap(([group, articles]) => (articles === sizeOf(group) ? [group] : []))
}

/** State updates that delete what is known of stories. */
export const forgetStories = (
  namespace: string,
  stories: Iterable<Pick<KeptStory<unknown>, 'clusterId' | 'known'>>,
): readonly Entry<never>[] =>
  [...stories].filter(({ known }) => known !== null).map(({ clusterId }) => tombstone(storyKey(namespace, clusterId)))

/** An article that arrives. */
export interface StoryArrival {
  readonly namespace: string
  /** Articles kept, over all namespaces of a partition. */
  readonly budget: number
  /** Share of a large budget that is evicted ahead of need. */
  readonly early?: number
}

/** Articles that are evicted from one namespace. */
export interface EvictedArticles<Held, Article> {
  readonly namespace: string
  readonly held: Held
  readonly articles: readonly Article[]
}

/** The articles that must be evicted to make room for one more: the oldest of the largest namespace. */
export function evictedArticles<Article, Held>(
  { namespaces, size }: PartitionState<Held & { readonly articles: OrderedMap<Article> }>,
  arrival: StoryArrival,
): readonly EvictedArticles<Held, Article>[] {
  const of = ({ articles }: { readonly articles: OrderedMap<Article> }) => articles
  return [...pickOldestItems(namespaces, arrival, { size, of })].flatMap(([namespace, items]) => {
    const held = namespaces.get(namespace)
    return held === undefined ? [] : [{ namespace, held, articles: items.map(([, article]) => article) }]
  })
}
