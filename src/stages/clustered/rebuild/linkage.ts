import type { Steps } from '../../../state/steps.ts'
import { bond, type BondWeights } from '../linkage-features.ts'
import { ESTIMATE_SAMPLE, rounded, type LinkMeans } from './link-means.ts'

export interface LinkageInput {
  /** Initial groups of nodes; every node is in exactly one. */
  readonly groups: readonly (readonly number[])[]
  /** Pairs of nodes with a link above the threshold. Two groups without such a pair cannot have a mean above it. */
  readonly links: readonly (readonly [number, number])[]
  readonly means: LinkMeans
  /** Groups are joined while their bond is above this. */
  readonly threshold: number
  /** Penalties for cohesion and size, subtracted from the mean link. */
  readonly weights: BondWeights
  /** Whether cohesion is used for this node; for a group, if it is used for all of its nodes. */
  readonly usesCohesion: (node: number) => boolean
  /** Whether size is used for this node; for a group, if it is used for all of its nodes. */
  readonly usesSize: (node: number) => boolean
  /** Whether the node is in English. Where two groups both have such nodes, their mean link is over these alone. */
  readonly isInEnglish: (node: number) => boolean
  /** Pairs of indexes in `groups` that must never be joined. */
  readonly apart: readonly (readonly [number, number])[]
}

/** The tree of joins, down to the initial groups. */
export interface Tree {
  readonly nodes: readonly number[]
  /** Mean link within the group; `null` for a single node, or if cohesion is not used. */
  readonly within: number | null
  /** Whether cohesion is used for all of its nodes. */
  readonly usesCohesion: boolean
  /** Whether size is used for all of its nodes. */
  readonly usesSize: boolean
  /** The number of its nodes in English. */
  readonly inEnglish: number
  /** `null` for an initial group. */
  readonly joined: { readonly left: Tree; readonly right: Tree } | null
}

interface LinkageGroup {
  readonly id: number
  readonly tree: Tree
  /** Smallest node; used to break ties. */
  readonly first: number
  /** Mean link to the groups it may be joined with. */
  readonly means: Map<number, number>
  readonly apart: Set<number>
  /** Groups to which the mean link was measured from their own pairs, or need not be. */
  readonly measured: Set<number>
}

/**
 * Average linkage (UPGMA) with penalties: repeatedly joins the two groups with the highest bond, while it is above the
 * threshold. The bond is the mean link over the pairs of their nodes, minus a share of the excess of their own cohesion
 * over it, if cohesion is used for them: two tight groups that are merely similar are two stories. Nodes are numbered so
 * that the result does not depend on their order of arrival.
 */
export function* averageLinkage(input: LinkageInput): Steps<Tree[]> {
  const groups = yield* linkedGroups(input)
  const heap = new Heap()
  const consider = (one: LinkageGroup, other: LinkageGroup): void => {
    const between = one.means.get(other.id)
    if (between === undefined || one.apart.has(other.id)) return
    const mean = bondOf([one.tree, other.tree], between, input.weights)
    if (mean <= input.threshold) return
    heap.push({
      mean,
      a: one.id,
      b: other.id,
      ends: one.first < other.first ? [one.first, other.first] : [other.first, one.first],
    })
  }
  for (const group of groups.values()) for (const other of tiedTo(group, groups)) consider(group, other)

  let next = input.groups.length
  do {
    for (let step = heap.pop(); step !== undefined; step = heap.pop()) {
      yield
      const joined = join(groups, step, { ...input, next })
      if (joined === null) continue
      next++
      for (const other of tiedTo(joined, groups)) consider(joined, other)
    }
    for (const [one, other] of yield* remeasured(groups, input)) consider(one, other)
  } while (!heap.isEmpty)
  return [...groups.values()].sort((x, y) => x.first - y.first).map(({ tree }) => tree)
}

/**
 * Measures the mean link of groups that are still separate although one link between them is strong. The means of large
 * groups were estimated or omitted before. Groups found to be above the threshold are joined after all. Large groups with
 * an estimate far below it are not measured, which on a busy day would take most of the time.
 */
function* remeasured(
  groups: ReadonlyMap<number, LinkageGroup>,
  input: LinkageInput,
): Steps<(readonly [LinkageGroup, LinkageGroup])[]> {
  const of = byNode(groups.values())
  const found: (readonly [LinkageGroup, LinkageGroup])[] = []
  for (const [a, b] of input.links) {
    const [one, other] = [of.get(a), of.get(b)]
    if (one === undefined || other === undefined || one === other || one.measured.has(other.id)) continue
    yield
    one.measured.add(other.id)
    other.measured.add(one.id)
    if (isFarBelow(one, other, input)) continue
    tie(one, other, input.means.between(one.tree, other.tree))
    found.push([one, other])
  }
  return found
}

