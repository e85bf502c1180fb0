import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import { evolveNamespace, type KeyedUpdate, type PartitionState } from '../../state/namespaces.ts'
import { putArticle, putStory, storyIndex, type StoriesHeld, type StoryRules } from '../../state/story-index.ts'
import {
  blankStory,
  type TransitionedUpdate,
  type TransitionedArticleRecord,
  type TransitionedRecord,
  type TransitionedStoryRecord,
} from './changelog.ts'

/** A story with the articles that are kept. */
export interface TransitionedStory {
  readonly clusterId: string
  /** By article id. */
  readonly articles: Map<string, TransitionedArticleRecord>
  known: TransitionedStoryRecord | null
  /** Event times of the articles, ascending. A cache; `null` if out of date. */
  times: Float64Array | null
}

/** The stories of one namespace. Owned and mutated by `evolve`. */
export interface TransitionedStories extends StoriesHeld<TransitionedArticleRecord, TransitionedStory> {
  /** Stories whose state may change as time passes; a tick skips the others. */
  readonly awake: Set<TransitionedStory>
}

export type TransitionedState = PartitionState<TransitionedStories>

export const emptyState = (): TransitionedState => ({ namespaces: new Map(), size: 0 })

export const noStories = (): TransitionedStories => ({
  ...storyIndex(({ log_order }) => log_order),
  awake: new Set(),
})

const RULES: StoryRules<TransitionedArticleRecord, TransitionedStory> = {
  open: (clusterId) => ({ clusterId, articles: new Map(), known: null, times: null }),
  clusterOf: ({ cluster_id }) => cluster_id,
  add: ({ articles }, article) => articles.set(article.article_id, article),
  remove: ({ articles }, { article_id }) => articles.delete(article_id),
}

export const evolve = (
  state: TransitionedState,
  update: TransitionedUpdate,
  numbers: LifecycleNumbers,
): TransitionedState =>
  evolveNamespace(state, update, {
    open: noStories,
    apply: (held, { kind, id, value }: KeyedUpdate<TransitionedRecord>) => {
      const touched =
        kind === 'article'
          ? putArticle(held, { id, article: value?.article ?? null }, RULES)
          : [putStory(held, { id, known: value?.story ?? null }, RULES)]
      for (const story of touched) settle(held, story, numbers)
    },
    isEmpty: ({ stories }) => stories.size === 0,
  })

function settle({ awake }: TransitionedStories, story: TransitionedStory, numbers: LifecycleNumbers): void {
  story.times = null
  if (isAwake(story, numbers)) awake.add(story)
  else awake.delete(story)
}

/** A story is asleep without articles, or if it is concluded and no rule can match any more without new events. */
function isAwake({ articles, known }: TransitionedStory, { mature, contested }: LifecycleNumbers): boolean {
  if (articles.size === 0) return false
  if (known?.lifecycle_state !== 'concluded' || known.evaluated_at === null) return true
  const concluded = known.evaluated_at
  return (
    [...articles.values()].some(({ occurred_at }) => occurred_at + mature.youngMs > concluded) ||
    Object.values(known.receptions).some(({ newest_post }) => newest_post + contested.activeMs >= concluded)
  )
}

/** What is known of a story besides its articles. */
export const knownOf = ({
  clusterId,
  known,
}: Pick<TransitionedStory, 'clusterId' | 'known'>): TransitionedStoryRecord => known ?? blankStory(clusterId)

/** Event times of the articles in memory, ascending. */
export function timesOf(story: TransitionedStory): Float64Array {
  story.times ??= Float64Array.from(story.articles.values(), ({ occurred_at }) => occurred_at).sort()
  return story.times
}
