import type { DashboardStory } from '../words/story.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { Lifecycle } from './story-parts.tsx'

/** The list knows a story's state; the story by itself does not. */
export function StoryState({ story: { id, title, article_count } }: { readonly story: DashboardStory }) {
  const as_of = asOf()
  const topic = title.slice(0, 200)
  const reply = useAnswer({
    name: topic.trim() === '' ? '' : `state ${id} ${as_of ?? ''} ${article_count}`,
    ask: async (api, signal) => {
      const query = { topic, min_articles: 1, limit: 20, time_range: '30d' as const, ...(as_of && { as_of }) }
      const { stories } = bodyOf(await api.GET('/v1/stories', { params: { query }, signal }))
      return stories.find((one) => one.id === id) ?? null
    },
  })
  if (reply.kind !== 'known' || reply.value === null) return null
  return (
    <>
      <Lifecycle {...reply.value} />
      <span class="unseen">, because {reply.value.lifecycle_reason?.text}</span>
    </>
  )
}
