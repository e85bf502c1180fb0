import { performance } from 'node:perf_hooks'
import type { Entity } from '../events/articles.ts'
import { checkMembers, scoreAffairs, type Affair, type AffairScore, type AffairPlace } from './affairs.ts'
import type { LabelledArticle } from './labelled-article.ts'
import { analyzed, labelledArticles, type QualityDependencies as StoryDependencies } from './stories.ts'
import { storyReplay } from './story-replay.ts'
import { threadsOf, type ThreadStage } from './thread-replay.ts'

export interface ThreadsDependencies<State, Remembered, LinkedState, LinkedRemembered> extends Omit<
  StoryDependencies<State, Remembered>,
  'last'
> {
  readonly linked: ThreadStage<LinkedState, LinkedRemembered>
  readonly entities: (article: Pick<LabelledArticle, 'text' | 'published'>) => readonly Entity[]
}

export interface ThreadScore {
  readonly learn: AffairScore
  readonly measure: AffairScore
  readonly sizes: ThreadSizes
  /** Milliseconds of the stage that links stories, a line of the ledger. */
  readonly line_ms: number
  readonly lines: number
  readonly predictions: readonly (AffairPlace & { readonly id: string })[]
}

/** What the threads look like as a whole: figures of pairs alone could hide a few huge ones. */
export interface ThreadSizes {
  readonly stories: number
  readonly threads: number
  /** Stories in some thread. */
  readonly in_threads: number
  /** Stories of the largest one. */
  readonly largest: number
}

/** Sends a file of articles through the clusterer and the stage that links stories, and measures threads by affairs. */
export async function scoreThreads<State, Remembered, LinkedState, LinkedRemembered>(
  file: string,
  affairs: readonly Affair[],
  dependencies: ThreadsDependencies<State, Remembered, LinkedState, LinkedRemembered>,
): Promise<ThreadScore> {
  const articles = await labelledArticles(file)
  checkMembers(affairs, new Set(articles.map(({ id }) => id)))
  const { stage, linked, namespace, arrival, entities } = dependencies
  const replay = storyReplay(stage, { namespace, arrival })
  const ids: string[] = []
  for (const article of articles) {
    const event = { ...(await analyzed(article, dependencies)), entities: entities(article) }
    replay.article(event)
    ids.push(event.article_id)
  }
  replay.end()

  const begun = performance.now()
  const threads = threadsOf(linked, { ledger: replay.events, arrival })
  const line_ms = (performance.now() - begun) / Math.max(1, replay.events.length)
  const predictions = articles.map(({ id }, i) => {
    const story = replay.storyOf(ids[i] ?? '') ?? id
    return { id, story, thread: threads.get(story) ?? null }
  })
  const places = new Map(predictions.map((one) => [one.id, one]))
  return {
    learn: scoreAffairs(affairs, { half: 'learn', places }),
    measure: scoreAffairs(affairs, { half: 'measure', places }),
    sizes: threadSizes(predictions),
    line_ms,
    lines: replay.events.length,
    predictions,
  }
}

export function threadSizes(placed: readonly AffairPlace[]): ThreadSizes {
  const threadOf = new Map(placed.map(({ story, thread }) => [story, thread]))
  const sizes = new Map<string, number>()
  for (const thread of threadOf.values()) if (thread !== null) sizes.set(thread, (sizes.get(thread) ?? 0) + 1)
  return {
    stories: threadOf.size,
    threads: sizes.size,
    in_threads: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    largest: Math.max(0, ...sizes.values()),
  }
}
