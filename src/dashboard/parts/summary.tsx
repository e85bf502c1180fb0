import type { DashboardStory } from '../words/story.ts'
import { hostOf, safeAddress } from '../words/format.ts'

/** Sentences of the articles, word for word, each with the article it stands in. */
export function Summary({ story: { summary, members } }: { readonly story: DashboardStory }) {
  if (summary.length === 0) return null
  const byId = new Map(members.map((member) => [member.article_id, member]))
  return (
    <section>
      <h2>In their own words</h2>
      <ul class="summary">
        {summary.map(({ sentence, article_id, sentence_index, dates = [] }) => {
          const member = byId.get(article_id)
          const outlet = member?.source ?? (member?.url ? hostOf(member.url) : 'an article')
          return (
            <li key={`${article_id} ${sentence_index}`}>
              <q>{sentence}</q> <Days dates={dates} />
              <Outlet name={outlet} url={member?.url ?? null} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Which days the sentence means: "Tuesday: 2018-10-02". */
function Days({ dates }: { readonly dates: NonNullable<DashboardStory['summary'][number]['dates']> }) {
  if (dates.length === 0) return null
  return <small>({dates.map(({ text, start }) => `${text}: ${start}`).join(', ')}) </small>
}

/** An outlet with its article, where that has an address. */
export function Outlet({ name, url }: { readonly name: string; readonly url: string | null }) {
  const address = safeAddress(url)
  if (address === undefined) return <span class="outlet">{name}</span>
  return (
    <a class="outlet" href={address} target="_blank" rel="noopener noreferrer">
      {name}
      <span aria-hidden="true"> ↗</span>
      <span class="unseen"> (opens the article)</span>
    </a>
  )
}
