import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

/**
 * `evolved_into` links an earlier chapter to a later one. `split_from` links the new story to the story that it was
 * split from.
 */
export const LINK_TYPES = ['shared_entities', 'evolved_into', 'merged_with', 'split_from'] as const
export type LinkType = (typeof LINK_TYPES)[number]

/** Results of a full graph build, and the number of differences from the incrementally maintained graph. */
export interface GraphBuilt {
  readonly build_id: string
  readonly clusters_processed: number
  readonly relationships_created: number
  readonly entity_pairs_processed: number
  readonly narrative_threads_built: number
  /** Relationships and thread positions that differed in the maintained graph. Not 0 only if there is a bug. */
  readonly differences: number
  readonly duration_seconds: number
}

/**
 * `stories.linked`: a relationship or a story's position in a thread was added, changed or removed; or (if `built` is
 * set) a build has completed. `caused_by` is the record of `articles.clustered` up to which the graph is complete.
 */
export interface StoryLinked extends Envelope {
  readonly kind: 'relationship' | 'thread' | 'build'
  /** Always `added` for a build. */
  readonly action: 'added' | 'changed' | 'removed'
  /** The source story of a relationship, or the story in a thread; empty for a build. */
  readonly source: string
  readonly target: string | null
  readonly type: LinkType | 'thread' | 'build'
  readonly directed: boolean
  readonly confidence: number
  readonly shared_entities: readonly string[]
  /** Thread id; for threads only. */
  readonly thread_id: string | null
  /** Always `null`: titles are computed on read. */
  readonly thread_title: string | null
  readonly built: GraphBuilt | null
}

export const storiesLinked = topic<StoryLinked>('stories.linked', (e) => e.namespace, timesIn('occurred_at'))
