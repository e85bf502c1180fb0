import { clickhouseStore, type ClickHouseStoreOptions } from '../../adapters/clickhouse/store.ts'
import { StoreAway } from '../../ports/store.ts'
import {
  comparing,
  type GraphDifferences,
  type GraphDifference,
  type GraphComparison,
} from '../../views/graph/compare.ts'

/** A process of its own for making graphs again, one after the other, because it computes for seconds on end. Ends when its parent does. */
const answer = (message: GraphAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })

process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the parent lets go of us.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

/** So many at once: what else the parent does waits no longer than it takes to read them. */
const AT_ONCE = 1_000

process.on('message', ({ clickhouse, comparison }: GraphWork) => {
  void compare({ clickhouse, comparison }).catch(async (cause: unknown) => {
    const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    await answer({ kind: 'failed', away: cause instanceof StoreAway, message })
  })
})

async function compare({ clickhouse, comparison }: GraphWork): Promise<void> {
  const store = clickhouseStore(clickhouse)
  try {
    const { differences, ...figures } = await comparing(store)(comparison)
    for (let from = 0; from < differences.length; from += AT_ONCE) {
      await answer({ kind: 'differences', differences: differences.slice(from, from + AT_ONCE) })
    }
    await answer({ kind: 'done', figures })
  } finally {
    await store.close()
  }
}

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