const byNode = (groups: Iterable<LinkageGroup>): ReadonlyMap<number, LinkageGroup> =>
  new Map([...groups].flatMap((group) => group.tree.nodes.map((node) => [node, group] as const)))

const tiedTo = ({ means }: LinkageGroup, groups: ReadonlyMap<number, LinkageGroup>): LinkageGroup[] =>
  [...means.keys()].flatMap((id) => groups.get(id) ?? [])

type InitialTree = Pick<LinkageInput, 'means' | 'usesCohesion' | 'usesSize' | 'isInEnglish'>

function treeOfNodes(nodes: readonly number[], { means, ...input }: InitialTree): Tree {
  const usesCohesion = nodes.every(input.usesCohesion)
  const within = usesCohesion ? means.within(nodes) : null
  const inEnglish = nodes.filter(input.isInEnglish).length
  return { nodes, within, joined: null, usesCohesion, usesSize: nodes.every(input.usesSize), inEnglish }
}

/** The initial groups. */
function* initialGroups(groups: LinkageInput['groups'], input: InitialTree): Steps<LinkageGroup[]> {
  const begun: LinkageGroup[] = []
  for (const [id, nodes] of groups.entries()) {
    yield
    begun.push({
      id,
      tree: treeOfNodes(nodes, input),
      first: Math.min(...nodes),
      means: new Map(),
      apart: new Set(),
      measured: new Set(),
    })
  }
  return begun
}

/** The number of nodes of two groups that are compared; `null` if size is not used. */
export function sizeOf(one: Tree, other: Tree): number | null {
  if (!one.usesSize || !other.usesSize) return null
  const areInEnglish = one.inEnglish > 0 && other.inEnglish > 0
  return areInEnglish ? one.inEnglish + other.inEnglish : one.nodes.length + other.nodes.length
}

const bondOf = ([one, other]: readonly [Tree, Tree], between: number, weights: BondWeights): number =>
  bond(between, { within: [one.within, other.within], size: sizeOf(one, other) }, weights)

function* linkedGroups({ groups, links, apart, ...input }: LinkageInput): Steps<Map<number, LinkageGroup>> {
  const begun = yield* initialGroups(groups, input)
  const of = byNode(begun)
  for (const [a, b] of links) {
    const [one, other] = [of.get(a), of.get(b)]
    if (one === other || one === undefined || other === undefined || one.means.has(other.id)) continue
    yield
    tie(one, other, input.means.between(one.tree, other.tree))
  }
  for (const [a, b] of [...apart, ...apart.map(([one, other]) => [other, one] as const)]) begun[a]?.apart.add(b)
  return new Map(begun.map((group) => [group.id, group]))
}

function tie(one: LinkageGroup, other: LinkageGroup, value: number): void {
  one.means.set(other.id, value)
  other.means.set(one.id, value)
}

interface Joining extends Pick<LinkageInput, 'means' | 'weights' | 'threshold'> {
  readonly next: number
}

/** Replaces two groups by `next`. `null` if one of them no longer exists or their own pairs do not allow it. */
function join(groups: Map<number, LinkageGroup>, { a, b }: HeapStep, { next, ...input }: Joining): LinkageGroup | null {
  const [one, other] = [groups.get(a), groups.get(b)]
  if (one === undefined || other === undefined) return null
  const [left, right] = one.first < other.first ? [one, other] : [other, one]
  const own = input.means.between(left.tree, right.tree)
  if (bondOf([left.tree, right.tree], own, input.weights) <= input.threshold) {
    tie(left, right, own)
    return null
  }
  const joined: LinkageGroup = {
    id: next,
    tree: treeOf(left.tree, right.tree, own),
    first: left.first,
    means: new Map(),
    apart: new Set([...left.apart, ...right.apart]),
    measured: new Set(),
  }
  groups.delete(a)
  groups.delete(b)
  for (const { third, value } of inherited(left, right, { groups, means: input.means })) tie(joined, third, value)
  groups.set(next, joined)
  for (const id of joined.apart) groups.get(id)?.apart.add(next)
  return joined
}

/** The ties of two groups, which are removed from the groups they were tied to. */
function inherited(
  left: LinkageGroup,
  right: LinkageGroup,
  { groups, means }: { readonly groups: ReadonlyMap<number, LinkageGroup>; readonly means: LinkMeans },
) {
  const thirds = [...new Set([...tiedTo(left, groups), ...tiedTo(right, groups)])]
  for (const third of thirds) for (const gone of [left, right]) third.means.delete(gone.id)
  return mostAlike(thirds.map((third) => ({ third, value: meanOfBoth({ left, right, third }, means) })))
}

/** Maximum number of groups tied to a group. On a single-subject day, all groups would be tied to all others. */
const MOST_TIES = 96

