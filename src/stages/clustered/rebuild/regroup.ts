import { clusterId } from '../../../events/ids.ts'
import type { RememberedMember } from '../changelog.ts'
import { inOrder } from './unit.ts'

export interface StoriesBefore {
  readonly namespace: string
  /** Story an article is in. */
  readonly storyOf: (member: RememberedMember) => string
  readonly sizeOf: (clusterId: string) => number
}

/**
 * A story id for each group of articles: largest group first (of equals the one whose first article is the earliest),
 * each takes the id that most of its articles carry and nobody has taken (of equals the smaller id). Else it is a new
 * story, called after its first article that has given no story its id yet; `spare` names it where all have.
 */
export function storyIds(
  groups: readonly (readonly RememberedMember[])[],
  { namespace, storyOf, sizeOf }: StoriesBefore,
  spare: (first: RememberedMember) => string,
): string[] {
  const taken = new Set<string>()
  const ids: string[] = []
  const order = groups.map((articles, i) => ({ articles, i }))
  order.sort((a, b) => b.articles.length - a.articles.length || inOrder(a.articles[0], b.articles[0]))
  const without: number[] = []
  for (const { articles, i } of order) {
    const [old] = mostCarried(articles.map(storyOf), taken)
    if (old === null) without.push(i)
    else taken.add(old)
    ids[i] = old ?? ''
  }
  for (const i of without) ids[i] = newId(groups[i] ?? [], { namespace, sizeOf, spare })
  return ids
}

/** The free id that most articles carry (the smaller of equals) and how many do; `null` when none carries one. */
export function mostCarried(
  carried: readonly (string | null)[],
  taken: ReadonlySet<string>,
): readonly [string | null, number] {
  const counts = new Map<string, number>()
  for (const id of carried) if (id !== null && !taken.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || compare(a, b))
  return most ?? [null, 0]
}

interface NewIdOptions {
  readonly namespace: string
  readonly sizeOf: (clusterId: string) => number
  readonly spare: (first: RememberedMember) => string
}

function newId(articles: readonly RememberedMember[], { namespace, sizeOf, spare }: NewIdOptions): string {
  const own = ({ articleId }: RememberedMember) => clusterId(namespace, articleId)
  const founder = articles.find((member) => !member.founded && sizeOf(own(member)) === 0)
  if (founder !== undefined) return own(founder)
  const [first] = articles
  return first === undefined ? '' : spare(first)
}

/** Articles that go from one story to another. */
export interface RegroupBlock {
  readonly from: string
  readonly to: string
  /** Place of `to` among the groups. */
  readonly group: number
  readonly articles: readonly RememberedMember[]
}

export interface Reasoned extends RegroupBlock {
  readonly action: 'split' | 'moved' | 'merged'
}

/**
 * What has to happen so that every group is its story: first stories are split off (a new one opens with its largest
 * block), then articles move, then what is left of a story goes into another one as a whole.
 */
export function changes(
  groups: readonly (readonly RememberedMember[])[],
  ids: readonly string[],
  before: Pick<StoriesBefore, 'storyOf' | 'sizeOf'>,
): Reasoned[] {
  const blocks = groups.flatMap((articles, group) => blocksOf(articles, { group, to: ids[group] ?? '' }, before))
  blocks.sort((a, b) => b.articles.length - a.articles.length || compare(a.to, b.to) || compare(a.from, b.from))

  const left = new Map<string, number>()
  for (const { from, articles } of blocks) left.set(from, (left.get(from) ?? before.sizeOf(from)) - articles.length)
  for (const { to, articles } of blocks) left.set(to, (left.get(to) ?? before.sizeOf(to)) + articles.length)
  const opened = new Set<string>()
  const emptied = new Set<string>()
  const reasoned = blocks.map((block): Reasoned => {
    if (before.sizeOf(block.to) === 0 && !opened.has(block.to)) {
      opened.add(block.to)
      return { ...block, action: 'split' }
    }
    const isLast = left.get(block.from) === 0 && !emptied.has(block.from)
    if (isLast) emptied.add(block.from)
    return { ...block, action: isLast ? 'merged' : 'moved' }
  })
  const rank = { split: 0, moved: 1, merged: 2 }
  return reasoned.sort((a, b) => rank[a.action] - rank[b.action])
}

function blocksOf(
  articles: readonly RememberedMember[],
  { group, to }: Pick<RegroupBlock, 'group' | 'to'>,
  { storyOf }: Pick<StoriesBefore, 'storyOf'>,
): RegroupBlock[] {
  const byStory = new Map<string, RememberedMember[]>()
  for (const member of articles) {
    const from = storyOf(member)
    const block = byStory.get(from) ?? []
    byStory.set(from, block)
    block.push(member)
  }
  byStory.delete(to)
  return [...byStory].map(([from, block]) => ({ from, to, group, articles: block }))
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a !== b))
