import type { Link } from '../../domain/graph/story.ts'
import type { ReadStory } from './story-facts.ts'

/** Which of the stories that a graph is made of the stage which keeps it may have let go of. */
export interface BeyondMemory {
  readonly link: (link: Pick<Link, 'source' | 'target'>) => boolean
  /** A story's place in a thread; `threads`: those it is in, here or there. */
  readonly place: (story: string, threads: readonly (string | undefined)[]) => boolean
}

const NOBODY: BeyondMemory = { link: () => false, place: () => false }

type StoryReach = Pick<ReadStory, 'cluster_id' | 'opened' | 'newest' | 'articles'>

/**
 * The stage remembers so many articles; beyond them the story whose newest article came first leaves whole. Who came back
 * after that is remembered in part: so every story counts that was opened before the newest one that must have left, and
 * every thread that such a story is in, since others may hang on it. `places`: the thread of each story, of both graphs.
 */
export function beyondMemory(
  stories: readonly StoryReach[],
  memory: number,
  places: () => Iterable<readonly [story: string, thread: string]>,
): BeyondMemory {
  const until = leftUntil(stories, memory)
  if (until === null) return NOBODY

  const opened = new Map(stories.map((story) => [story.cluster_id, story.opened]))
  const isBeyond = (story: string): boolean => (opened.get(story) ?? -1) <= until
  const threadsBeyond = new Set([...places()].flatMap(([story, thread]) => (isBeyond(story) ? [thread] : [])))
  return {
    link: ({ source, target }) => isBeyond(source) || isBeyond(target),
    place: (story, threads) =>
      isBeyond(story) || threads.some((thread) => thread !== undefined && threadsBeyond.has(thread)),
  }
}

/** Where in the ledger the newest article came of the last story that had to leave. Null: all fit. */
function leftUntil(stories: readonly StoryReach[], memory: number): number | null {
  let fit = stories.reduce((sum, { articles }) => sum + articles, 0)
  if (fit <= memory) return null
  let until: number | null = null
  for (const { newest, articles } of [...stories].sort((a, b) => a.newest - b.newest)) {
    if (fit <= memory) break
    fit -= articles
    until = newest
  }
  return until
}
