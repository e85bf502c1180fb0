import type { Candidate, Decision } from '../../../events/ledger.ts'
import { linkageScore, toLinkageFeatures } from '../linkage-features.ts'
import type { Weights } from '../../../language/clustering/model.ts'
import type { RememberedMember } from '../changelog.ts'
import { pair } from '../pair.ts'
import { pairsOf } from './link-means.ts'
import { sizeOf, type Tree } from './linkage.ts'
import { areComparable } from './links.ts'
import type { Reasoned } from './regroup.ts'
import { isInEnglish } from './unit.ts'

/** The input of a rebuild, from which each of its changes can be explained. */
export interface RebuildInput {
  /** By node. */
  readonly articles: readonly RememberedMember[]
  /**
   * Pairs of nodes that share keys and whose link is above the threshold. Two groups without such a pair are never
   * joined.
   */
  readonly links: readonly (readonly [number, number])[]
  /** By group. */
  readonly trees: readonly Tree[]
  /** Story of each group. */
  readonly ids: readonly string[]
}

/**
 * The reason for the assignment of a block of articles: the link at which it was joined to articles outside the block
 * and, as the runner-up, the current link between its story and the one it left. The first is above the threshold. The
 * second is not, unless a curator keeps the stories apart or both are large and their estimated link was far below it.
 */
export function reasonOf(
  block: Reasoned,
  input: RebuildInput,
  weights: Pick<Weights, 'pair' | 'rebuild'>,
): Pick<Decision, 'rule' | 'chosen' | 'runner_up'> {
  const tree = input.trees[block.group]
  const left = input.trees[input.ids.indexOf(block.from)]
  const between = (one: Tree | undefined, other: Tree | undefined, cluster_id: string): Candidate | null => {
    if (one === undefined || other === undefined) return null
    const pairs = pairsOf(one, other, {
      sample: weights.rebuild.sample,
      isInEnglish: (node) => isInEnglish(input.articles[node]),
    })
    const compared = pairs
      .flatMap(([a, b]) => comparable(input.articles[a], input.articles[b]))
      .map(([a, b]) => pair(a, b))
    const within = [one.within, other.within] as const
    const measured = toLinkageFeatures(compared, { pairs: pairs.length, within, size: sizeOf(one, other) }, weights)
    const features = { ...measured, strong_links: strongBetween(one, other, input.links) }
    return { cluster_id, score: linkageScore(features, weights), features }
  }
  const runner_up = between(tree, left, block.from)
  if (block.action === 'split') return { rule: 'linkage', chosen: null, runner_up }

  const ids = new Set(block.articles)
  const joined = tree === undefined ? null : joinOf(tree, (node) => ids.has(input.articles[node] ?? NOBODY))
  const chosen = joined === null ? null : between(joined.left, joined.right, block.to)
  return chosen === null
    ? { rule: boundBy(block), chosen: { cluster_id: block.to, score: 1, features: {} }, runner_up }
    : { rule: 'linkage', chosen, runner_up }
}

function strongBetween(one: Tree, other: Tree, links: RebuildInput['links']): number {
  const [mine, theirs] = [new Set(one.nodes), new Set(other.nodes)]
  return links.filter(([a, b]) => (mine.has(a) && theirs.has(b)) || (mine.has(b) && theirs.has(a))).length
}

const NOBODY = {} as RememberedMember

/** A block that is bound to the rest of its story: it reprints an article of it, or a curator put it there. */
const boundBy = ({ articles }: Reasoned): 'copy' | 'curator' =>
  articles.some(({ constraints }) => constraints.some(({ role }) => role === 'together')) ? 'curator' : 'copy'

/** The first join of a block with other articles; `null` if the group started with the block. */
function joinOf(tree: Tree, isOfBlock: (node: number) => boolean): Tree['joined'] {
  let at = tree
  for (;;) {
    const { joined } = at
    if (joined === null) return null
    const mixed = [joined.left, joined.right].find(({ nodes }) => nodes.some(isOfBlock) && !nodes.every(isOfBlock))
    if (mixed === undefined) return joined
    at = mixed
  }
}

const comparable = (a: RememberedMember | undefined, b: RememberedMember | undefined) =>
  a === undefined || b === undefined || !areComparable(a, b) ? [] : [[a.features, b.features] as const]
