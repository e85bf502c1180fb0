import type { ClickHouseStoreOptions } from '../../adapters/clickhouse/store.ts'
import type { GraphDifferences, GraphDifference, GraphComparison } from '../../views/graph/compare.ts'

/** What a comparing process is asked, one at a time. */
export interface GraphWork {
  readonly clickhouse: ClickHouseStoreOptions
  readonly comparison: GraphComparison
}

/** What it answers: differences as often as there are some, then the rest. */
export type GraphAnswer =
  | { readonly kind: 'differences'; readonly differences: readonly GraphDifference[] }
  | { readonly kind: 'done'; readonly figures: Omit<GraphDifferences, 'differences'> }
  /** `away`: the store did not answer, trying again may help. */
  | { readonly kind: 'failed'; readonly away: boolean; readonly message: string }
