/** Articles that go from one story to another. */
export interface ClusteredBlock {
  readonly from: string
  readonly to: string
  /** `split`: they open a story; `merged`: they are the last of theirs; else `moved`. */
  readonly action: 'split' | 'moved' | 'merged'
  readonly articles: readonly string[]
}

/** Where an article is, and where it is to be. */
export interface ClusteredBlocksMove {
  readonly article: string
  readonly from: string
  readonly to: string
}

/**
 * What has to be written so that every article is where it is to be, in the order in which a reader can follow it: first
 * stories split off (a new one opens with its largest block), then articles move, then what is left of a story goes into
 * another one as a whole. For every article, those that stay included.
 */
export function blocksOf(articles: readonly ClusteredBlocksMove[]): readonly ClusteredBlock[] {
  const [before, after] = [new Set(articles.map(({ from }) => from)), new Set(articles.map(({ to }) => to))]
  const groups = new Map<string, { from: string; to: string; articles: string[] }>()
  for (const { article, from, to } of articles.filter((move) => move.from !== move.to)) {
    const block = groups.get(`${from} ${to}`) ?? { from, to, articles: [] }
    groups.set(`${from} ${to}`, block)
    block.articles.push(article)
  }
  const blocks = [...groups.values()].sort(
    (a, b) => b.articles.length - a.articles.length || compare(a.to, b.to) || compare(a.from, b.from),
  )
  const opened = new Set<string>()
  const emptied = new Set<string>()
  const rewritten = blocks.map((block): ClusteredBlock => {
    if (!before.has(block.to) && !opened.has(block.to)) {
      opened.add(block.to)
      return { ...block, action: 'split' }
    }
    const isLast = !after.has(block.from) && !emptied.has(block.from)
    if (isLast) emptied.add(block.from)
    return { ...block, action: isLast ? 'merged' : 'moved' }
  })
  const rank = { split: 0, moved: 1, merged: 2 }
  return rewritten.sort((a, b) => rank[a.action] - rank[b.action])
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a !== b))
