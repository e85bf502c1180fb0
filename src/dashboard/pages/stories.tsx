import { Download } from '../parts/download.tsx'
import { EmptyList } from '../parts/empty-list.tsx'
import { Choice, WINDOWS, SearchField } from '../parts/fields.tsx'
import { Empty, More, Shown } from '../parts/states.tsx'
import { SentimentBar, Independence, Life, Lifecycle, Settled } from '../parts/story-parts.tsx'
import { useGet, usePages } from '../state/answer.ts'
import { news, turn } from '../state/live.ts'
import type { StoryNews } from '../state/news.ts'
import { asOf, choose, link, parameter, shownAt, useTitle } from '../state/place.ts'
import { ago, count, counted, dayOf, decimal, lasted, titled } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

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
  ['coverage', 'Most coverage'],
] as const
const SIZES = [
  ['2', '2 articles'],
  ['1', '1 article'],
  ['5', '5 articles'],
  ['10', '10 articles'],
] as const
const CERTAINTIES = [
  ['', 'All stories'],
  ['0.9', 'At least 90 % likely'],
  ['settled', 'Settled'],
] as const

const HOURS: Readonly<Record<string, number>> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720 }
const HOUR_MS = 3_600_000

/** Stories, updated live. */
export function StoriesPage() {
  useTitle('Stories')
  const { first, more, next } = usePages('/v1/stories', storiesQuery(), turn.value)
  return (
    <>
      <h1>Stories</h1>
      <p class="quiet">
        News events and their sources. The gold bar is the share of articles that are independent sources.
      </p>
      <div class="filters">
        <SearchField name="topic" label="Topic" placeholder="Words in a title, or a name" />
        <Choice name="state" label="State" choices={STATES} />
        <Choice name="window" label="Updated in the last" choices={WINDOWS} />
        <Choice name="size" label="Minimum size" choices={SIZES} />
        <Choice name="sure" label="Assignments" choices={CERTAINTIES} />
        <Choice name="sort" label="Sort by" choices={SORTS} />
      </div>
      <Shown reply={first} what="stories">
        {({ stories, total }) =>
          stories.length === 0 ? (
            <NoStories />
          ) : (
            <>
              <div class="tally">
                <span class="quiet">
                  {counted(total, 'story', 'stories')}{' '}
                  <Download path="/v1/stories" query={storiesQuery()} list="stories" name="stories" />
                </span>
                <Axis />
              </div>
              <ol class="stories">
                {[...stories, ...more.flatMap((page) => page.stories)].filter(isFirstOccurrence()).map((story) => (
                  <Row key={story.id} story={story} />
                ))}
              </ol>
              <More what="stories" next={next} />
            </>
          )
        }
      </Shown>
    </>
  )
}

const storiesQuery = () => {
  const certainty = parameter('sure')
  return {
    limit: 20,
    topic: parameter('topic'),
    lifecycle_state: parameter('state'),
    membership: certainty === 'settled' ? certainty : '',
    min_assignment_confidence: certainty === 'settled' ? '' : certainty,
    as_of: asOf(),
    time_range: parameter('window', '24h'),
    min_articles: parameter('size', '2'),
    sort: parameter('sort', 'relevance'),
  }
}

/** Keeps the first occurrence of a story that moved between pages while they were read. */
function isFirstOccurrence(): (story: ApiSchemas['Story']) => boolean {
  const seen = new Set<string>()
  return ({ id }) => {
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  }
}

function Row({ story }: { readonly story: ApiSchemas['Story'] }) {
  const { id, title, article_count, source_count } = story
  const end = shownAt()
  const hours = HOURS[parameter('window', '24h')] ?? 24
  const change = news.value.get(id)
  return (
    <li class={change === undefined ? '' : change.kind}>
      <a href={link('stories', id)} data-item>
        <span class="head">
          <Lifecycle {...story} />
          <strong>{titled(title)}</strong>
        </span>
        <span class="facts">
          <Independence story={story} />
          <span>
            {counted(article_count, 'article')}, {counted(source_count, 'outlet')}
          </span>
          <Velocity story={story} />
          <span>
            over {lasted(story.created_at, story.updated_at)}, updated {ago(story.updated_at, end)}
          </span>
          <Settled {...story} />
          {change !== undefined && <Change {...change} />}
        </span>
        <span class="lines">
          <small>time</small>
          <Life from={story.created_at} until={story.updated_at} window={[end - hours * HOUR_MS, end]} />
          <small>sentiment</small>
          <SentimentBar shares={story.sentiment_distribution} />
        </span>
      </a>
    </li>
  )
}

/** The time window of the bars in every row. */
const Axis = () => (
  <span class="axis" aria-hidden="true">
    <span>{WINDOWS.find(([value]) => value === parameter('window', '24h'))?.[1] ?? '24 hours'} ago</span>
    <span>{asOf() === undefined ? 'now' : 'selected time'}</span>
  </span>
)

const Velocity = ({ story: { article_velocity } }: { readonly story: ApiSchemas['Story'] }) =>
  article_velocity === null || article_velocity < 2 ? null : (
    <span
      class={article_velocity >= 5 ? 'fast' : ''}
      title="Independent sources in the last 24 hours, relative to the days before"
    >
      ↗ {decimal(article_velocity)} ×
    </span>
  )

const CHANGES = { new: 'new', grown: 'changed', changed: 'changed', settled: 'now settled' } as const

const Change = ({ kind, articles }: Pick<StoryNews, 'kind' | 'articles'>) => (
  <span class="heard">{kind === 'grown' && articles > 0 ? `+${count(articles)}` : CHANGES[kind]}</span>
)

/** Offers the week of the newest article, since all articles may be older than the window. */
function NoStories() {
  const reply = useGet('/v1/pipeline', {})
  const last_published = reply.kind === 'known' ? reply.value.articles.last_published : null
  if (last_published === null) return <EmptyList title="No stories" />
  const moment = new Date(Date.parse(last_published) + 1_000).toISOString()
  return (
    <Empty title="No stories match these filters">
      <p>The newest article is from {dayOf(last_published)}.</p>
      <button type="button" onClick={() => choose({ as_of: moment, window: '7d' })}>
        Show that week
      </button>
    </Empty>
  )
}
