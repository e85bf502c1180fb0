import type { OwnService } from '../own-service.ts'
import type { ArticleIngested } from '../../events/articles.ts'
import type { Wiring } from '../../ports/wiring.ts'

export interface BenchSetting {
  readonly wiring: Wiring
  readonly articles: readonly ArticleIngested[]
}

export interface BenchResult {
  /** As `--json` prints it. */
  readonly figures: unknown
  /** As a person reads it. */
  readonly lines: readonly string[]
}

/** One part of `story bench`. */
export type BenchPart =
  | { readonly says: string; readonly alone: (setting: BenchSetting) => Promise<BenchResult> }
  | { readonly says: string; readonly inService: (setting: BenchSetting, service: OwnService) => Promise<BenchResult> }

export const ms = (value: number): string => value.toFixed(2).padStart(9)
