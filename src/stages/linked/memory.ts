import type { KeptGraph } from '../../domain/graph/kept-graph.ts'
import { earlier, pasts, type Pasts } from '../../domain/graph/past.ts'
import type { Founding, LedgerLink } from '../../domain/graph/story.ts'
import { evolveNamespace, type KeyedUpdate, type PartitionState } from '../../state/namespaces.ts'
import { storyOf as openStory } from '../../state/story-index.ts'
import type { LinkedArticleRecord, LinkedRecord, LinkedUpdate } from './changelog.ts'
import { addArticle, newestOf, noArticles, openedAt, removeArticle, type LinkedStory } from './story.ts'

/** The graph of a namespace as last built, with the indexes needed to update it. */
export interface BuiltGraph {
  readonly kept: KeptGraph
  /** By story: event time of its first article. */
  readonly firstAt: Map<string, number>
  /** By source story: the links that follow from the ledger. */
  readonly ledger: Map<string, readonly LedgerLink[]>
  readonly threadOf: Map<string, string>
  /** By thread. */
  readonly storiesIn: Map<string, Set<string>>
}

/** The stories of one namespace. Owned and mutated by `evolve`, except for the graph built from them. */
export interface LinkedStories {
  readonly articles: Map<string, LinkedArticleRecord>
  /** Stories that have articles or other known facts. */
  readonly stories: Map<string, LinkedStory>
  /** Stories with articles, ordered by the arrival of their newest one while `inOrder` is `true`. */
  living: Map<string, LinkedStory>
  inOrder: boolean
  newest: number
  /**
   * Stories without articles that were not merged into another story. They are needed only if an entry assigns articles
   * to them again.
   */
  readonly emptied: Set<string>
  /** The merges and splits of stories. */
  readonly pasts: Pasts
  /** Stories that changed since the graph was updated. */
  readonly touched: Set<string>
  /** The graph. A cache, up to date except for `touched`; `null` until it is first built after a restore. */
  built: BuiltGraph | null
}

export type LinkedState = PartitionState<LinkedStories>

export const emptyState = (): LinkedState => ({ namespaces: new Map(), size: 0 })

export const noStories = (): LinkedStories => ({
  articles: new Map(),
  stories: new Map(),
  living: new Map(),
  inOrder: true,
  newest: -Infinity,
  emptied: new Set(),
  pasts: pasts(),
  touched: new Set(),
  built: null,
})

const RULES = { open: noArticles }

export const evolve = (state: LinkedState, update: LinkedUpdate): LinkedState =>
  evolveNamespace(state, update, {
    open: noStories,
    apply: (held, { kind, id, value }: KeyedUpdate<LinkedRecord>) => {
      if (kind === 'article') putArticle(held, id, value)
      else putStory(held, id, value)
    },
    isEmpty: ({ stories }) => stories.size === 0,
  })

function putArticle(held: LinkedStories, id: string, value: LinkedRecord | null): void {
  const article = value?.article ?? null
  const known = held.articles.get(id)
  if (known === undefined) {
    if (article !== null) join(held, ownBytes(article), null)
    return
  }
  if (article !== null && isRevision(article, known)) {
    revise(held, known, ownBytes(article))
    return
  }
  leave(held, known)
  if (article === null) held.articles.delete(id)
  else join(held, ownBytes(article), known.cluster_id)
}

/** A revision does not change the order of arrival. */
const isRevision = (article: LinkedArticleRecord, known: LinkedArticleRecord): boolean =>
  known.cluster_id === article.cluster_id && known.log_order === article.log_order

function revise(held: LinkedStories, known: LinkedArticleRecord, article: LinkedArticleRecord): void {
  const story = storyOf(held, article.cluster_id)
  const { newest } = story
  removeArticle(story, known)
  addArticle(story, article)
  story.newest = newest
  held.articles.set(article.article_id, article)
  settle(held, story)
}

/** A record's bytes are a slice of a larger buffer, which would stay in memory as long as the record. */
const ownBytes = (article: LinkedArticleRecord): LinkedArticleRecord => ({
  ...article,
  vector: Buffer.from(article.vector),
})

function leave(held: LinkedStories, article: LinkedArticleRecord): void {
  const story = storyOf(held, article.cluster_id)
  removeArticle(story, article)
  if (story.articles.size === 0) held.living.delete(story.clusterId)
  else if (story.newest === null) held.inOrder = false
  settle(held, story)
}

/** `storyBefore`: the story the article was in; `null` for a new article. */
function join(held: LinkedStories, article: LinkedArticleRecord, storyBefore: string | null): void {
  const story = storyOf(held, article.cluster_id)
  // the story with the newest article is last
  if (storyBefore === null && article.log_order > held.newest) held.living.delete(story.clusterId)
  else if (storyBefore !== story.clusterId || story.articles.size === 0) held.inOrder = false
  held.living.set(story.clusterId, story)
  held.newest = Math.max(held.newest, article.log_order)
  held.articles.set(article.article_id, article)
  addArticle(story, article)
  settle(held, story)
}

function putStory(held: LinkedStories, id: string, value: LinkedRecord | null): void {
  const story = storyOf(held, id)
  story.known = value?.story ?? null
  settle(held, story)
}

const storyOf = (held: LinkedStories, clusterId: string): LinkedStory => openStory(held, clusterId, RULES)

const isEmptied = ({ articles, known }: LinkedStory): boolean => articles.size === 0 && known?.merged_into === null

/** Marks a story for update in the graph, together with the story it was or is now merged into. */
function settle(held: LinkedStories, story: LinkedStory): void {
  const { clusterId: id, articles, known } = story
  const survivorBefore = held.pasts.survivorOf(id)
  if (isEmptied(story)) held.emptied.add(id)
  else held.emptied.delete(id)
  if (articles.size === 0 && known === null) {
    held.stories.delete(id)
    held.pasts.delete(id)
  } else {
    const { split_from = null, merged_into = null } = known ?? {}
    held.pasts.set({ cluster_id: id, order: openedAt(story), living: articles.size > 0, split_from, merged_into })
  }
  held.touched.add(survivorBefore).add(id).add(held.pasts.survivorOf(id))
}

/** Stories with articles, the longest without a new one first. Sorts only after restores and moves. */
export function byArrival(held: LinkedStories): ReadonlyMap<string, LinkedStory> {
  if (!held.inOrder) {
    const sorted = [...held.living].map(([id, story]) => ({ id, story, order: newestOf(story) }))
    sorted.sort((a, b) => a.order - b.order)
    held.living = new Map(sorted.map(({ id, story }) => [id, story]))
    held.inOrder = true
  }
  return held.living
}

/** The story that a thread is named after, as far as this member determines it. */
export function foundingOf({ pasts: histories }: Pick<LinkedStories, 'pasts'>, story: LinkedStory): Founding {
  const own = histories.foundingOf(story.clusterId) ?? { order: openedAt(story), cluster_id: story.clusterId }
  return earliest(own, story.known?.thread ?? null)
}

export const earliest = (one: Founding, other: Founding | null): Founding =>
  other !== null && earlier(other, one) ? other : one
