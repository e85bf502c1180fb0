import type { CrawledPage, PageExtraction, PageExtractor } from '../sources/pages/extract-page.ts'
import { WorkerPool } from './worker-pool.ts'

export interface PageWorkersOptions {
  readonly workers: number
  /** By default, 20 seconds: hundreds of times what a page takes on average. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000
/** A page of the largest size that extraction reads needs about 200 MB. */
const MEMORY_MB = 512

/** Extracts pages in threads. A page that ends or blocks a thread is counted, and the others go on. */
export function pageWorkers({ workers, timeoutMs = TIMEOUT_MS }: PageWorkersOptions): PageExtractor {
  const thread = new URL('./page-thread.ts', import.meta.url)
  const pool = new WorkerPool<CrawledPage, PageExtraction>({ thread, workers, timeoutMs, memoryMb: MEMORY_MB })
  return {
    workers,
    extract: async (page) => {
      const body = Uint8Array.from(page.body) // transferred, and so not the buffer of other records
      const outcome = await pool.run({ ...page, body }, [body.buffer])
      if (outcome.kind === 'done') return outcome.result
      return { kind: 'skipped', reason: outcome.kind === 'timeout' ? 'extraction_timeout' : 'extraction_failed' }
    },
    close: () => pool.close(),
  }
}
