import type { JudgedPair } from '../../src/quality/judged-pairs.ts'
import type { Features } from '../../src/stages/clustered/features.ts'
import { named, pair, type PairKind } from '../../src/stages/clustered/pair.ts'
import type { LabelledSet } from './logistic.ts'

const MOST_DAYS = 10
/** Negatives of one set that are looked at: of more, every second, third ... one. */
const MOST_NEGATIVES = 300_000

export interface LabelledFeatures {
  readonly story: string
  readonly features: Features
}

/** The pairs of a set whose articles both have a gold story, at most ten days apart, with these features of each. */
export function labelledPairs(
  articles: readonly LabelledFeatures[],
  kind: PairKind,
  names: readonly string[],
): LabelledSet {
  const all = pairsWithin(articles, kind)
  const negatives = all.filter(([a, b]) => a.story !== b.story)
  const every = Math.ceil(negatives.length / MOST_NEGATIVES)
  const kept = [...all.filter(([a, b]) => a.story === b.story), ...negatives.filter((_, i) => i % every === 0)]
  return {
    rows: kept.map(([a, b]) => rowOf(named(pair(a.features, b.features)), names)),
    labels: kept.map(([a, b]) => a.story === b.story),
  }
}

/** Pairs that were judged one by one, with these features of each. */
export function judgedRows(
  pairs: readonly JudgedPair[],
  featuresOf: ReadonlyMap<string, Features | null>,
  names: readonly string[],
): LabelledSet {
  const known = pairs.flatMap(({ a, b, same }) => {
    const [one, other] = [featuresOf.get(a) ?? null, featuresOf.get(b) ?? null]
    return one === null || other === null ? [] : [{ row: rowOf(named(pair(one, other)), names), same }]
  })
  return { rows: known.map(({ row }) => row), labels: known.map(({ same }) => same) }
}

type Two = readonly [LabelledFeatures, LabelledFeatures]

function pairsWithin(articles: readonly LabelledFeatures[], kind: PairKind): Two[] {
  const pairs: Two[] = []
  for (const [i, a] of articles.entries()) {
    for (const b of articles.slice(i + 1)) if (isOf(kind, a, b) && areNear(a.features, b.features)) pairs.push([a, b])
  }
  return pairs
}

const isOf = (kind: PairKind, a: LabelledFeatures, b: LabelledFeatures): boolean =>
  kind === (a.features.hasBody && b.features.hasBody ? 'body' : 'headline')

const areNear = (a: Features, b: Features): boolean =>
  !a.dated || !b.dated || Math.abs(a.time - b.time) <= MOST_DAYS * 86_400_000

const rowOf = (values: Readonly<Record<string, number>>, names: readonly string[]): number[] =>
  names.map((name) => values[name] ?? 0)
