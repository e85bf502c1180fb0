import type { DashboardStory } from '../words/story.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { parameter } from '../state/place.ts'
import { accounts, type StoryAccount, type AccountsMember } from '../words/accounts.ts'
import { stays } from '../words/certainty.ts'
import { counted, dayOf } from '../words/format.ts'
import { Outlet } from './summary.tsx'
import { WhyHere } from './why-here.tsx'

/** So many are shown at first, and explained without being asked. */
const FIRST = 8
const EXPLAINED = 4
/** So many of those that repeat an account. */
const FOLDED = 3

/** The members by independent account. */
export function Members({ story }: { readonly story: DashboardStory }) {
  const [shown, show] = useState(FIRST)
  const sought = parameter('article')
  const all = inOrder(accounts(story.members), sought)
  return (
    <section>
      <h2>Who tells it independently, and why each article is here</h2>
      <p class="quiet">
        Each box is an independent account; indented in it, what repeats it or is of the same house. A score weighs how
        alike an article is to a story: in the green it belongs there.
      </p>
      {sought !== '' && story.members.every((member) => member.article_id !== sought) && (
        <p class="notice">The article that you looked for is not in this story at this moment.</p>
      )}
      <ol class="accounts">
        {all.slice(0, shown).map((account, i) => (
          <AccountCard key={account.origin} account={account} story={story.id} isExplained={i < EXPLAINED} />
        ))}
      </ol>
      {all.length > shown && (
        <button type="button" class="more" onClick={() => show(all.length)}>
          All {all.length} accounts
        </button>
      )}
    </section>
  )
}

/** What is looked for first, then what is repeated most; else as they came. */
function inOrder(all: readonly StoryAccount[], sought: string): readonly StoryAccount[] {
  const rank = ({ author, repeats }: StoryAccount): number =>
    [author, ...repeats.map(({ member }) => member)].some(({ article_id }) => article_id === sought)
      ? Infinity
      : repeats.length
  return all.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
}

interface AccountProperties {
  readonly account: StoryAccount
  readonly story: string
  readonly isExplained: boolean
}

const AccountCard = ({ account, story, isExplained }: AccountProperties) => (
  <li class="account">
    <Article member={account.author} story={story} isExplained={isExplained} mark={INDEPENDENT} />
    {account.repeats.length > 0 && <Repeats account={account} story={story} />}
  </li>
)

/** A house may have dozens: some stand there, the others when asked for, or when one of them is looked for. */
function Repeats({ account: { author, repeats }, story }: Omit<AccountProperties, 'isExplained'>) {
  const [isUnfolded, unfold] = useState(false)
  const sought = parameter('article')
  const isShort = repeats.length <= FOLDED + 1
  const isWhole = isShort || isUnfolded || repeats.some(({ member }) => member.article_id === sought)
  return (
    <>
      <ul class="repeats" aria-label={`Counted with ${author.source ?? 'it'}`}>
        {(isWhole ? repeats : repeats.slice(0, FOLDED)).map(({ member, because }) => (
          <li key={member.article_id}>
            <Article member={member} story={story} isExplained={false} mark={because} />
          </li>
        ))}
      </ul>
      {!isWhole && (
        <button type="button" class="more" onClick={() => unfold(true)}>
          {repeats.length - FOLDED} more that are not independent
        </button>
      )}
    </>
  )
}

const INDEPENDENT = 'independent account'

interface ArticleProperties {
  readonly member: AccountsMember
  readonly story: string
  readonly isExplained: boolean
  readonly mark: string
}

function Article({ member, story, isExplained, mark }: ArticleProperties) {
  const isSought = member.article_id === parameter('article')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isSought) return
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'center' })
  }, [isSought])
  return (
    <div class={isSought ? 'member sought' : 'member'} data-item tabIndex={-1} ref={place}>
      <p class="facts">
        <Outlet name={member.source ?? 'unknown outlet'} url={member.url} />
        <span class={mark === INDEPENDENT ? 'mark own' : 'mark'}>{mark}</span>
        {member.published_date !== null && <span>{dayOf(member.published_date)}</span>}
        <Stays confidence={member.assignment_confidence} />
        {isSought && <span class="state">the article you chose</span>}
      </p>
      <p class="title">{member.title ?? 'Untitled'}</p>
      <WhyHere key={`${isSought}`} story={story} article={member.article_id} isExplained={isExplained || isSought} />
    </div>
  )
}

/** How sure it is that the article stays in the story. */
function Stays({ confidence }: { readonly confidence: AccountsMember['assignment_confidence'] }) {
  if (typeof confidence !== 'number') return null
  return (
    <span title="The chance that it is still in this story after the daily look at all articles of its days together">
      {stays(confidence)}
    </span>
  )
}

/** So many outlets are named; the others are in the boxes below. */
const NAMED = 14

/** Which outlets speak for themselves, and which only repeat another: said before anything else. */
export function Tellers({ story: { members } }: { readonly story: DashboardStory }) {
  const all = accounts(members)
  // an outlet that repeats its own account is independent all the same
  const repeats = all.flatMap(({ author, repeats }) =>
    repeats.filter(({ member }) => nameOf(member) !== nameOf(author)),
  )
  return (
    <dl class="tellers">
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
    {[...new Set(names)].slice(0, NAMED).map((name) => (
      <span key={name} class={isOwn ? 'teller own' : 'teller'}>
        {name}
      </span>
    ))}
    {new Set(names).size > NAMED && <span class="quiet">and {counted(new Set(names).size - NAMED, 'other')}</span>}
  </dd>
)
