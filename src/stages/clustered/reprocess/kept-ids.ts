import { followable, type FollowableBlock } from '../rebuild/regroup.ts'

/** An article in two versions of the clusterer. */
export interface ReplacedArticle {
  readonly article: string
  /** Its story in the old version. */
  readonly before: string
  /**
   * Its story in the new version, under the new version's id. `null` if the new version does not have the article,
   * which then stays.
   */
  readonly after: string | null
  /** A curator's correction binds the article to its story, regardless of the new version. */
  readonly pinned: boolean
}

/** How stories get their ids. */
export interface KeptIdOptions {
  /** The id derived from an article: that of the story it founds. */
  readonly own: (article: string) => string
  /** Every id that a story ever had. */
  readonly given: ReadonlySet<string>
  /** An id derived from a story's first article, for a story whose articles have all used theirs. */
  readonly spare: (article: string) => string
}

/** A story of the new version and one of the old version that share articles. */
interface Overlap {
  readonly before: string
  readonly after: string
  articles: number
  /** Whether the article that the old story is named after is among them. */
  founder: boolean
  /** The smallest of the shared article ids. */
  first: string
}

/**
 * The story of each article after the switch, by article, under the published ids. An old id goes to the new story with
 * the largest overlap, in descending order of overlap (ties: the overlap with the article that the id is named after,
 * then the smaller ids). Each id and each story is used once. A story without an old id keeps the new version's id if
 * it was never used. Otherwise it is named after its first article that has not founded a story. Depends only on the
 * two partitions.
 */
export function keptIds(placed: readonly ReplacedArticle[], naming: KeptIdOptions): ReadonlyMap<string, string> {
  const ids = inheritedIds(overlapsOf(placed, naming))
  const given = new Set(naming.given)
  for (const [after, articles] of withoutId(placed, ids)) {
    const id = newId(after, articles, { ...naming, given })
    given.add(id)
    ids.set(after, id)
  }
  return new Map(
    placed.map(({ article, before, after, pinned }) => [
      article,
      pinned || after === null ? before : (ids.get(after) ?? before),
    ]),
  )
}

function overlapsOf(placed: readonly ReplacedArticle[], { own }: Pick<KeptIdOptions, 'own'>): Overlap[] {
  const overlaps = new Map<string, Overlap>()
  for (const { article, before, after } of placed) {
    if (after === null) continue
    const key = `${before} ${after}`
    const overlap = overlaps.get(key) ?? { before, after, articles: 0, founder: false, first: article }
    overlaps.set(key, overlap)
    overlap.articles += 1
    overlap.founder ||= own(article) === before
    if (article < overlap.first) overlap.first = article
  }
  return [...overlaps.values()].sort(
    (a, b) =>
      b.articles - a.articles ||
      Number(b.founder) - Number(a.founder) ||
      compare(a.before, b.before) ||
      compare(a.first, b.first),
  )
}

/** Story of the new version to the old id it keeps. */
function inheritedIds(overlaps: readonly Overlap[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const { before, after } of overlaps) {
    if (taken.has(before) || ids.has(after)) continue
    taken.add(before)
    ids.set(after, before)
  }
  return ids
}

/** Stories of the new version without an id, largest first, with their articles in the given order. */
function withoutId(
  placed: readonly ReplacedArticle[],
  ids: ReadonlyMap<string, string>,
): (readonly [string, readonly string[]])[] {
  const stories = new Map<string, string[]>()
  for (const { article, after, pinned } of placed) {
    if (after === null || pinned || ids.has(after)) continue
    const articles = stories.get(after) ?? []
    stories.set(after, articles)
    articles.push(article)
  }
  return [...stories].sort(([a, m], [b, n]) => n.length - m.length || compare(a, b))
}

function newId(after: string, articles: readonly string[], { own, given, spare }: KeptIdOptions): string {
  const candidates = [after, ...articles.map(own), ...articles.map(spare)]
  const id = candidates.find((candidate) => !given.has(candidate))
  if (id === undefined) throw new Error(`no id is left for the story of ${articles[0] ?? 'nothing'}`)
  return id
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a !== b))

/** Articles that move from one story to another. */
export type ClusteredBlock = FollowableBlock<{
  readonly from: string
  readonly to: string
  readonly articles: readonly string[]
}>

/** The current and the new story of an article. */
export interface ClusteredBlocksMove {
  readonly article: string
  readonly from: string
  readonly to: string
}

/** The blocks to write so that every article is in its new story. Pass every article, including those that stay. */
export function blocksOf(articles: readonly ClusteredBlocksMove[]): readonly ClusteredBlock[] {
  const [before, after] = [new Set(articles.map(({ from }) => from)), new Set(articles.map(({ to }) => to))]
  const groups = new Map<string, { from: string; to: string; articles: string[] }>()
  for (const { article, from, to } of articles.filter((move) => move.from !== move.to)) {
    const block = groups.get(`${from} ${to}`) ?? { from, to, articles: [] }
    groups.set(`${from} ${to}`, block)
    block.articles.push(article)
  }
  return followable([...groups.values()], { isNew: (id) => !before.has(id), isEmptied: (id) => !after.has(id) })
}
