import type { ComponentChildren } from 'preact'
import { Download } from '../parts/download.tsx'
import { EmptyList } from '../parts/empty-list.tsx'
import { Choice } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { useGet } from '../state/answer.ts'
import { turn } from '../state/live.ts'
import { asOf, link, parameter, address, useTitle } from '../state/place.ts'
import { count, counted, dayOf, entityType, pace, titled, usually } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

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
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['7d', '7 days'],
] as const

const SUPPORT = [
  ['enough', 'Hidden'],
  ['all', 'Shown'],
] as const
/** Applies to entities only: a new story has no history, but is of interest. */
const isSupported = (): boolean => parameter('support', 'enough') !== 'all'

/** Trends change slowly: they are read once per this number of feed turns. */
const TURNS = 10

/** Stories and entities with more coverage than usual. */
export function TrendsPage() {
  useTitle('Trends')
  return (
    <>
      <h1>Trends</h1>
      <p class="quiet">
        Stories and entities with more coverage than usual, and the factor. The baseline is the preceding days; an
        incomplete day is compared with the same part of those days.
      </p>
      <div class="filters">
        <Choice name="category" label="Story category" choices={CATEGORIES} />
        <Choice name="window" label="Story period" choices={WINDOWS} />
        <Choice name="support" label="Entities with low support" choices={SUPPORT} />
      </div>
      <div class="columns even">
        <StoryTrends />
        <EntityTrends />
      </div>
    </>
  )
}

function StoryTrends() {
  const query = { time_range: parameter('window', '24h'), category: parameter('category'), as_of: asOf() }
  const reply = useGet('/v1/trends', query, { turn: Math.floor(turn.value / TURNS) })
  return (
    <section>
      <h2>Stories</h2>
      <Shown reply={reply} what="trends of stories">
        {({ trends }) =>
          trends.length === 0 ? (
            <EmptyList title="No stories above their baseline" />
          ) : (
            <>
              <Download path="/v1/trends" query={query} list="trends" pageItems={50} name="story-trends" />
              <Stories trends={trends} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

const Stories = ({ trends }: { readonly trends: readonly ApiSchemas['StoryTrend'][] }) => (
  <ol class="rows trends">
    {trends.map((trend) => (
      <Row key={trend.id} href={link('stories', trend.id)} name={trend.topic} {...trend}>
        {counted(trend.article_count, 'article')}, {count(trend.origins)} independent; {usually(trend)}
      </Row>
    ))}
  </ol>
)

function EntityTrends() {
  const query = { min_velocity: 1, limit: 20, supported: isSupported(), as_of: asOf() }
  const reply = useGet('/v1/trends/entities', query, { turn: Math.floor(turn.value / TURNS) })
  return (
    <section>
      <h2>Entities</h2>
      <Shown reply={reply} what="trends of entities">
        {({ trends }) =>
          trends.length === 0 ? (
            <NoEntity />
          ) : (
            <>
              <Download path="/v1/trends/entities" query={query} list="trends" name="entity-trends" />
              <Entities trends={trends} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

const Entities = ({ trends }: { readonly trends: readonly ApiSchemas['EntityTrend'][] }) => (
  <ol class="rows trends">
    {trends.map((trend) => (
      <Row key={trend.entity_id} href={link('entities', trend.entity_id)} name={trend.entity} {...trend}>
        {entityType(trend.type)}, {counted(trend.mentions, 'mention')} on {dayOf(trend.latest_day)};{' '}
        {usually(trend, trend.day_complete ? ' a day' : ' by this time of day')}
      </Row>
    ))}
  </ol>
)

/** An empty list with a link to the trends that the filter hides. */
function NoEntity() {
  if (!isSupported()) return <Empty title="No entities above their baseline" />
  const { parameters } = address.value
  return (
    <Empty title="No entities with enough support above their baseline">
      <p>Enough support means 3 independent sources and 3 days of history.</p>
      <a href={link('trends', '', { ...parameters, support: 'all' })}>Show entities with low support</a>
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
      <strong>{titled(name)}</strong>
      <span class="quiet">
        {children}{' '}
        {low_support && (
          <span class="weak" title="Fewer than 3 independent sources or 3 days of history: less reliable">
            low support
          </span>
        )}
      </span>
    </a>
  </li>
)
