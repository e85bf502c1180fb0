import type { OwnService } from './own-service.ts'
import type { ArticleIngested } from '../events/articles.ts'
import type { Wiring } from '../ports/wiring.ts'
import { intake } from '../domain/intake/articles.ts'
import { ingested } from '../sources/ingested-event.ts'
import { jsonlRecords } from '../sources/jsonl.ts'
import { openSource } from '../sources/open-source.ts'

export interface BenchSetting {
  readonly wiring: Wiring
  /** The value of `--articles`, of which the file may have fewer. */
  readonly requested: number
  /** Adds the cost of an article to its history. */
  readonly record: boolean
  readonly articles: readonly ArticleIngested[]
}

export interface BenchResult {
  /** The output of `--json`. */
  readonly figures: unknown
  /** The output for people. */
  readonly lines: readonly string[]
}

/** One part of `story bench`. */
export type BenchPart =
  | { readonly about: string; readonly alone: (setting: BenchSetting) => Promise<BenchResult> }
  | { readonly about: string; readonly inService: (setting: BenchSetting, service: OwnService) => Promise<BenchResult> }

export const ms = (value: number): string => value.toFixed(2).padStart(9)

/** The given articles are too few for a bench. */
export class TooFewArticles extends Error {
  override readonly name = 'TooFewArticles'
}

/** Throws `TooFewArticles` if there are fewer articles than a bench needs. */
export function requireArticles(given: number, minimum: number): void {
  if (given >= minimum) return
  throw new TooFewArticles(
    `needs ${minimum} articles or more, and has ${given}: give more with --file FILE --articles ${Math.max(minimum, 2 * given)}`,
  )
}

/**
 * Throws `TooFewArticles` if a figure is not a finite number: there were no measurements for it, usually because there
 * were too few articles.
 */
export function requireFigures(figures: unknown, articles: number): void {
  const found = notFinite(figures, '')
  if (found.length === 0) return
  throw new TooFewArticles(
    `nothing was measured for ${found.join(', ')} with ${articles} articles: give more with --file FILE --articles N`,
  )
}

/** The paths of the numbers in a value that are not finite. */
function notFinite(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => notFinite(inner, path === '' ? name : `${path}.${name}`))
}

/** The first `maxArticles` articles of a file that intake accepts. */
export async function articlesOf(file: string, maxArticles: number): Promise<readonly ArticleIngested[]> {
  const found: ArticleIngested[] = []
  for await (const record of jsonlRecords((await openSource(file, process.stdin)).bytes)) {
    if (found.length >= maxArticles) break
    const given = record.kind === 'fields' ? intake(record.fields) : null
    if (given?.kind !== 'article') continue
    found.push(ingested(given.fields, { namespace: 'bench', producer: 'bench' }).event)
  }
  return found
}
