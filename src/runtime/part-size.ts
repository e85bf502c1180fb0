import type { Limits } from './running.ts'

/** How many records to take in hand at once, so that a part takes about the wanted time. */
export interface PartSize {
  next(): number
  took(records: number, ms: number): void
}

const CAUTIOUS_START = 16

/** Grows at most fourfold a step: one lucky part must not make the next one an hour long. */
export function timedParts({ partMs, partRecords }: Pick<Limits, 'partMs' | 'partRecords'>): PartSize {
  let size = Math.min(CAUTIOUS_START, partRecords)
  return {
    next: () => size,
    took: (records, ms) => {
      const fits = ms === 0 ? size * 4 : Math.floor((partMs * records) / ms)
      size = Math.max(1, Math.min(fits, size * 4, partRecords))
    },
  }
}

/** The whole batch as one part: for views, whose store likes few large inserts. */
export const wholeBatches: PartSize = { next: () => Number.MAX_SAFE_INTEGER, took: () => undefined }