function mostAlike<Tied extends { readonly third: LinkageGroup; readonly value: number }>(
  means: Tied[],
): readonly Tied[] {
  if (means.length <= MOST_TIES) return means
  return means.sort((x, y) => y.value - x.value || x.third.first - y.third.first).slice(0, MOST_TIES)
}

/** `between`: mean link of the pairs across the two. */
function treeOf(left: Tree, right: Tree, between: number): Tree {
  const usesCohesion = left.usesCohesion && right.usesCohesion
  return {
    nodes: [...left.nodes, ...right.nodes],
    within: usesCohesion ? withinBoth(left, right, between) : null,
    usesCohesion,
    usesSize: left.usesSize && right.usesSize,
    inEnglish: left.inEnglish + right.inEnglish,
    joined: { left, right },
  }
}

function withinBoth(left: Tree, right: Tree, between: number): number {
  const pairs = ({ nodes }: Tree) => (nodes.length * (nodes.length - 1)) / 2
  const across = left.nodes.length * right.nodes.length
  const sum = pairs(left) * (left.within ?? 0) + pairs(right) * (right.within ?? 0) + across * between
  return rounded(sum / (pairs(left) + pairs(right) + across))
}

/** No estimate of 15,000 pairs of groups was off by half as much. */
const ESTIMATE_ERROR = 1

/** Whether an estimate from many pairs is far below the threshold. */
function isFarBelow(one: LinkageGroup, other: LinkageGroup, input: LinkageInput): boolean {
  const sizes = [one.tree.nodes.length, other.tree.nodes.length]
  if (sizes.some((size) => size <= ESTIMATE_SAMPLE)) return false // few pairs to measure, fewer to estimate from
  const estimate = one.means.get(other.id) ?? input.means.estimate(one.tree, other.tree)
  return estimate + ESTIMATE_ERROR < input.threshold
}

/**
 * Lance and Williams: the mean to a joined group follows from the means to its parts. Weighted by the nodes that are
 * compared: if the third group and a part have nodes in English, only these.
 */
function meanOfBoth(
  { left, right, third }: Readonly<Record<'left' | 'right' | 'third', LinkageGroup>>,
  means: LinkMeans,
): number {
  const to = (part: LinkageGroup) => part.means.get(third.id) ?? means.estimate(part.tree, third.tree)
  const areInEnglish = third.tree.inEnglish > 0 && left.tree.inEnglish + right.tree.inEnglish > 0
  const [m, n] = [left.tree, right.tree].map(({ nodes, inEnglish }) => (areInEnglish ? inEnglish : nodes.length))
  return meanOfTwo({ value: () => to(left), weight: m ?? 0 }, { value: () => to(right), weight: n ?? 0 })
}

interface WeightedMean {
  readonly value: () => number
  readonly weight: number
}

/** A value without weight is not computed. */
function meanOfTwo(one: WeightedMean, other: WeightedMean): number {
  if (one.weight === 0) return other.value()
  if (other.weight === 0) return one.value()
  return rounded((one.weight * one.value() + other.weight * other.value()) / (one.weight + other.weight))
}

/** Two groups that may be joined. */
interface HeapStep {
  readonly mean: number
  readonly a: number
  readonly b: number
  /** Smallest node of each group, in ascending order. */
  readonly ends: readonly [number, number]
}

/** The highest mean first; ties by smaller node. */
class Heap {
  private readonly steps: HeapStep[] = []

  get isEmpty(): boolean {
    return this.steps.length === 0
  }

  push(step: HeapStep): void {
    this.steps.push(step)
    let at = this.steps.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.isBefore(at, parent)) break
      this.swap(at, parent)
      at = parent
    }
  }

  pop(): HeapStep | undefined {
    const [top] = this.steps
    const last = this.steps.pop()
    if (last === undefined || this.steps.length === 0) return top
    this.steps[0] = last
    for (let at = 0, best = this.better(at); best !== at; best = this.better(at)) {
      this.swap(at, best)
      at = best
    }
    return top
  }

  /** The index of the first in order among a step and its two children. */
  private better(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const best = this.isBefore(left, at) ? left : at
    return this.isBefore(right, best) ? right : best
  }

  private isBefore(one: number, other: number): boolean {
    const [x, y] = [this.steps[one], this.steps[other]]
    if (x === undefined || y === undefined) return false
    if (x.mean !== y.mean) return x.mean > y.mean
    return x.ends[0] === y.ends[0] ? x.ends[1] < y.ends[1] : x.ends[0] < y.ends[0]
  }

  private swap(one: number, other: number): void {
    const [x, y] = [this.steps[one], this.steps[other]]
    if (x === undefined || y === undefined) return
    this.steps[one] = y
    this.steps[other] = x
  }
}
