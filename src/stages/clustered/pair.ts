import { DAY_MS } from '../../domain/days.ts'
import type { Features } from './features.ts'
import {
  areCross,
  crossLeadCosine,
  crossTitleCosine,
  isForeign,
  leadCosine,
  SECTIONS,
  titleCosine,
} from './packed-features.ts'
import { agree, disagree, sharedTerms, termsCosine } from './terms-cosine.ts'
import type { Weights } from '../../language/clustering/model.ts'

/** A longer gap carries no more information: a story that lasts a week stays one story. */
const MOST_GAP_DAYS = 3
export const KINDS = ['body', 'headline', 'cross'] as const
export type PairKind = (typeof KINDS)[number]

/**
 * The features of a pair, in the order of its values: `cross` if one of the articles is not in English, else `body` if
 * both have a body, otherwise `headline`.
 */
export const FEATURES = {
  body: [
    'lead_cosine',
    'title_cosine',
    'body_terms_cosine',
    'entity_terms_cosine',
    'gap_days',
    'numbers_apart',
    'weekdays_apart',
    'places_apart',
    'undated_same_year',
    'bias',
    'undated',
  ],
  headline: ['title_cosine', 'title_terms_cosine', 'gap_days', 'bias', 'undated'],
  cross: ['title_cosine', 'lead_cosine', 'numbers_apart', 'gap_days', 'bias', 'undated'],
} as const satisfies Record<PairKind, readonly string[]>

/**
 * Feature values of two articles. `bias` is 1; `undated` is 1 if one of them has no date (the gap is then 0); a gap
 * counts up to three days. An article in English has no cross-language vector of its lead: with it, the cosine of the
 * titles counts for both. Values are positional, without names, since a busy day compares thousands of pairs per
 * second.
 */
export interface ArticlePair {
  readonly kind: PairKind
  /** In the order of `FEATURES`. */
  readonly values: readonly number[]
}

const gapDays = (a: Features, b: Features): number =>
  a.dated && b.dated ? Math.min(Math.abs(a.time - b.time) / DAY_MS, MOST_GAP_DAYS) : 0

/** How two articles are compared. */
function kindOf(a: Features, b: Features): PairKind {
  if (areCross(a, b)) return 'cross'
  return a.hasBody && b.hasBody ? 'body' : 'headline'
}

/** The articles in English, or all if there are none. */
export function inEnglishOrAll<Article>(
  articles: readonly Article[],
  isInEnglish: (article: Article) => boolean,
): readonly Article[] {
  const own = articles.filter(isInEnglish)
  return own.length > 0 ? own : articles
}

/**
 * The articles of two groups that are compared with each other: where both have articles in English, only these. They are
 * compared by more evidence, and an article in another language must not join two stories in English.
 */
export function comparedOf<Article>(
  one: readonly Article[],
  other: readonly Article[],
  isInEnglish: (article: Article) => boolean,
): readonly [readonly Article[], readonly Article[]] {
  const [mine, theirs] = [one.filter(isInEnglish), other.filter(isInEnglish)]
  return mine.length > 0 && theirs.length > 0 ? [mine, theirs] : [one, other]
}

/** Computes the feature values of two articles. */
export function pair(a: Features, b: Features): ArticlePair {
  const undated = a.dated && b.dated ? 0 : 1
  const gap = gapDays(a, b)
  const kind = kindOf(a, b)
  if (kind === 'cross') return crossPair(a, b, { gap, undated })
  const title = titleCosine(a, b)
  if (kind === 'headline') {
    return { kind, values: [title, termsCosine(a, b, SECTIONS.title), gap, 1, undated] }
  }
  return {
    kind,
    values: [
      leadCosine(a, b),
      title,
      termsCosine(a, b, SECTIONS.body),
      termsCosine(a, b, SECTIONS.entities),
      gap,
      // 1 if both name values but none in common; for years: if they share one and a date is missing
      Number(disagree(a, b, SECTIONS.numbers)),
      Number(disagree(a, b, SECTIONS.weekdays)),
      Number(disagree(a, b, SECTIONS.places)),
      Number(undated === 1 && agree(a, b, SECTIONS.years)),
      1,
      undated,
    ],
  }
}

function crossPair(
  a: Features,
  b: Features,
  { gap, undated }: { readonly gap: number; readonly undated: number },
): ArticlePair {
  const hasLeads = isForeign(a) && isForeign(b)
  const title = crossTitleCosine(a, b)
  return {
    kind: 'cross',
    values: [
      title,
      hasLeads ? crossLeadCosine(a, b) : title,
      Number(disagree(a, b, SECTIONS.numbers)),
      gap,
      1,
      undated,
    ],
  }
}

/** The logit without the time gap: how similar two articles are, regardless of their dates. */
export const alikeLogit = (found: ArticlePair, weights: Weights['pair']): number =>
  pairLogit(found, weights) - gapShare(found.kind, found.values[FEATURES[found.kind].indexOf(GAP)] ?? 0, weights)

const GAP = 'gap_days'
const gapShare = (kind: PairKind, days: number, weights: Weights['pair']): number => (weights[kind][GAP] ?? 0) * days

/**
 * The link of two articles from `alikeLogit` and their time gap. Equals `linkLogit` without comparing the articles
 * again.
 */
export function linkOfAlike(alike: number, [a, b]: readonly [Features, Features], weights: LinkWeights): number {
  const kind = kindOf(a, b)
  const logit = alike + gapShare(kind, gapDays(a, b), weights.pair)
  return logit < weights.rebuild.unlike_below ? weights.rebuild.unlike : logit
}

