import type { EntityType } from '../../events/articles.ts'
import type { LinkType } from '../../events/graph.ts'
import type { GraphRules } from './rules.ts'
import type { TitleWords } from './title-words.ts'

/** An entity that is significant for a story. */
export interface Significant {
  readonly entity_id: string
  /** Weight of the entity's type in the rules; an integer. */
  readonly weight: number
}

/** How often a story names an entity. */
export interface NamedCount {
  readonly entity_id: string
  readonly type: EntityType
  /** Number of the story's articles, in their newest revision, that name it. */
  readonly articles: number
  readonly mentions: number
}

/** The significant entities of a story with this number of articles, by id, ascending. */
export function significant(
  counts: Iterable<NamedCount>,
  articles: number,
  { weights, significant: { oneIn, most } }: Pick<GraphRules, 'weights' | 'significant'>,
): readonly Significant[] {
  return [...counts]
    .filter((entity) => weights[entity.type] > 0 && oneIn * entity.articles >= articles)
    .sort((a, b) => b.articles - a.articles || b.mentions - a.mentions || byId(a, b))
    .slice(0, most)
    .sort(byId)
    .map(({ entity_id, type }) => ({ entity_id, weight: weights[type] }))
}

const byId = (a: NamedCount, b: NamedCount): number =>
  a.entity_id < b.entity_id ? -1 : Number(a.entity_id > b.entity_id)

/**
 * When a story was opened. A thread is named after the earliest founding among its stories and the stories merged into
 * them.
 */
export interface Founding {
  /** Offset in `articles.clustered` of the event that opened the story. */
  readonly order: number
  readonly cluster_id: string
}

/** A story as the graph sees it: a pure function of its articles. */
export interface GraphStory {
  readonly cluster_id: string
  /** By id, ascending. */
  readonly entities: readonly Significant[]
  /** Event time of its first and last article, milliseconds since 1970. */
  readonly first_at: number
  readonly last_at: number
  /** The earliest founding of the story and of those merged into it. */
  readonly founded: Founding
  /**
   * int32[384]: sum of the quantised lead vectors of its articles (`floor(127 * component + 0.5)`). Integers, so that
   * the sum does not depend on the order.
   */
  readonly centre: Int32Array
  /** Weighted words of its articles' titles. */
  readonly words: TitleWords
}

/** A relationship between two stories that the ledger records. */
export interface LedgerLink {
  /** For `merged_with`, the story that was merged into `target`; for `split_from`, the story that the split opened. */
  readonly source: string
  readonly target: string
  readonly type: 'merged_with' | 'split_from'
}

/** A relationship between two stories. An undirected one has the smaller id as its source. */
export interface Link {
  readonly source: string
  readonly target: string
  readonly type: LinkType
  readonly directed: boolean
  /** 0 to 1; 1 for links from the ledger. */
  readonly confidence: number
  /** Ids, ascending. */
  readonly shared_entities: readonly string[]
}

export interface Graph {
  /** By source, target and type, ascending. */
  readonly links: readonly Link[]
  /** The thread id of each story that belongs to a thread. */
  readonly threads: ReadonlyMap<string, string>
}
