import type { Story } from '../words/story.ts'
import { useState } from 'preact/hooks'
import { accounts, type Account, type Member } from '../words/accounts.ts'
import { counted, dayOf } from '../words/format.ts'
import { Outlet } from './summary.tsx'
import { WhyHere } from './why-here.tsx'

/** So many are shown at first, and explained without being asked. */
const FIRST = 8
const EXPLAINED = 4

/** The members by independent account. */
export function Members({ story }: { readonly story: Story }) {
  const [shown, show] = useState(FIRST)
  // what is repeated most first; else as they came
  const all = accounts(story.members).toSorted((a, b) => b.repeats.length - a.repeats.length)
  return (
    <section>
      <h2>Who tells it independently, and why each article is here</h2>
      <p class="quiet">
        {counted(all.length, 'independent account')}. Indented below an account: those that only repeat it.
      </p>
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

interface AccountProperties {
  readonly account: Account
  readonly story: string
  readonly isExplained: boolean
}

const AccountCard = ({ account: { author, repeats }, story, isExplained }: AccountProperties) => (
  <li class="account">
    <Article member={author} story={story} isExplained={isExplained} mark="independent" />
    {repeats.length > 0 && (
      <ul class="repeats">
        {repeats.map(({ member, because }) => (
          <li key={member.article_id}>
            <Article member={member} story={story} isExplained={false} mark={because} />
          </li>
        ))}
      </ul>
    )}
  </li>
)

interface ArticleProperties {
  readonly member: Member
  readonly story: string
  readonly isExplained: boolean
  readonly mark: string
}

const Article = ({ member, story, isExplained, mark }: ArticleProperties) => (
  <div class="member" data-item tabIndex={-1}>
    <p class="facts">
      <Outlet name={member.source ?? 'unknown outlet'} url={member.url} />
      <span class={mark === 'independent' ? 'mark own' : 'mark'}>{mark}</span>
      {member.published_date !== null && <span>{dayOf(member.published_date)}</span>}
    </p>
    <p class="title">{member.title ?? 'Untitled'}</p>
    <WhyHere story={story} article={member.article_id} isAsked={isExplained} />
  </div>
)
