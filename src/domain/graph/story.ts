import type { EntityType } from '../../events/articles.ts'
import type { LinkType } from '../../events/graph.ts'
import type { GraphRules } from './rules.ts'
import type { TitleWords } from './title-words.ts'

/** An entity that stands for what a story is about. */
export interface Significant {
  readonly entity_id: string
  /** Of its type, as the rules have it: a whole number. */
  readonly weight: number
}

/** How often a story names an entity. */
export interface NamedCount {
  readonly entity_id: string
  readonly type: EntityType
  /** Of its articles, newest revision each: how many name it. */
  readonly articles: number
  readonly mentions: number
}

/** What a story of this number of articles is about: by id, ascending. */
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

/** The story that was first: a thread is named after the first of all that are in it or went into one that is. */
export interface Founding {
  /** Offset in `articles.clustered` of the word that opened it. */
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
  /** The earliest of itself and those that were merged into it. */
  readonly founded: Founding
  /**
   * int32[384]: sum over its articles of the lead vectors in steps of 1/127 (`floor(127 * component + 0.5)`): whole
   * numbers, so that their sum is the same in any order.
   */
  readonly centre: Int32Array
  /** What its articles' titles say. */
  readonly words: TitleWords
}

/** What the ledger itself says of two stories. */
export interface LedgerLink {
  /** Of merged_with: the id that lives on as the other; of split_from: the story that was opened by the split. */
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
  /** 0 to 1; 1 where the ledger says it. */
  readonly confidence: number
  /** Ids, ascending. */
  readonly shared_entities: readonly string[]
}

export interface Graph {
  /** By source, target and type, ascending. */
  readonly links: readonly Link[]
  /** Of each story in a thread of enough stories: the thread's id. */
  readonly threads: ReadonlyMap<string, string>
}
