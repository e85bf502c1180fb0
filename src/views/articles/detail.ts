import { syndicationGroup } from '../../events/ids.ts'
import type { Store } from '../../ports/store.ts'
import { articleOrigin } from './origins.ts'
import { article } from './queries.ts'

export interface ArticleWanted {
  readonly namespace: string
  readonly article_id: string
  /** Milliseconds since 1970. */
  readonly as_of: number
  readonly include_embedding: boolean
}

type ArticleRow = Awaited<ReturnType<ReturnType<typeof article>>>[number]

export interface ArticleDetail extends ArticleRow {
  readonly syndication_group: string | null
  readonly is_duplicate_of: string | null
  readonly derived_from: string | null
}

/** An article as of a moment, and whose text it is; undefined where there is none. */
export async function articleDetail(store: Store, wanted: ArticleWanted): Promise<ArticleDetail | undefined> {
  const { namespace, article_id, as_of } = wanted
  const [[row], [origin]] = await Promise.all([
    article(store)(wanted),
    articleOrigin(store)({ namespace, article_id, as_of }),
  ])
  if (row === undefined) return undefined
  if (origin === undefined) return { ...row, ...byBody(namespace, row) }

  const { syndication_group, is_duplicate_of, derived_from } = origin
  return { ...row, syndication_group, is_duplicate_of, derived_from }
}

/** What was never clustered is a re-print where another article has the same body, and nothing else is known of it. */
const byBody = (namespace: string, { article_id, first_alike }: ArticleRow) => ({
  syndication_group: first_alike === null ? null : syndicationGroup(namespace, first_alike),
  is_duplicate_of: first_alike === article_id ? null : first_alike,
  derived_from: null,
})
