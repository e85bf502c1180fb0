import { subjectId } from '../../../events/ids.ts'
import type { SubjectListing } from '../../../events/ledger.ts'
import type { SubjectWeights } from '../../../language/clustering/model.ts'
import type { RememberedMember } from '../changelog.ts'
import { mostCarried } from './regroup.ts'
import { inOrder } from './unit.ts'

export interface SubjectsBefore {
  readonly namespace: string
  /** Story an article is in. */
  readonly storyOf: (member: RememberedMember) => string
  /** Subject page that lists an article; `null` when there is none. */
  readonly subjectOf: (member: RememberedMember) => string | null
}

interface Spare {
  readonly spare: (first: RememberedMember) => string
}

/**
 * A subject page for each group of articles; `null` when it has none. Largest group first (of equals the one whose first
 * article is the earliest), each keeps the page that lists most of its articles and that no larger group has. A group
 * that has none opens a page where it has enough articles of enough stories; a smaller one stays on a page that lists
 * most of it already. A new page is named after its first article that no page has listed yet; `spare` names it where
 * all were listed.
 */
export function subjectIds(
  groups: readonly (readonly RememberedMember[])[],
  { namespace, storyOf, subjectOf }: SubjectsBefore,
  limits: Omit<SubjectWeights, 'threshold'> & Spare,
): (string | null)[] {
  const taken = new Set<string>()
  const order = groups.map((articles, i) => ({ articles, i }))
  order.sort((a, b) => b.articles.length - a.articles.length || inOrder(a.articles[0], b.articles[0]))
  const ids = groups.map((): string | null => null)
  for (const { articles, i } of order) {
    const [known, listed] = mostCarried(articles.map(subjectOf), taken)
    const opens = articles.length >= limits.min_articles && new Set(articles.map(storyOf)).size >= limits.min_stories
    if (!opens && 2 * listed <= articles.length) continue
    const id = known ?? newId(articles, { namespace, subjectOf, spare: limits.spare })
    ids[i] = id
    taken.add(id)
  }
  return ids
}

function newId(
  articles: readonly RememberedMember[],
  { namespace, subjectOf, spare }: Pick<SubjectsBefore, 'namespace' | 'subjectOf'> & Spare,
): string {
  const first = articles.find((member) => subjectOf(member) === null)
  if (first !== undefined) return subjectId(namespace, first.articleId)
  const [any] = articles
  return any === undefined ? '' : spare(any)
}

/** Articles that come to a page or change it, by page. An article that is in no group now stays where it was listed. */
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

/** The page that lists most of a story's articles; `null` when none lists any. An article that joins the story is listed there. */
export const subjectOfStory = (members: readonly RememberedMember[]): string | null =>
  mostCarried(
    members.map(({ subjectId: listed }) => listed),
    new Set(),
  )[0]
