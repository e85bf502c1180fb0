import { clickhouseStore, type ClickHouseStoreOptions } from '../../adapters/clickhouse/store.ts'
import { StoreUnavailable } from '../../ports/store.ts'
import {
  comparing,
  type GraphDifferences,
  type GraphDifference,
  type GraphComparison,
} from '../../views/graph/compare.ts'

/**
 * Runs as a separate process that compares graphs one after the other, because each takes seconds of CPU time. Exits
 * when its parent does.
 */
const answer = (message: GraphAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })

process.on('disconnect', () => process.exit(0))
// Ctrl-C signals the whole process group; this process exits when its parent disconnects.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

/** Batch size: limits how long the parent is blocked while it deserialises a message. */
const AT_ONCE = 1_000

process.on('message', ({ clickhouse, comparison }: GraphWork) => {
  void compare({ clickhouse, comparison }).catch(async (cause: unknown) => {
    const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    await answer({ kind: 'failed', away: cause instanceof StoreUnavailable, message })
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

/** A request to the comparison process, which handles one at a time. */
export interface GraphWork {
  readonly clickhouse: ClickHouseStoreOptions
  readonly comparison: GraphComparison
}

/** A response of the comparison process: any number of `differences`, then `done`, or `failed`. */
export type GraphAnswer =
  | { readonly kind: 'differences'; readonly differences: readonly GraphDifference[] }
  | { readonly kind: 'done'; readonly figures: Omit<GraphDifferences, 'differences'> }
  /** `away`: the store did not respond; a retry may help. */
  | { readonly kind: 'failed'; readonly away: boolean; readonly message: string }
