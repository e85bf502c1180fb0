import type { Figure } from './figures.ts'

/** What was measured last on the labelled sets, and what the service decides with now. */
export interface PublishedQuality {
  /** A day, `2026-11-21`. */
  readonly measured_at: string
  /** Names and hashes of the models it was measured with. */
  readonly models: readonly string[]
  /** The clusterer's rules, weights and tables, each by its version or hash: as they stand in every decision. */
  readonly versions: Readonly<Record<string, string>>
  readonly sets: readonly Figure[]
}
