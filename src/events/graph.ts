import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

/** `evolved_into` goes from the earlier chapter to the later, `split_from` from the story that was opened to the one it left. */
export const LINK_TYPES = ['shared_entities', 'evolved_into', 'merged_with', 'split_from'] as const
export type LinkType = (typeof LINK_TYPES)[number]

/** What a build of the whole graph came to, and how far the graph that is kept all the time was from it. */
export interface GraphBuilt {
  readonly build_id: string
  readonly clusters_processed: number
  readonly relationships_created: number
  readonly entity_pairs_processed: number
  readonly narrative_threads_built: number
  /** Relationships and places in threads that the kept graph had otherwise: 0 unless there is a defect. */
  readonly differences: number
  readonly duration_seconds: number
}

/**
 * `stories.linked`: a relationship or a story's place in a thread, as it came or went; or (`built` is there) that a build
 * is complete. `caused_by` names the record of `articles.clustered` up to which the graph is that of the facts.
 */
export interface StoryLinked extends Envelope {
  readonly kind: 'relationship' | 'thread' | 'build'
  /** Of a build always `added`. */
  readonly action: 'added' | 'changed' | 'removed'
  /** The story it starts from, or whose thread it is; empty of a build. */
  readonly source: string
  readonly target: string | null
  readonly type: LinkType | 'thread' | 'build'
  readonly directed: boolean
  readonly confidence: number
  readonly shared_entities: readonly string[]
  /** Of a thread: its id. */
  readonly thread_id: string | null
  /** Null: threads are named when they are read. */
  readonly thread_title: string | null
  readonly built: GraphBuilt | null
}

export const storiesLinked = topic<StoryLinked>('stories.linked', (e) => e.namespace, timesIn('occurred_at'))
