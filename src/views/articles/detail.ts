import { syndicationGroup } from '../../events/ids.ts'
import type { Store } from '../../ports/store.ts'
import { subjectOf } from '../clusters/subjects.ts'
import { articleOrigin, article } from './queries.ts'
import type { AsOf, RowOf } from '../query.ts'

interface ArticleQuery extends AsOf {
  readonly article_id: string
  readonly include_embedding: boolean
}

export type ArticleDetail = NonNullable<Awaited<ReturnType<typeof articleDetail>>>

/**
 * An article as of a point in time, with its origin and the subject page that lists it; `undefined` if there is none.
 */
export async function articleDetail(store: Store, params: ArticleQuery) {
  const { namespace, article_id, as_of } = params
  const [[row], [origin], subject_id] = await Promise.all([
    article(store)(params),
    articleOrigin(store)({ namespace, article_id, as_of }),
    subjectOf(store, { namespace, articles: [article_id], as_of }),
  ])
  if (row === undefined) return undefined
  if (origin?.content_hash !== row.content_hash) return { ...row, ...(await byBody(store, params, row)), subject_id }

  const { syndication_group, is_duplicate_of, derived_from } = origin
  return { ...row, syndication_group, is_duplicate_of, derived_from, subject_id }
}

/**
 * A revision that is not clustered (yet) counts as a reprint if another article has the same body, and gets the origin
 * of that article. `derived_from` is unknown.
 */
async function byBody(store: Store, { namespace, as_of }: ArticleQuery, own: RowOf<typeof article>) {
  const { article_id, first_alike, first_alike_clustered } = own
  if (first_alike === null) return { syndication_group: null, is_duplicate_of: null, derived_from: null }

  const [origin] = first_alike_clustered
    ? await articleOrigin(store)({ namespace, article_id: first_alike, as_of })
    : []
  const original = origin?.is_duplicate_of ?? first_alike
  return {
    syndication_group: origin === undefined ? syndicationGroup(namespace, first_alike) : origin.syndication_group,
    is_duplicate_of: original === article_id ? null : original,
    derived_from: null,
  }
}
