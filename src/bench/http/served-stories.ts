import type { BoundQuery, Store } from '../../ports/store.ts'

/** A page of this many is 8 to 10 kB, about what a client asks for. */
const STORIES = 9

/** A store that answers the two queries of the cluster list as ClickHouse would, and nothing else. */
export const servedStories: Store = {
  query: async <Out>({ name, parse }: BoundQuery<Out>) => {
    const rows = ROWS.get(name)
    if (rows === undefined) throw new Error(`the bench has no rows for ${name}`)
    return Promise.resolve(rows.map(parse))
  },
  insert: () => Promise.resolve(),
  command: () => Promise.resolve(),
  ping: () => Promise.resolve(true),
  close: () => Promise.resolve(),
}

const id = (prefix: string, of: number, length: number): string =>
  prefix + of.toString(32).replaceAll(/[01]/g, 'w').padStart(length, 'abcdefghijklmnopqrstuvwx')

const story = (n: number) => ({
  cluster_id: id('sto_', n, 26),
  headlines: Array.from({ length: 9 }, (_, i) => ({
    article_id: id('art_', n * 10 + i, 26),
    title: `Engineers find cracks in four of the twelve arches of harbour bridge number ${n}`,
    genre: 'report',
    similarity: 0.91 - i / 100,
  })),
  article_count: 9,
  source_count: 7,
  publisher_count: 6,
  texts: Array.from({ length: 9 }, (_, i) => [`o${i}`, '', 0.91 - i / 100]),
  is_settled: 1,
  created_at: '2016-05-03T08:12:00.000Z',
  updated_at: '2016-05-03T11:47:00.000Z',
  first_published: '2016-05-03T08:12:00.000Z',
  last_published: '2016-05-03T11:47:00.000Z',
  ...{ positive: 1, neutral: 5, negative: 3 },
  articles: Array.from({ length: 9 }, (_, i) => id('art_', n * 10 + i, 26)),
  entities: Array.from({ length: 5 }, (_, i) => ({
    id: id('ent_', n * 10 + i, 16),
    name: `Harbour Authority ${i}`,
    type: 'ORG',
    mention_count: 12,
    article_count: 6,
  })),
  geographic_spread: ['GB', 'NL'],
  categories: ['politics'],
})

const stories = Array.from({ length: STORIES }, (_, n) => story(n))
const ROWS: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  [
    'clusters.page',
    stories.map(({ cluster_id }, n) => ({ cluster_id, rank: 1 / (n + 1), second_rank: 0, total: 240 })),
  ],
  ['clusters.items', stories],
])
