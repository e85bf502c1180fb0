import { comparedOf } from '../pair.ts'

/** The mean link of groups of nodes, over the pairs of their nodes. */
export interface LinkMeans {
  /** Between two groups. */
  readonly between: (one: NodeGroup, other: NodeGroup) => number
  /** Between two groups, at less cost for large ones. */
  readonly estimate: (one: NodeGroup, other: NodeGroup) => number
  /** Within one group; `null` for a single node, or if cohesion is never used. */
  readonly within: (nodes: readonly number[]) => number | null
}

/** A group of nodes, and the two that it was joined from; `null` for an initial group. */
export interface NodeGroup {
  readonly nodes: readonly number[]
  readonly joined: { readonly left: NodeGroup; readonly right: NodeGroup } | null
}

/** The largest group whose pairs with another such group are all measured for an estimate. */
export const ESTIMATE_SAMPLE = 8

/** How the nodes of groups are chosen. */
export interface NodeSample {
  /** A group with more nodes is represented by this many. */
  readonly sample: number
  readonly isInEnglish: (node: number) => boolean
}

/** Means of single links. */
export function sampledMeans(link: (a: number, b: number) => number, { sample, isInEnglish }: NodeSample): LinkMeans {
  const measure = (one: NodeGroup, other: NodeGroup, most: number): number => {
    const pairs = pairsOf(one, other, { sample: most, isInEnglish })
    return rounded(pairs.reduce((sum, [a, b]) => sum + link(a, b), 0) / pairs.length)
  }
  return {
    between: (one, other) => measure(one, other, sample),
    estimate: (one, other) => measure(one, other, Math.min(sample, ESTIMATE_SAMPLE)),
    within: (nodes) => {
      const some = sampled(nodes, sample)
      const links = some.flatMap((a, i) => some.slice(i + 1).map((b) => link(a, b)))
      return links.length === 0 ? null : rounded(links.reduce((sum, value) => sum + value, 0) / links.length)
    },
  }
}

/** The pairs of nodes whose links are averaged for two groups. */
export function pairsOf(
  one: NodeGroup,
  other: NodeGroup,
  { sample, isInEnglish }: NodeSample,
): (readonly [number, number])[] {
  const [mine, theirs] = comparedOf(one.nodes, other.nodes, isInEnglish).map((nodes) => sampled(nodes, sample))
  return (mine ?? []).flatMap((a) => (theirs ?? []).map((b) => [a, b] as const))
}

/** An evenly spaced sample of the nodes in order. */
export function sampled(nodes: readonly number[], sample: number): readonly number[] {
  if (nodes.length <= sample) return nodes
  const sorted = [...nodes].sort((a, b) => a - b)
  return Array.from({ length: sample }, (_, i) => sorted[Math.floor((i * sorted.length) / sample)] ?? 0)
}

/** Rounded to a millionth, so that the mean of the same links does not depend on the order of summation. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
