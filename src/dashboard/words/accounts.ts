import type { components } from '../../../sdk/src/index.ts'

export type AccountsMember = components['schemas']['ClusterMember']

/** One independent source: its original article and the articles that count with it. */
export interface IndependentSource {
  readonly origin: string
  /** The original article. */
  readonly author: AccountsMember
  readonly repeats: readonly Repeat[]
}

export interface Repeat {
  readonly member: AccountsMember
  /** Why it does not count as independent, as a predicate: `reprints nytimes.com`. */
  readonly because: string
  /** What shows it; empty if `because` says all. */
  readonly evidence: string
}

/** The members of a story by independent source, oldest first. Their number is the story's `origin_count`. */
export function independentSources(members: readonly AccountsMember[]): readonly IndependentSource[] {
  const groups = new Map<string, AccountsMember[]>()
  for (const member of members) groups.set(member.origin, [...(groups.get(member.origin) ?? []), member])
  const byId = new Map(members.map((member) => [member.article_id, member]))
  return [...groups].map(([origin, group]) => {
    const author = authorOf(group)
    const repeats = group
      .filter((member) => member !== author)
      .map((member) => ({ member, ...reasonOf(member, author, byId) }))
    return { origin, author, repeats }
  })
}

/** The first article that is neither a reprint nor derived. */
function authorOf(group: readonly AccountsMember[]): AccountsMember {
  const [first] = group
  const author = group.find(({ is_duplicate_of, derived_from }) => is_duplicate_of === null && derived_from === null)
  const found = author ?? first
  if (found === undefined) throw new Error('a source without an article')
  return found
}

/** Why an article counts with this source. A text that it shares with another source is no reason. */
function reasonOf(
  member: AccountsMember,
  author: AccountsMember,
  byId: ReadonlyMap<string, AccountsMember>,
): Pick<Repeat, 'because' | 'evidence'> {
  const { is_duplicate_of, derived_from, translation, publisher_family } = member
  const isHere = (id: string): boolean => (byId.get(id) ?? author).origin === author.origin
  const nameById = (id: string): string => nameOf(byId.get(id), member)
  if (is_duplicate_of !== null && isHere(is_duplicate_of)) return obvious(`reprints ${nameById(is_duplicate_of)}`)
  if (derived_from !== null && isHere(derived_from)) {
    const source = nameById(derived_from)
    return translation == null
      ? obvious(`is derived from ${source}`)
      : { because: `translates ${source}`, evidence: evidenceOf(translation) }
  }
  if (publisher_family !== null && publisher_family === author.publisher_family) {
    return obvious(`has the same publisher as ${nameOf(author, member)}, ${publisher_family}`)
  }
  return obvious(`has the same text as ${nameOf(author, member)}`)
}

const obvious = (because: string): Pick<Repeat, 'because' | 'evidence'> => ({ because, evidence: '' })

/** The form that two texts share. Fewer than half of the numerals show nothing. */
function evidenceOf({ sentences, shared_numerals, numerals }: NonNullable<AccountsMember['translation']>): string {
  const numeralsToo = 2 * shared_numerals <= numerals ? '' : ` and ${shared_numerals} of ${numerals} numerals`
  return `${sentences} sentences of about the same lengths${numeralsToo} in the same order`
}

/** The name of an article in the description of another one. */
function nameOf(article: AccountsMember | undefined, from: AccountsMember): string {
  const source = article?.source ?? null
  if (source === null) return 'an earlier article'
  return source === from.source ? 'its own article' : source
}
