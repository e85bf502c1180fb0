import type { OwnService } from '../../bench/own-service.ts'
import type { ArticleIngested } from '../../events/articles.ts'
import type { Wiring } from '../wiring.ts'

export interface Setting {
  readonly wiring: Wiring
  readonly articles: readonly ArticleIngested[]
}

export interface Measured {
  /** As `--json` prints it. */
  readonly figures: unknown
  /** As a person reads it. */
  readonly lines: readonly string[]
}

/** One part of `story bench`. */
export type Part =
  | { readonly says: string; readonly alone: (setting: Setting) => Promise<Measured> }
  | { readonly says: string; readonly inService: (setting: Setting, service: OwnService) => Promise<Measured> }

export const ms = (value: number): string => value.toFixed(2).padStart(9)
