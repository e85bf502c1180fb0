import { Download } from '../parts/download.tsx'
import { EmptyList } from '../parts/empty-list.tsx'
import { Choice, SearchField } from '../parts/fields.tsx'
import { More, Shown } from '../parts/states.tsx'
import { turn } from '../state/live.ts'
import { usePages } from '../state/answer.ts'
import { asOf, link, parameter, shownAt, useTitle } from '../state/place.ts'
import { ago, counted, daysOf, titled } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

/** Subjects are evaluated in whole days. */
const WINDOWS = [
  ['7d', '7 days'],
  ['24h', '24 hours'],
  ['30d', '30 days'],
] as const
const SORTS = [
  ['coverage', 'Most coverage'],
  ['recency', 'Newest'],
  ['relevance', 'Most relevant'],
] as const

/** Subjects: articles on the same topic but not the same event. */
export function SubjectsPage() {
  useTitle('Subjects')
  const query = {
    kind: 'subject',
    limit: 20,
    time_range: parameter('window', '7d'),
    sort: parameter('sort', 'coverage'),
    topic: parameter('topic'),
    as_of: asOf(),
  }
  const { first, more, next } = usePages('/v1/clusters', query, turn.value)
  return (
    <>
      <h1>Subjects</h1>
      <p class="quiet">Broad topics with many stories. Each article also belongs to a story.</p>
      <div class="filters">
        <SearchField name="topic" label="Topic" placeholder="Words in a headline, or a name" />
        <Choice name="window" label="Updated in the last" choices={WINDOWS} />
        <Choice name="sort" label="Sort by" choices={SORTS} />
      </div>
      <Shown reply={first} what="subjects">
        {({ clusters, total }) =>
          clusters.length === 0 ? (
            <EmptyList title="No subjects match these filters">
              <p>
                A subject is created at the end of a day from at least five articles of three stories on the same topic.
              </p>
            </EmptyList>
          ) : (
            <>
              <p class="quiet tally">
                {counted(total, 'subject')}
                <Download path="/v1/clusters" query={query} list="clusters" name="subjects" />
              </p>
              <ol class="results">
                {[...clusters, ...more.flatMap((page) => page.clusters)].map((subject) => (
                  <Row key={subject.id} subject={subject} />
                ))}
              </ol>
              <More what="subjects" next={next} />
            </>
          )
        }
      </Shown>
    </>
  )
}

function Row({ subject }: { readonly subject: ApiSchemas['Cluster'] }) {
  return (
    <li>
      <a href={link('subjects', subject.id)} data-item>
        <strong>{titled(subject.title)}</strong>
        <span class="facts">
          <span>{counted(subject.story_count ?? 0, 'story', 'stories')}</span>
          <span>{counted(subject.article_count, 'article')}</span>
          <span>{daysOf(subject.created_at, subject.updated_at)}</span>
          <span>updated {ago(subject.updated_at, shownAt())}</span>
        </span>
      </a>
    </li>
  )
}
