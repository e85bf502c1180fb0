import type { DashboardStory } from '../words/story.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf, link } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { counted, momentOf } from '../words/format.ts'
import { movedArticles, type HistoryEvent } from '../words/moved-articles.ts'

const WORDS: Readonly<Record<string, (happened: HistoryEvent) => string>> = {
  opened: () => 'The story opened',
  merged: ({ direction, articles }) =>
    direction === 'out' ? 'It went into another story' : `Another story came in, with ${counted(articles, 'article')}`,
  split: ({ direction, articles }) =>
    direction === 'out' ? `${counted(articles, 'article')} split off` : `It split off another story`,
  moved: (happened) =>
    `${movedArticles(happened)} ${happened.direction === 'out' ? 'moved to another story' : 'moved here'}`,
  corrected: (happened) =>
    `A curator moved ${movedArticles(happened)} ${happened.direction === 'out' ? 'away' : 'here'}`,
}

/** What happened to the story beside its growing, and what curators asked for. */
export function Ledger({ story }: { readonly story: DashboardStory }) {
  const corrections = useCorrections(story.id)
  return (
    <section>
      <h2>What happened to it</h2>
      <ol class="ledger">
        {story.history.map((one) => (
          <li key={`${one.at} ${one.type} ${one.other_cluster_id ?? ''}`}>
            <time dateTime={one.at}>{momentOf(one.at)}</time> {WORDS[one.type]?.(one) ?? one.type}
            {one.other_cluster_id !== null && <a href={link('stories', one.other_cluster_id)}> that story</a>}
          </li>
        ))}
        {corrections.map(({ correction_id, action, requested_at, status, reason }) => (
          <li key={correction_id}>
            <time dateTime={requested_at}>{momentOf(requested_at)}</time> A curator asked: {action.replace('_', ' ')} (
            {status}){reason !== null && `: ${reason}`}
          </li>
        ))}
      </ol>
    </section>
  )
}

function useCorrections(cluster_id: string) {
  const as_of = asOf()
  const reply = useAnswer({
    name: `corrections ${cluster_id} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const params = { path: { cluster_id }, query: as_of === undefined ? {} : { as_of } }
      return bodyOf(await api.GET('/v1/clusters/{cluster_id}/corrections', { params, signal }))
    },
  })
  return reply.kind === 'known' ? reply.value.corrections : []
}
