import type { ClickHouseOptions } from '../../adapters/clickhouse/store.ts'
import type { Compared, Difference, GraphComparison } from '../../views/graph/compare.ts'

/** What a comparing process is asked, one at a time. */
export interface Work {
  readonly clickhouse: ClickHouseOptions
  readonly comparison: GraphComparison
}

/** What it answers: differences as often as there are some, then the rest. */
export type Answer =
  | { readonly kind: 'differences'; readonly differences: readonly Difference[] }
  | { readonly kind: 'done'; readonly figures: Omit<Compared, 'differences'> }
  /** `away`: the store did not answer, trying again may help. */
  | { readonly kind: 'failed'; readonly away: boolean; readonly message: string }
