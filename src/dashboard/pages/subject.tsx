import { Shown } from '../parts/states.tsx'
import { Named, Tone } from '../parts/story-parts.tsx'
import { useSpanOf } from '../parts/time-travel.tsx'
import { useGet } from '../state/answer.ts'
import { turn } from '../state/live.ts'
import { asOf, link, address, shownAt, useTitle } from '../state/place.ts'
import { ago, counted, daysOf, titled } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

/** One subject and its stories. */
export function SubjectPage() {
  const query = { cluster_id: address.value.id, as_of: asOf() }
  const reply = useGet('/v1/clusters/{cluster_id}', query, { turn: turn.value })
  useTitle(reply.kind === 'known' ? reply.value.title : 'Subject')
  return (
    <Shown reply={reply} what="the subject">
      {(subject) => <Whole subject={subject} />}
    </Shown>
  )
}

function Whole({ subject }: { readonly subject: ApiSchemas['ClusterDetail'] }) {
  useSpanOf(subject, 'this subject')
  const { title, created_at, updated_at, article_count, source_count, story_count = 0 } = subject
  return (
    <article class="story">
      <header class="story-head">
        <p class="quiet">
          <a href={link('subjects')}>Subjects</a> · {daysOf(created_at, updated_at)}
        </p>
        <h1>{titled(title)}</h1>
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

function Stories({ subject: { stories = [], story_count = 0 } }: { readonly subject: ApiSchemas['ClusterDetail'] }) {
  return (
    <section>
      <h2>Stories, newest first</h2>
      <ol class="results">
        {stories.map(({ id, title, article_count, updated_at }) => (
          <li key={id}>
            <a href={link('stories', id)} data-item>
              <strong>{titled(title)}</strong>
              <span class="facts">
                <span>{counted(article_count, 'article')}</span>
                <span>updated {ago(updated_at, shownAt())}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
      {story_count > stories.length && <p class="quiet">The largest of {counted(story_count, 'story', 'stories')}.</p>}
    </section>
  )
}