/** The values by name, as they are recorded. */
export const named = ({ kind, values }: ArticlePair): Record<string, number> =>
  Object.fromEntries(FEATURES[kind].map((name, i) => [name, values[i] ?? 0]))

/** The inverse: reads the values by name after a prefix (`body.`). Missing values are 0. */
export const unnamed = (kind: PairKind, values: Readonly<Record<string, number>>, prefix = ''): ArticlePair => ({
  kind,
  values: FEATURES[kind].map((name) => values[prefix + name] ?? 0),
})

/** The logit that two articles report one event. Above 0, one event is more likely than two. */
export function pairLogit({ kind, values }: ArticlePair, weights: Weights['pair']): number {
  const own = inOrder(weights)[kind]
  let sum = 0
  for (let i = 0; i < own.length; i++) sum += (own[i] ?? 0) * (values[i] ?? 0)
  return sum
}

type LinkWeights = Pick<Weights, 'pair' | 'rebuild'>

/** Whether the articles are clearly of two events. */
export const isUnlike = (found: ArticlePair, { pair: weights, rebuild }: LinkWeights): boolean =>
  pairLogit(found, weights) < rebuild.unlike_below

/** The weight of a pair in the mean of two groups. A pair that is clearly of two events weighs more than its logit. */
export const linkLogit = (found: ArticlePair, weights: LinkWeights): number =>
  isUnlike(found, weights) ? weights.rebuild.unlike : pairLogit(found, weights.pair)

type Ordered = Readonly<Record<PairKind, readonly number[]>>
const known = new WeakMap<Weights['pair'], Ordered>()

/** Weights in the order of the features. */
function inOrder(weights: Weights['pair']): Ordered {
  const ordered = known.get(weights) ?? {
    body: FEATURES.body.map((name) => weights.body[name] ?? 0),
    headline: FEATURES.headline.map((name) => weights.headline[name] ?? 0),
    cross: FEATURES.cross.map((name) => weights.cross[name] ?? 0),
  }
  known.set(weights, ordered)
  return ordered
}

/** The link of an article to a story: the mean of its pairs with the members, by kind, and the best pair. */
export interface ClusteredLink {
  /** Members of the story in memory. */
  readonly size: number
  readonly means: Readonly<Partial<Record<PairKind, Mean>>>
  readonly best: ArticlePair
}

export interface Mean {
  readonly pairs: number
  /** In the order of `FEATURES`. */
  readonly values: readonly number[]
}

export interface LinkScore {
  readonly mean_link: number
  readonly max_link: number
  readonly size_penalty: number
  /** Rounded to a millionth, so that it does not depend on the order of summation. */
  readonly score: number
}

/**
 * Whether an article may join a story with these members. Reports of one event name the same people, places or things; a
 * headline names too few of them, and other languages write them differently.
 */
export const mayJoin = (article: Features, members: readonly Features[], { shared_keys }: Weights['join']): boolean =>
  members.some(
    (member) => kindOf(article, member) !== 'body' || sharedTerms(article, member, SECTIONS.keys) >= shared_keys,
  )

/**
 * Compares an article with members of one story. `size` is that of the whole story. `null` if there is no member to
 * compare.
 */
export function link(
  article: Features,
  { members, size }: { readonly members: readonly Features[]; readonly size: number },
  weights: Weights['pair'],
): ClusteredLink | null {
  const sums: Record<PairKind, { pairs: number; values: number[] }> = {
    body: { pairs: 0, values: FEATURES.body.map(() => 0) },
    headline: { pairs: 0, values: FEATURES.headline.map(() => 0) },
    cross: { pairs: 0, values: FEATURES.cross.map(() => 0) },
  }
  let best: ArticlePair | null = null
  let highest = -Infinity
  for (const member of members) {
    const next = pair(article, member)
    const sum = sums[next.kind]
    sum.pairs += 1
    for (let i = 0; i < next.values.length; i++) sum.values[i] = (sum.values[i] ?? 0) + (next.values[i] ?? 0)
    const logit = pairLogit(next, weights)
    if (logit <= highest) continue
    highest = logit
    best = next
  }
  return best === null
    ? null
    : { size, means: Object.assign({}, ...KINDS.map((kind) => mean(kind, sums[kind]))) as ClusteredLink['means'], best }
}

const mean = (kind: PairKind, { pairs, values }: Mean): ClusteredLink['means'] =>
  pairs === 0 ? {} : { [kind]: { pairs, values: values.map((sum) => sum / pairs) } }

/** The logit is linear in the features, so the mean logit can be computed from the mean features. */
export function linkScore(
  { size, means, best }: ClusteredLink,
  { pair: weights, join }: Pick<Weights, 'pair' | 'join'>,
): LinkScore {
  let pairs = 0
  let sum = 0
  for (const kind of KINDS) {
    const part = means[kind]
    if (part === undefined) continue
    pairs += part.pairs
    sum += part.pairs * pairLogit({ kind, values: part.values }, weights)
  }
  const mean_link = sum / pairs
  const max_link = pairLogit(best, weights)
  const size_penalty = join.size_weight * Math.log(Math.min(size, join.size_cap))
  const score = join.mean_share * mean_link + join.max_share * max_link - size_penalty
  return { mean_link, max_link, size_penalty, score: Math.round(score * 1e6) / 1e6 }
}
