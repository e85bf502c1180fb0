/** Weight of each term of a text, used to compare texts. */
export type TermWeights = ReadonlyMap<string, number>

/** Probability that the random walk continues to a similar sentence; otherwise it restarts. */
const DAMPING = 0.85
/** Sentences with a lower cosine do not support each other. */
const MIN_COSINE = 0.1
const MAX_CHANGE = 1e-9
const MAX_ROUNDS = 200

/** Cosine of two weighted texts, 0 to 1; 0 if one has no terms. */
export const cosine = (a: TermWeights, b: TermWeights): number => product(unit(a), unit(b))

/** Scales to unit length; a text without weight stays as it is. */
function unit(weights: TermWeights): TermWeights {
  let square = 0
  for (const weight of weights.values()) square += weight * weight
  const length = Math.sqrt(square)
  return length === 0 ? weights : new Map([...weights].map(([term, weight]) => [term, weight / length]))
}

function product(a: TermWeights, b: TermWeights): number {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of fewer) sum += weight * (more.get(term) ?? 0)
  return sum
}

/**
 * Centrality of each sentence (Erkan & Radev 2004, continuous LexRank): the share of time that a random walk between
 * similar sentences spends on it. The values sum to 1. A sentence that is similar to no other gets only its share of
 * the restarts. `restarts` (any scale, not negative, at least one above 0) weighs the sentences for the restarts.
 */
export function lexRank(sentences: readonly TermWeights[], restarts: readonly number[]): number[] {
  const total = restarts.reduce((sum, weight) => sum + weight, 0)
  const start = restarts.map((weight) => weight / total)
  const steps = transitions(sentences)
  let rank = start
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = walk(rank, start, steps)
    const change = next.reduce((sum, value, i) => sum + Math.abs(value - (rank[i] ?? 0)), 0)
    rank = next
    if (change < MAX_CHANGE) break
  }
  return rank
}

interface LexrankStep {
  readonly to: number
  readonly share: number
}

/**
 * Transitions from each sentence to similar ones, in proportion to the similarity; none for a sentence without similar
 * ones.
 */
function transitions(sentences: readonly TermWeights[]): LexrankStep[][] {
  const links: LexrankStep[][] = sentences.map(() => [])
  const units = sentences.map(unit)
  for (const [i, one] of units.entries()) {
    for (let j = i + 1; j < units.length; j++) {
      const share = product(one, units[j] ?? new Map())
      if (share < MIN_COSINE) continue
      links[i]?.push({ to: j, share })
      links[j]?.push({ to: i, share })
    }
  }
  return links.map((ofOne) => {
    const sum = ofOne.reduce((total, { share }) => total + share, 0)
    return ofOne.map(({ to, share }) => ({ to, share: share / sum }))
  })
}

function walk(rank: readonly number[], start: readonly number[], steps: readonly (readonly LexrankStep[])[]): number[] {
  const dangling = rank.reduce((sum, share, i) => ((steps[i] ?? []).length === 0 ? sum + share : sum), 0)
  const next = start.map((share) => share * (1 - DAMPING + DAMPING * dangling))
  for (const [i, ofOne] of steps.entries()) {
    for (const { to, share } of ofOne) next[to] = (next[to] ?? 0) + DAMPING * share * (rank[i] ?? 0)
  }
  return next
}
