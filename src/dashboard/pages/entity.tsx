import type { components } from '../../../sdk/src/index.ts'
import { Choice } from '../parts/fields.tsx'
import { Network } from '../parts/network.tsx'
import { Plot } from '../parts/plot.tsx'
import { Shown } from '../parts/states.tsx'
import { Tone } from '../parts/story-parts.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf, link, parameter, place } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { count, counted, country, dayOf, decimal, entityType, feeling } from '../words/format.ts'

type PageEntityDetail = components['schemas']['EntityDetail']

const WINDOWS = [
  ['30d', '30 days'],
  ['7d', '7 days'],
  ['24h', '24 hours'],
] as const

type PageWindow = (typeof WINDOWS)[number][0]

const windowNow = (): PageWindow => WINDOWS.find(([value]) => value === parameter('window'))?.[0] ?? '30d'

/** One entity: how often it is named, how articles speak of it, and who with. */
export function EntityPage() {
  const { id } = place.value
  const as_of = asOf()
  const reply = useAnswer({
    name: `entity ${id} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const params = { path: { entity_id: id }, query: as_of === undefined ? {} : { as_of } }
      return bodyOf(await api.GET('/v1/entities/{entity_id}', { params, signal }))
    },
  })
  useTitle(reply.kind === 'known' ? reply.value.name : 'Entity')
  return (
    <Shown reply={reply} what="the entity">
      {(entity) => (
        <article class="story">
          <Head entity={entity} />
          <div class="columns">
            <div>
              <OverTime id={entity.id} />
              <Network id={entity.id} />
            </div>
            <aside aria-label="More about this entity">
              <Stories name={entity.name} />
              <Beside entity={entity} />
            </aside>
          </div>
        </article>
      )}
    </Shown>
  )
}

function Head({ entity }: { readonly entity: PageEntityDetail }) {
  const { name, type, aliases, mention_count, article_count, sentiment, locations } = entity
  const { positive, neutral, negative } = sentiment.distribution
  const all = Math.max(1, positive + neutral + negative)
  return (
    <header class="story-head">
      <p class="quiet">
        <a href={link('entities')}>Entities</a> · {dayOf(entity.first_seen)} to {dayOf(entity.last_seen)}
      </p>
      <h1>{name}</h1>
      <p class="facts">
        <span class="state">{entityType(type)}</span>
        <span>
          named {count(mention_count)} times in {counted(article_count, 'article')}
        </span>
        <span class={feeling(sentiment.avg)}>
          spoken of {feeling(sentiment.avg) === 'neutral' ? 'neutrally' : `${feeling(sentiment.avg)}ly`} (
          {decimal(sentiment.avg)})
        </span>
        {locations.slice(0, 3).map((one) => (
          <span key={one.country}>{one.country !== null && country(one.country)}</span>
        ))}
      </p>
      {aliases.length > 1 && <p class="quiet">Also written {aliases.filter((alias) => alias !== name).join(', ')}</p>}
      <Tone shares={{ positive: positive / all, neutral: neutral / all, negative: negative / all }} />
    </header>
  )
}

function OverTime({ id }: { readonly id: string }) {
  return (
    <section>
      <div class="beside">
        <h2>Over time</h2>
        <Choice name="window" label="Within" choices={WINDOWS} />
      </div>
      <Mentions id={id} />
      <h3>How articles speak of it</h3>
      <Sentiment id={id} />
    </section>
  )
}

/** What both series are asked with, and its name. */
function useWindow(id: string) {
  const [as_of, time_range] = [asOf(), windowNow()]
  return { query: { time_range, ...(as_of && { as_of }) }, name: `${id} ${time_range} ${as_of ?? ''}` }
}

function Mentions({ id }: { readonly id: string }) {
  const { query, name } = useWindow(id)
  const reply = useAnswer({
    name: `timeline ${name}`,
    ask: async (api, signal) => {
      const params = { path: { entity_id: id }, query }
      return bodyOf(await api.GET('/v1/entities/{entity_id}/timeline', { params, signal })).timeline
    },
  })
  return (
    <Shown reply={reply} what="the time line">
      {(days) => (
        <Plot
          label={`Mentions by day, ${count(days.reduce((sum, one) => sum + one.mention_count, 0))} in all`}
          times={days.map(({ date }) => Date.parse(date) / 1_000)}
          lines={[
            { label: 'Mentions', values: days.map((one) => one.mention_count), colour: '--blue', shape: 'bars' },
            { label: 'Articles', values: days.map((one) => one.article_count), colour: '--gold', shape: 'line' },
          ]}
        />
      )}
    </Shown>
  )
}

function Sentiment({ id }: { readonly id: string }) {
  const { query, name } = useWindow(id)
  const reply = useAnswer({
    name: `sentiment ${name}`,
    ask: async (api, signal) => {
      const params = { path: { entity_name: id }, query }
      return bodyOf(await api.GET('/v1/entities/{entity_name}/sentiment', { params, signal })).timeline
    },
  })
  return (
    <Shown reply={reply} what="the sentiment">
      {(days) => (
        <Plot
          label="Mean sentiment by day, from -1 to +1"
          height={140}
          range={[-1, 1]}
          times={days.map(({ date }) => Date.parse(date) / 1_000)}
          lines={[
            {
              ...{ label: 'Sentiment', colour: '--green', shape: 'line' },
              values: days.map((one) => (one.article_count === 0 ? null : one.avg_sentiment)),
            },
          ]}
        />
      )}
    </Shown>
  )
}

function Stories({ name }: { readonly name: string }) {
  const [as_of, time_range] = [asOf(), windowNow()]
  const reply = useAnswer({
    name: `stories on ${name} ${time_range} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const query = { topic: name.slice(0, 200), time_range, min_articles: 1, limit: 8, ...(as_of && { as_of }) }
      return bodyOf(await api.GET('/v1/clusters', { params: { query }, signal })).clusters
    },
  })
  return (
    <section>
      <h2>Stories that name it</h2>
      <Shown reply={reply} what="stories">
        {(clusters) => (
          <ul class="related">
            {clusters.map(({ id, title, article_count, origin_count }) => (
              <li key={id}>
                <a href={link('stories', id)} data-item>
                  {title === '' ? 'Untitled' : title}
                </a>
                <small>
                  {counted(article_count, 'article')}, {count(origin_count)} independent
                </small>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  )
}

const SHOWN = 8

const Beside = ({ entity: { related_entities } }: { readonly entity: PageEntityDetail }) =>
  related_entities.length === 0 ? null : (
    <section>
      <h2>Named together with</h2>
      <ul class="related">
        {related_entities.slice(0, SHOWN).map(({ id, name, type, co_mentions }) => (
          <li key={id}>
            <a href={link('entities', id)}>{name}</a>
            <small>
              {entityType(type)}, in {counted(co_mentions, 'article')}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
