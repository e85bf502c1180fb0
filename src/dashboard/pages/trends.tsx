import type { components } from '../../../sdk/src/index.ts'
import type { ComponentChildren } from 'preact'
import { Choice } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { turn } from '../state/live.ts'
import { asOf, link, parameter, place } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { count, counted, dayOf, entityType } from '../words/format.ts'
import { pace, usually } from '../words/trend.ts'

type TrendsStoryTrend = components['schemas']['StoryTrend']
type TrendsEntityTrend = components['schemas']['EntityTrend']

const CATEGORIES = [
  ['', 'Everything'],
  ['politics', 'Politics'],
  ['geopolitics', 'Geopolitics'],
  ['finance', 'Finance'],
  ['technology', 'Technology'],
  ['health', 'Health'],
] as const
const WINDOWS = [
  ['24h', '24 hours'],
  ['1h', 'an hour'],
  ['6h', '6 hours'],
  ['7d', '7 days'],
] as const

const SUPPORT = [
  ['enough', 'Left out'],
  ['all', 'Shown'],
] as const
/** Stories are shown in any case: one that has just begun has no history, and is what a reader looks for. */
const isSupported = (): boolean => parameter('support', 'enough') !== 'all'

/** Trends change slowly: they are read again every so many turns of the feed. */
const TURNS = 10

/** Stories and entities that are reported more than usual. */
export function TrendsPage() {
  useTitle('Trends')
  return (
    <>
      <h1>Trends</h1>
      <p class="quiet">
        What is reported more than usual, and how many times more. Usual is what the days before had; a day that still
        runs is compared with the same part of them.
      </p>
      <div class="filters">
        <Choice name="category" label="Stories about" choices={CATEGORIES} />
        <Choice name="window" label="Stories within" choices={WINDOWS} />
        <Choice name="support" label="Entities with little support" choices={SUPPORT} />
      </div>
      <div class="columns even">
        <StoryTrends />
        <EntityTrends />
      </div>
    </>
  )
}

function StoryTrends() {
  const [as_of, category, time_range] = [asOf(), parameter('category'), parameter('window', '24h')]
  const reply = useAnswer({
    name: `trends ${category} ${time_range} ${as_of ?? ''}`,
    turn: Math.floor(turn.value / TURNS),
    ask: async (api, signal) => {
      const query = {
        time_range: time_range as '24h',
        ...(category === '' ? {} : { category: category as 'politics' }),
        ...(as_of === undefined ? {} : { as_of }),
      }
      return bodyOf(await api.GET('/v1/trends', { params: { query }, signal })).trends
    },
  })
  return (
    <section>
      <h2>Stories</h2>
      <Shown reply={reply} what="trends of stories">
        {(trends) =>
          trends.length === 0 ? <Empty title="No story grows faster than usual" /> : <Stories trends={trends} />
        }
      </Shown>
    </section>
  )
}

const Stories = ({ trends }: { readonly trends: readonly TrendsStoryTrend[] }) => (
  <ol class="rows trends">
    {trends.map((trend) => (
      <Row key={trend.id} href={link('stories', trend.id)} name={trend.topic} {...trend}>
        {counted(trend.article_count, 'article')}, {count(trend.origins)} independent; {usually(trend)}
      </Row>
    ))}
  </ol>
)

function EntityTrends() {
  const [as_of, supported] = [asOf(), isSupported()]
  const reply = useAnswer({
    name: `entity trends ${supported} ${as_of ?? ''}`,
    turn: Math.floor(turn.value / TURNS),
    ask: async (api, signal) => {
      const query = { min_velocity: 1, limit: 20, supported, ...(as_of === undefined ? {} : { as_of }) }
      return bodyOf(await api.GET('/v1/trends/entities', { params: { query }, signal })).trends
    },
  })
  return (
    <section>
      <h2>Entities</h2>
      <Shown reply={reply} what="trends of entities">
        {(trends) => (trends.length === 0 ? <NoEntity /> : <Entities trends={trends} />)}
      </Shown>
    </section>
  )
}

const Entities = ({ trends }: { readonly trends: readonly TrendsEntityTrend[] }) => (
  <ol class="rows trends">
    {trends.map((trend) => (
      <Row key={trend.entity_id} href={link('entities', trend.entity_id)} name={trend.entity} {...trend}>
        {entityType(trend.type)}, {counted(trend.mentions, 'mention')} on {dayOf(trend.latest_day)};{' '}
        {usually(trend, trend.day_complete ? ' a day' : ' by this time of day')}
      </Row>
    ))}
  </ol>
)

/** An empty list, and how to see the trends that the filter leaves out. */
function NoEntity() {
  if (!isSupported()) return <Empty title="No entity is named more than usual" />
  const { parameters } = place.value
  return (
    <Empty title="No entity is named more than usual, with enough support">
      <p>That takes 3 independent sources and 3 days of history.</p>
      <a href={link('trends', '', { ...parameters, support: 'all' })}>Show those with little support</a>
    </Empty>
  )
}

interface RowProperties {
  readonly href: string
  readonly name: string
  readonly velocity: number
  readonly days_of_history: number
  readonly scale: string
  readonly low_support: boolean
  readonly children: ComponentChildren
}

const Row = ({ href, name, velocity, days_of_history, scale, low_support, children }: RowProperties) => (
  <li>
    <a href={href} data-item>
      <span class={`velocity ${scale}`} title={scale}>
        {pace({ velocity, days_of_history })}
      </span>
      <strong>{name === '' ? 'Untitled' : name}</strong>
      <span class="quiet">
        {children}{' '}
        {low_support && (
          <span class="weak" title="Under 3 independent sources or 3 days of history: read it with care">
            little support
          </span>
        )}
      </span>
    </a>
  </li>
)
