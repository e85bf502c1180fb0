import { now } from '../clock.ts'
import { Named } from '../parts/named-entities.tsx'
import { Shown } from '../parts/states.tsx'
import { Tone } from '../parts/story-parts.tsx'
import { useSpanOf } from '../parts/time-travel.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { turn } from '../state/live.ts'
import { asOf, link, place } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { ago, counted, daysOf } from '../words/format.ts'
import type { DashboardStory } from '../words/story.ts'

/** One subject page: the stories of its articles. */
export function SubjectPage() {
  const { id } = place.value
  const as_of = asOf()
  const reply = useAnswer({
    name: `subject ${id} ${as_of ?? ''}`,
    turn: turn.value,
    ask: async (api, signal) => {
      const params = { path: { cluster_id: id }, query: as_of === undefined ? {} : { as_of } }
      return bodyOf(await api.GET('/v1/clusters/{cluster_id}', { params, signal }))
    },
  })
  useTitle(reply.kind === 'known' ? reply.value.title : 'Subject')
  return (
    <Shown reply={reply} what="the subject">
      {(subject) => <Whole subject={subject} />}
    </Shown>
  )
}

function Whole({ subject }: { readonly subject: DashboardStory }) {
  useSpanOf(subject, 'this subject')
  const { title, created_at, updated_at, article_count, source_count, story_count = 0 } = subject
  return (
    <article class="story">
      <header class="story-head">
        <p class="quiet">
          <a href={link('subjects')}>Subjects</a> · {daysOf(created_at, updated_at)}
        </p>
        <h1>{title === '' ? 'Untitled' : title}</h1>
        <p class="facts">
          <span>{counted(story_count, 'story', 'stories')}</span>
          <span>{counted(article_count, 'article')}</span>
          <span>{counted(source_count, 'outlet')}</span>
        </p>
        <Tone shares={subject.sentiment_distribution} />
      </header>
      <div class="columns">
        <Stories subject={subject} />
        <aside aria-label="More about this subject">
          <Named story={subject} />
        </aside>
      </div>
    </article>
  )
}

function Stories({ subject: { stories = [], story_count = 0 } }: { readonly subject: DashboardStory }) {
  const end = Date.parse(asOf() ?? '') || now()
  return (
    <section>
      <h2>Its stories, the newest first</h2>
      <ol class="results">
        {stories.map(({ id, title, article_count, updated_at }) => (
          <li key={id}>
            <a href={link('stories', id)} data-item>
              <strong>{title === '' ? 'Untitled' : title}</strong>
              <span class="facts">
                <span>{counted(article_count, 'article')}</span>
                <span>last {ago(updated_at, end)}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
      {story_count > stories.length && (
        <p class="quiet">Those with the most articles of {counted(story_count, 'story', 'stories')}.</p>
      )}
    </section>
  )
}
