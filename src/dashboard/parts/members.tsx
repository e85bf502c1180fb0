import { useEffect, useRef, useState } from 'preact/hooks'
import { parameter } from '../state/place.ts'
import { independentSources, type IndependentSource, type AccountsMember } from '../words/accounts.ts'
import { counted, dayOf, languageName, stays } from '../words/format.ts'
import { Outlet } from './story-parts.tsx'
import { WhyHere } from './why-here.tsx'
import type { ApiSchemas } from '../words/schemas.ts'

/** Sources shown at first, and those of them with an open explanation. */
const FIRST = 8
const EXPLAINED = 4
/** Articles per source that are shown at first, besides the independent one. */
const SHOWN_FIRST = 3

/** The members grouped by independent source. */
export function Members({ story }: { readonly story: ApiSchemas['ClusterDetail'] }) {
  const [shown, show] = useState(FIRST)
  const selected = parameter('article')
  const all = sortSources(independentSources(story.members), selected)
  return (
    <section>
      <h2>Independent sources and why each article is included</h2>
      <p class="quiet">
        Each box is an independent source, followed by its reprints, translations, derived texts and articles of the
        same publisher. The score measures how well an article fits a story.
      </p>
      {selected !== '' && story.members.every((member) => member.article_id !== selected) && (
        <p class="notice">The selected article is not in this story at this point in time.</p>
      )}
      <ol class="accounts">
        {all.slice(0, shown).map((account, i) => (
          <AccountCard key={account.origin} account={account} story={story.id} isExplained={i < EXPLAINED} />
        ))}
      </ol>
      {all.length > shown && (
        <button type="button" class="more" onClick={() => show(all.length)}>
          All {all.length} independent sources
        </button>
      )}
    </section>
  )
}

/** The source with the selected article first, then by number of dependent articles, then by time. */
function sortSources(all: readonly IndependentSource[], selected: string): readonly IndependentSource[] {
  const rank = ({ author, repeats }: IndependentSource): number =>
    [author, ...repeats.map(({ member }) => member)].some(({ article_id }) => article_id === selected)
      ? Infinity
      : repeats.length
  return all.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
}

interface AccountProperties {
  readonly account: IndependentSource
  readonly story: string
  readonly isExplained: boolean
}

const AccountCard = ({ account, story, isExplained }: AccountProperties) => (
  <li class="account">
    <Article member={account.author} story={story} isExplained={isExplained} mark={INDEPENDENT} />
    {account.repeats.length > 0 && <Repeats account={account} story={story} />}
  </li>
)

/** Shows a few of possibly dozens of articles, and all on request or if one of them is selected. */
function Repeats({ account: { author, repeats }, story }: Omit<AccountProperties, 'isExplained'>) {
  const [isExpanded, expand] = useState(false)
  const selected = parameter('article')
  const isShort = repeats.length <= SHOWN_FIRST + 1
  const isWhole = isShort || isExpanded || repeats.some(({ member }) => member.article_id === selected)
  return (
    <>
      <ul class="repeats" aria-label={`Counted with ${author.source ?? 'this source'}`}>
        {(isWhole ? repeats : repeats.slice(0, SHOWN_FIRST)).map(({ member, because, evidence }) => (
          <li key={member.article_id}>
            <Article member={member} story={story} isExplained={false} mark={because} evidence={evidence} />
          </li>
        ))}
      </ul>
      {!isWhole && (
        <button type="button" class="more" onClick={() => expand(true)}>
          {repeats.length - SHOWN_FIRST} more dependent articles
        </button>
      )}
    </>
  )
}

const INDEPENDENT = 'independent source'

interface ArticleProperties {
  readonly member: AccountsMember
  readonly story: string
  readonly isExplained: boolean
  readonly mark: string
  readonly evidence?: string
}

function Article({ member, story, isExplained, mark, evidence = '' }: ArticleProperties) {
  const isTarget = member.article_id === parameter('article')
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isTarget) return
    element.current?.focus({ preventScroll: true })
    element.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  return (
    <div class={isTarget ? 'member sought' : 'member'} data-item tabIndex={-1} ref={element}>
      <Facts member={member} mark={mark} isTarget={isTarget} />
      <p class="title">{member.title ?? 'Untitled'}</p>
      {evidence !== '' && <p class="quiet">Both are one text in two languages: {evidence}.</p>}
      <WhyHere key={`${isTarget}`} story={story} article={member.article_id} isExplained={isExplained || isTarget} />
    </div>
  )
}

interface FactsProperties extends Pick<ArticleProperties, 'member' | 'mark'> {
  readonly isTarget: boolean
}

const Facts = ({ member, mark, isTarget }: FactsProperties) => (
  <p class="facts">
    <Outlet name={member.source ?? 'unknown outlet'} url={member.url} />
    <span class={mark === INDEPENDENT ? 'mark own' : 'mark'}>{mark}</span>
    {member.published_date !== null && <span>{dayOf(member.published_date)}</span>}
    <Language code={member.language} />
    <Stays confidence={member.assignment_confidence} />
    {isTarget && <span class="state">selected article</span>}
  </p>
)

/** The language of an article that is not in English. */
const Language = ({ code }: { readonly code: string }) =>
  code === 'en' || code === 'und' ? null : <span>{languageName(code)}</span>

/** The likelihood that the article stays in the story. */
function Stays({ confidence }: { readonly confidence: AccountsMember['assignment_confidence'] }) {
  if (typeof confidence !== 'number') return null
  return (
    <span title="The probability that it is still in this story after the daily evaluation">{stays(confidence)}</span>
  )
}

/** The number of outlets listed; the sources below contain the others. */
const MAX_OUTLETS = 14

/** The outlets that are independent, and those that are not. */
export function Sources({ story: { members } }: { readonly story: ApiSchemas['ClusterDetail'] }) {
  const all = independentSources(members)
  // an outlet that reprints its own article is still independent
  const repeats = all.flatMap(({ author, repeats }) =>
    repeats.filter(({ member }) => nameOf(member) !== nameOf(author)),
  )
  return (
    <dl class="sources">
      <div>
        <dt>Independent</dt>
        <Outlets names={all.map(({ author }) => nameOf(author))} isOwn />
      </div>
      {repeats.length > 0 && (
        <div>
          <dt>Not independent</dt>
          <Outlets names={repeats.map(({ member, because }) => `${nameOf(member)} ${because}`)} />
        </div>
      )}
    </dl>
  )
}

const nameOf = ({ source }: AccountsMember): string => source ?? 'unknown outlet'

interface OutletsProperties {
  readonly names: readonly string[]
  readonly isOwn?: boolean
}

const Outlets = ({ names, isOwn = false }: OutletsProperties) => (
  <dd>
    {[...new Set(names)].slice(0, MAX_OUTLETS).map((name) => (
      <span key={name} class={isOwn ? 'source own' : 'source'}>
        {name}
      </span>
    ))}
    {new Set(names).size > MAX_OUTLETS && (
      <span class="quiet">and {counted(new Set(names).size - MAX_OUTLETS, 'other')}</span>
    )}
  </dd>
)
