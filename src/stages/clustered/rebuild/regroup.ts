import { clusterId, subjectId } from '../../../events/ids.ts'
import type { RememberedMember } from '../changelog.ts'
import { inOrder } from './unit.ts'
import type { SubjectListing } from '../../../events/ledger.ts'
import type { SubjectWeights } from '../../../language/clustering/model.ts'

export interface StoriesBefore {
  readonly namespace: string
  /** The current story of an article. */
  readonly storyOf: (member: RememberedMember) => string
  readonly sizeOf: (clusterId: string) => number
}

/**
 * A story id for each group of articles. Groups are processed from largest to smallest (ties by earliest first
 * article). Each takes the id that most of its articles have and that is not taken yet (ties by smaller id). Otherwise
 * it is a new story, named after its first article that has not founded a story; `spare` names it if all have.
 */
export function storyIds(
  groups: readonly (readonly RememberedMember[])[],
  { namespace, storyOf, sizeOf }: StoriesBefore,
  spare: Spare['spare'],
): string[] {
  const taken = new Set<string>()
  const ids: string[] = []
  const without: number[] = []
  for (const { articles, i } of largestFirst(groups)) {
    const [old] = mostCarried(articles.map(storyOf), taken)
    if (old === null) without.push(i)
    else taken.add(old)
    ids[i] = old ?? ''
  }
  for (const i of without) ids[i] = newId(groups[i] ?? [], { namespace, sizeOf, spare })
  return ids
}

/** Ties by the earliest first article. */
const largestFirst = (groups: readonly (readonly RememberedMember[])[]) =>
  groups
    .map((articles, i) => ({ articles, i }))
    .sort((a, b) => b.articles.length - a.articles.length || inOrder(a.articles[0], b.articles[0]))

/** The free id that most articles have (ties by smaller id), and how many have it. `null` if none has one. */
function mostCarried(
  carried: readonly (string | null)[],
  taken: ReadonlySet<string>,
): readonly [string | null, number] {
  const counts = new Map<string, number>()
  for (const id of carried) if (id !== null && !taken.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || compare(a, b))
  return most ?? [null, 0]
}

function newId(
  articles: readonly RememberedMember[],
  { namespace, sizeOf, spare }: Pick<StoriesBefore, 'namespace' | 'sizeOf'> & Spare,
): string {
  const own = ({ articleId }: RememberedMember) => clusterId(namespace, articleId)
  const founder = articles.find((member) => !member.founded && sizeOf(own(member)) === 0)
  if (founder !== undefined) return own(founder)
  const [first] = articles
  return first === undefined ? '' : spare(first)
}

/** Articles that move from one story to another. */
interface ArticleBlock<Article> {
  readonly from: string
  readonly to: string
  readonly articles: readonly Article[]
}

/** `split`: they open a story. `merged`: they are the last of their story. `moved`: anything else. */
export type FollowableBlock<Block> = Block & { readonly action: 'split' | 'moved' | 'merged' }

/**
 * Orders blocks so that a reader can apply them one by one: first stories split off (a new one opens with its largest
 * block), then articles move, then the rest of a story is merged into another one as a whole.
 */
export function followable<Block extends ArticleBlock<unknown>>(
  blocks: readonly Block[],
  { isNew, isEmptied }: Readonly<Record<'isNew' | 'isEmptied', (clusterId: string) => boolean>>,
): FollowableBlock<Block>[] {
  const sorted = [...blocks].sort(
    (a, b) => b.articles.length - a.articles.length || compare(a.to, b.to) || compare(a.from, b.from),
  )
  const opened = new Set<string>()
  const emptied = new Set<string>()
  const reasoned = sorted.map((block): FollowableBlock<Block> => {
    if (isNew(block.to) && !opened.has(block.to)) {
      opened.add(block.to)
      return { ...block, action: 'split' }
    }
    const isLast = isEmptied(block.from) && !emptied.has(block.from)
    if (isLast) emptied.add(block.from)
    return { ...block, action: isLast ? 'merged' : 'moved' }
  })
  const rank = { split: 0, moved: 1, merged: 2 }
  return reasoned.sort((a, b) => rank[a.action] - rank[b.action])
}

