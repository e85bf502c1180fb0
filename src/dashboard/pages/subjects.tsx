import type { components } from '../../../sdk/src/index.ts'
import { now } from '../clock.ts'
import { Choice, Words } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { useTitle } from '../parts/title.ts'
import { turn } from '../state/live.ts'
import { usePages } from '../state/pages.ts'
import { asOf, link, parameter } from '../state/place.ts'
import { bodyOf, type DashboardAsk } from '../state/service.ts'
import { ago, counted, daysOf } from '../words/format.ts'

type Subjects = components['schemas']['Clusters']
type PageSubject = components['schemas']['Cluster']

/** The pages are made of whole days. */
const WINDOWS = [
  ['7d', '7 days'],
  ['24h', '24 hours'],
  ['30d', '30 days'],
] as const
const SORTS = [
  ['coverage', 'Most covered'],
  ['recency', 'Newest'],
  ['relevance', 'Most relevant'],
] as const

/** Articles that share what they are about, but not the event. */
export function SubjectsPage() {
  useTitle('Subjects')
  const name = `subjects ${['topic', 'window', 'sort'].map((one) => parameter(one)).join(' ')}`
  const { first, more, next } = usePages<Subjects>({ name, turn: turn.value, ask: subjectsAt })
  return (
    <>
      <h1>Subjects</h1>
      <p class="quiet">
        Large matters with many stories: their articles share what they are about, but not the event. Each article
        belongs to a story as well.
      </p>
      <div class="filters">
        <Words name="topic" label="About" placeholder="Words of a headline, or a name" />
        <Choice name="window" label="News within" choices={WINDOWS} />
        <Choice name="sort" label="Order" choices={SORTS} />
      </div>
      <Shown reply={first} what="subjects">
        {({ clusters, total }) =>
          clusters.length === 0 ? (
            <Empty title="No subject in this time">
              <p>
                A subject page opens once five articles of three stories share what they are about, at the end of a day.
              </p>
            </Empty>
          ) : (
            <>
              <p class="quiet tally">{counted(total, 'subject')}</p>
              <ol class="results">
                {[...clusters, ...more.flatMap((page) => page.clusters)].map((subject) => (
                  <Row key={subject.id} subject={subject} />
                ))}
              </ol>
              {next !== null && (
                <button type="button" class="more" onClick={next}>
                  More subjects
                </button>
              )}
            </>
          )
        }
      </Shown>
    </>
  )
}

const subjectsAt = (cursor: string | undefined): DashboardAsk<Subjects> => {
  const [topic, as_of] = [parameter('topic'), asOf()]
  const query = {
    ...({ kind: 'subject', limit: 20 } as const),
    time_range: parameter('window', '7d') as '7d',
    sort: parameter('sort', 'coverage') as 'coverage',
    ...(topic === '' ? {} : { topic }),
    ...(as_of === undefined ? {} : { as_of }),
    ...(cursor === undefined ? {} : { cursor }),
  }
  return async (api, signal) => bodyOf(await api.GET('/v1/clusters', { params: { query }, signal }))
}

function Row({ subject }: { readonly subject: PageSubject }) {
  const end = Date.parse(asOf() ?? '') || now()
  return (
    <li>
      <a href={link('subjects', subject.id)} data-item>
        <strong>{subject.title === '' ? 'Untitled' : subject.title}</strong>
        <span class="facts">
          <span>{counted(subject.story_count ?? 0, 'story', 'stories')}</span>
          <span>{counted(subject.article_count, 'article')}</span>
          <span>{daysOf(subject.created_at, subject.updated_at)}</span>
          <span>last {ago(subject.updated_at, end)}</span>
        </span>
      </a>
    </li>
  )
}
