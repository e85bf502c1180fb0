import type { components } from '../../../sdk/src/index.ts'
import { now } from '../clock.ts'
import { Choice, WINDOWS, Words } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Feelings, Independence, Life, Lifecycle, Settled } from '../parts/story-parts.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { news, turn } from '../state/live.ts'
import type { StoryNews } from '../state/news.ts'
import { usePages } from '../state/pages.ts'
import { asOf, choose, link, parameter } from '../state/place.ts'
import { bodyOf, type DashboardAsk } from '../state/service.ts'
import { ago, count, counted, dayOf, decimal, lasted } from '../words/format.ts'

type PageStories = components['schemas']['Stories']
type StoryRow = components['schemas']['Story']

const STATES = [
  ['', 'Any state'],
  ['breaking', 'Breaking'],
  ['developing', 'Developing'],
  ['mature', 'Mature'],
  ['concluded', 'Concluded'],
  ['contested', 'Contested'],
] as const
const SORTS = [
  ['relevance', 'Most relevant'],
  ['recency', 'Newest'],
  ['coverage', 'Most told'],
] as const
const SIZES = [
  ['2', '2 articles'],
  ['1', '1 article'],
  ['5', '5 articles'],
  ['10', '10 articles'],
] as const
const CERTAINTIES = [
  ['', 'All stories'],
  ['0.9', 'At least 90 % sure'],
  ['settled', 'Settled'],
] as const

const HOURS: Readonly<Record<string, number>> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720 }
const HOUR_MS = 3_600_000

/** Stories as they come. */
export function StoriesPage() {
  useTitle('Stories')
  const { first, more, next } = usePages<PageStories>({ name: nameOf(), turn: turn.value, ask: storiesAt })
  return (
    <>
      <h1>Stories</h1>
      <p class="quiet">
        What happened, and who tells it. The gold bar is the share of a story's articles that are independent accounts;
        the others repeat them.
      </p>
      <div class="filters">
        <Words name="topic" label="About" placeholder="Words of the title, or a name" />
        <Choice name="state" label="State" choices={STATES} />
        <Choice name="window" label="News within" choices={WINDOWS} />
        <Choice name="size" label="At least" choices={SIZES} />
        <Choice name="sure" label="Their articles stay" choices={CERTAINTIES} />
        <Choice name="sort" label="Order" choices={SORTS} />
      </div>
      <Shown reply={first} what="stories">
        {({ stories, total }) =>
          stories.length === 0 ? (
            <NoStories />
          ) : (
            <>
              <div class="tally">
                <span class="quiet">{counted(total, 'story', 'stories')}</span>
                <Axis />
              </div>
              <ol class="stories">
                {[...stories, ...more.flatMap((page) => page.stories)].filter(once()).map((story) => (
                  <Row key={story.id} story={story} />
                ))}
              </ol>
              {next !== null && (
                <button type="button" class="more" onClick={next}>
                  More stories
                </button>
              )}
            </>
          )
        }
      </Shown>
    </>
  )
}

const FILTERS = ['topic', 'state', 'window', 'size', 'sure', 'sort'] as const

const nameOf = (): string => `stories ${FILTERS.map((name) => parameter(name)).join(' ')}`

const storiesAt = (cursor: string | undefined): DashboardAsk<PageStories> => {
  const [topic, lifecycle_state, as_of] = [parameter('topic'), parameter('state'), asOf()]
  const query = {
    limit: 20,
    ...(topic === '' ? {} : { topic }),
    ...(lifecycle_state === '' ? {} : { lifecycle_state: lifecycle_state as 'breaking' }),
    ...certainty(parameter('sure')),
    ...(as_of === undefined ? {} : { as_of }),
    ...(cursor === undefined ? {} : { cursor }),
    time_range: parameter('window', '24h') as '24h',
    min_articles: Number(parameter('size', '2')),
    sort: parameter('sort', 'relevance') as 'relevance',
  }
  return async (api, signal) => bodyOf(await api.GET('/v1/stories', { params: { query }, signal }))
}

const certainty = (sure: string) => {
  if (sure === '') return {}
  return sure === 'settled' ? ({ membership: sure } as const) : { min_assignment_confidence: Number(sure) }
}

/** A story that moved up between two pages stands where it was read first. */
function once(): (story: StoryRow) => boolean {
  const seen = new Set<string>()
  return ({ id }) => {
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  }
}

function Row({ story }: { readonly story: StoryRow }) {
  const { id, title, article_count, source_count } = story
  const end = Date.parse(asOf() ?? '') || now()
  const hours = HOURS[parameter('window', '24h')] ?? 24
  const heard = news.value.get(id)
  return (
    <li class={heard === undefined ? '' : heard.kind}>
      <a href={link('stories', id)} data-item>
        <span class="head">
          <Lifecycle {...story} />
          <strong>{title === '' ? 'Untitled' : title}</strong>
        </span>
        <span class="facts">
          <Independence story={story} />
          <span>
            {counted(article_count, 'article')}, {counted(source_count, 'outlet')}
          </span>
          <Velocity story={story} />
          <span>
            over {lasted(story.created_at, story.updated_at)}, last {ago(story.updated_at, end)}
          </span>
          <Settled {...story} />
          {heard !== undefined && <Heard {...heard} />}
        </span>
        <span class="lines">
          <small>told</small>
          <Life from={story.created_at} until={story.updated_at} window={[end - hours * HOUR_MS, end]} />
          <small>tone</small>
          <Feelings shares={story.sentiment_distribution} />
        </span>
      </a>
    </li>
  )
}

/** What the bars of every row stand for: all time lines are of one window. */
const Axis = () => (
  <span class="axis" aria-hidden="true">
    <span>{WINDOWS.find(([value]) => value === parameter('window', '24h'))?.[1] ?? '24 hours'} ago</span>
    <span>{asOf() === undefined ? 'now' : 'then'}</span>
  </span>
)

const Velocity = ({ story: { article_velocity } }: { readonly story: StoryRow }) =>
  article_velocity === null || article_velocity < 2 ? null : (
    <span
      class={article_velocity >= 5 ? 'fast' : ''}
      title="Accounts of the last 24 hours over those of the days before"
    >
      ↗ {decimal(article_velocity)} ×
    </span>
  )

const HEARD = { new: 'new', grown: 'changed', changed: 'changed', settled: 'now settled' } as const

const Heard = ({ kind, articles }: Pick<StoryNews, 'kind' | 'articles'>) => (
  <span class="heard">{kind === 'grown' && articles > 0 ? `+${count(articles)}` : HEARD[kind]}</span>
)

/** Nothing in the window may mean that everything is older: then it is offered. */
function NoStories() {
  const reply = useAnswer({
    name: 'newest',
    ask: async (api, signal) => bodyOf(await api.GET('/v1/pipeline', { signal })),
  })
  if (reply.kind !== 'known') return <Empty title="No story" />
  const { total, last_published } = reply.value.articles
  if (total === 0 || last_published === null) {
    return (
      <Empty title="Nothing has come in yet">
        <p>
          Send an article to <code>POST /layer0/v1/process</code>, or import a file:{' '}
          <code>story import jsonl FILE</code>. Stories appear here by themselves.
        </p>
      </Empty>
    )
  }
  const moment = new Date(Date.parse(last_published) + 1_000).toISOString()
  return (
    <Empty title="No story with these words in this time">
      <p>The newest article is of {dayOf(last_published)}.</p>
      <button type="button" onClick={() => choose({ as_of: moment, window: '7d' })}>
        Look at that week
      </button>
    </Empty>
  )
}