interface RegroupBlock extends ArticleBlock<RememberedMember> {
  /** Index of the group that is the story `to`. */
  readonly group: number
}

export type Reasoned = FollowableBlock<RegroupBlock>

/** The blocks that must move so that every group is its story. */
export function changes(
  groups: readonly (readonly RememberedMember[])[],
  ids: readonly string[],
  before: Pick<StoriesBefore, 'storyOf' | 'sizeOf'>,
): Reasoned[] {
  const blocks = groups.flatMap((articles, group) => blocksOf(articles, { group, to: ids[group] ?? '' }, before))
  const left = new Map<string, number>()
  for (const { from, articles } of blocks) left.set(from, (left.get(from) ?? before.sizeOf(from)) - articles.length)
  for (const { to, articles } of blocks) left.set(to, (left.get(to) ?? before.sizeOf(to)) + articles.length)
  return followable(blocks, { isNew: (id) => before.sizeOf(id) === 0, isEmptied: (id) => left.get(id) === 0 })
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

export interface SubjectsBefore {
  readonly namespace: string
  /** The current story of an article. */
  readonly storyOf: (member: RememberedMember) => string
  /** Subject page that lists an article; `null` if there is none. */
  readonly subjectOf: (member: RememberedMember) => string | null
}

interface Spare {
  readonly spare: (first: RememberedMember) => string
}

/**
 * A subject page for each group of articles; `null` if it has none. Groups are processed from largest to smallest (ties
 * by earliest first article). Each keeps the page that lists most of its articles and is not taken by a larger group. A
 * group without a page opens one if it has enough articles of enough stories. A smaller group stays on a page that
 * already lists most of it. A new page is named after its first article that no page lists yet; `spare` names it if all
 * are listed.
 */
export function subjectIds(
  groups: readonly (readonly RememberedMember[])[],
  { namespace, storyOf, subjectOf }: SubjectsBefore,
  limits: Omit<SubjectWeights, 'threshold'> & Spare,
): (string | null)[] {
  const taken = new Set<string>()
  const ids = groups.map((): string | null => null)
  for (const { articles, i } of largestFirst(groups)) {
    const [known, listed] = mostCarried(articles.map(subjectOf), taken)
    const opens = articles.length >= limits.min_articles && new Set(articles.map(storyOf)).size >= limits.min_stories
    if (!opens && 2 * listed <= articles.length) continue
    const id = known ?? newSubjectId(articles, { namespace, subjectOf, spare: limits.spare })
    ids[i] = id
    taken.add(id)
  }
  return ids
}

function newSubjectId(
  articles: readonly RememberedMember[],
  { namespace, subjectOf, spare }: Pick<SubjectsBefore, 'namespace' | 'subjectOf'> & Spare,
): string {
  const first = articles.find((member) => subjectOf(member) === null)
  if (first !== undefined) return subjectId(namespace, first.articleId)
  const [any] = articles
  return any === undefined ? '' : spare(any)
}

/** Articles that are added to a page or change it, by page. An article that is in no group stays on its page. */
export const listings = (
  groups: readonly (readonly RememberedMember[])[],
  ids: readonly (string | null)[],
  { subjectOf }: Pick<SubjectsBefore, 'subjectOf'>,
): (SubjectListing & { readonly articles: readonly RememberedMember[] })[] =>
  groups.flatMap((group, i) => {
    const subject_id = ids[i] ?? null
    const articles = group.filter((member) => subjectOf(member) !== subject_id)
    if (subject_id === null || articles.length === 0) return []
    return [{ subject_id, articles, article_ids: articles.map(({ articleId }) => articleId) }]
  })

/**
 * The page that lists most of a story's articles; `null` if none lists any. Articles that join the story are added to
 * it.
 */
export const subjectOfStory = (members: readonly RememberedMember[] = []): string | null =>
  mostCarried(
    members.map(({ subjectId: listed }) => listed),
    new Set(),
  )[0]
