import type { Features } from '../features.ts'
import { EVIDENCE, SECTIONS, termsIn } from '../packed-features.ts'
import { bitCount } from '../sketch.ts'
import { HASH_SHIFT } from '../terms.ts'

type EvidenceKind = (typeof EVIDENCE)[number]

/** Up to 32 articles; a set of them is a number with one bit for each. */
export interface EvidenceSample {
  readonly articles: number
  /** Articles without a date. */
  readonly undated: number
  readonly kinds: Readonly<Record<EvidenceKind, NamedValues>>
}

/** The values of one kind that articles name, for example their places. */
interface NamedValues {
  /** By article. */
  readonly values: readonly Uint32Array[]
  /** The articles that name a value. */
  readonly naming: ReadonlyMap<number, number>
  /** The articles that name any. */
  readonly any: number
}

export const evidenceSample = (articles: readonly Features[]): EvidenceSample => ({
  articles: articles.length,
  undated: articles.reduce((bits, { dated }, i) => (dated ? bits : bits | (1 << i)), 0),
  kinds: {
    numbers: namedValues(articles, 'numbers'),
    places: namedValues(articles, 'places'),
    weekdays: namedValues(articles, 'weekdays'),
    years: namedValues(articles, 'years'),
  },
})

function namedValues(articles: readonly Features[], kind: EvidenceKind): NamedValues {
  const values = articles.map((article) => termsIn(article, SECTIONS[kind]).map((term) => term >>> HASH_SHIFT))
  const naming = new Map<number, number>()
  let any = 0
  for (const [i, own] of values.entries()) {
    if (own.length > 0) any |= 1 << i
    for (const value of own) naming.set(value, (naming.get(value) ?? 0) | (1 << i))
  }
  return { values, naming, any }
}

/** The share of the pairs in which both articles name values of a kind and none in common. */
export function shareApart(one: EvidenceSample, other: EvidenceSample, kind: EvidenceKind): number {
  const theirs = other.kinds[kind]
  if (theirs.any === 0) return 0
  let pairs = 0
  for (const values of one.kinds[kind].values) {
    if (values.length > 0) pairs += bitCount(theirs.any & ~sharing(values, theirs))
  }
  return pairs / (one.articles * other.articles)
}

/** The share of the pairs in which an article has no date and both name a year in common. */
export function shareOfSameYear(one: EvidenceSample, other: EvidenceSample): number {
  if ((one.undated | other.undated) === 0) return 0
  const theirs = other.kinds.years
  let pairs = 0
  for (const [i, values] of one.kinds.years.values.entries()) {
    const isUndated = (one.undated & (1 << i)) !== 0
    pairs += bitCount(sharing(values, theirs) & (isUndated ? ALL : other.undated))
  }
  return pairs / (one.articles * other.articles)
}

const ALL = -1

/** The articles that name one of the values. */
function sharing(values: Uint32Array, { naming }: NamedValues): number {
  let bits = 0
  for (const value of values) bits |= naming.get(value) ?? 0
  return bits
}
