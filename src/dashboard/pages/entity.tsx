import { Download } from '../parts/download.tsx'
import { Choice } from '../parts/fields.tsx'
import { Network } from '../parts/network.tsx'
import { Plot } from '../parts/plot.tsx'
import { Shown } from '../parts/states.tsx'
import { Tone } from '../parts/story-parts.tsx'
import { useGet } from '../state/answer.ts'
import { asOf, link, parameter, address, useTitle } from '../state/place.ts'
import { count, counted, country, dayOf, decimal, entityType, feeling, languageName, titled } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

const WINDOWS = [
  ['30d', '30 days'],
  ['7d', '7 days'],
  ['24h', '24 hours'],
] as const

const selectedWindow = (): string => WINDOWS.find(([value]) => value === parameter('window'))?.[0] ?? '30d'

/** One entity: its mentions, the sentiment towards it, and related entities. */
export function EntityPage() {
  const reply = useGet('/v1/entities/{entity_id}', { entity_id: address.value.id, as_of: asOf() })
  useTitle(reply.kind === 'known' ? reply.value.name : 'Entity')
  return (
    <Shown reply={reply} what="the entity">
      {(entity) => (
        <article class="story">
          <Head entity={entity} />
          <div class="columns">
            <div>
              <OverTime id={entity.id} />
              <ArticlesCsv entity={entity} />
              <Network id={entity.id} />
            </div>
            <aside aria-label="More about this entity">
              <Stories name={entity.name} />
              <RelatedEntities entity={entity} />
            </aside>
          </div>
        </article>
      )}
    </Shown>
  )
}

/** The articles of the selected window that mention it. */
const ArticlesCsv = ({ entity: { id, name } }: { readonly entity: ApiSchemas['EntityDetail'] }) => (
  <p class="quiet">
    Articles that mention {name}:{' '}
    <Download
      path="/v1/articles"
      query={{ entity: id, time_range: selectedWindow(), as_of: asOf() }}
      list="articles"
      name="articles"
    />
  </p>
)

function Head({ entity }: { readonly entity: ApiSchemas['EntityDetail'] }) {
  const { name, type, aliases, names, mention_count, article_count, sentiment, locations } = entity
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
          {counted(mention_count, 'mention')} in {counted(article_count, 'article')}
        </span>
        <span class={feeling(sentiment.avg)}>
          {feeling(sentiment.avg)} sentiment ({decimal(sentiment.avg)})
        </span>
        {locations.slice(0, 3).map((one) => (
          <span key={one.country}>{one.country !== null && country(one.country)}</span>
        ))}
      </p>
      <ForeignNames name={name} names={names} />
      {aliases.length > 1 && <p class="quiet">Also known as {aliases.filter((alias) => alias !== name).join(', ')}</p>}
      <Tone shares={{ positive: positive / all, neutral: neutral / all, negative: negative / all }} />
    </header>
  )
}

interface ForeignNamesProps {
  readonly name: string
  /** By language, ISO 639-1. */
  readonly names: Readonly<Record<string, string>>
}

/** The name in other languages, where it is another one. */
function ForeignNames({ name, names }: ForeignNamesProps) {
  const others = Object.entries(names).filter(([language, other]) => language !== 'en' && other !== name)
  if (others.length === 0) return null
  return (
    <p class="quiet">
      {others.map(([language, other], i) => (
        <span key={language}>
          {i > 0 && ' · '}
          {languageName(language)}: <bdi lang={language}>{other}</bdi>
        </span>
      ))}
    </p>
  )
}

function OverTime({ id }: { readonly id: string }) {
  return (
    <section>
      <div class="beside">
        <h2>Mentions over time</h2>
        <Choice name="window" label="Period" choices={WINDOWS} />
      </div>
      <Mentions id={id} />
      <h3>Sentiment</h3>
      <Sentiment id={id} />
    </section>
  )
}

function Mentions({ id }: { readonly id: string }) {
  const query = { entity_id: id, time_range: selectedWindow(), as_of: asOf() }
  const reply = useGet('/v1/entities/{entity_id}/timeline', query)
  return (
    <Shown reply={reply} what="the timeline">
      {({ timeline: days }) => (
        <Plot
          label={`Mentions per day, ${count(days.reduce((sum, one) => sum + one.mention_count, 0))} in total`}
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
  const query = { entity_name: id, time_range: selectedWindow(), as_of: asOf() }
  const reply = useGet('/v1/entities/{entity_name}/sentiment', query)
  return (
    <Shown reply={reply} what="the sentiment">
      {({ timeline: days }) => (
        <Plot
          label="Mean sentiment per day, from -1 to +1"
          height={140}
          range={[-1, 1]}
          times={days.map(({ date }) => Date.parse(date) / 1_000)}
          lines={[
            {
              label: 'Sentiment',
              colour: '--green',
              shape: 'line',
              values: days.map((one) => (one.article_count === 0 ? null : one.avg_sentiment)),
            },
          ]}
        />
      )}
    </Shown>
  )
}

function Stories({ name }: { readonly name: string }) {
  const query = { topic: name.slice(0, 200), time_range: selectedWindow(), min_articles: 1, limit: 8, as_of: asOf() }
  const reply = useGet('/v1/clusters', query)
  return (
    <section>
      <h2>Stories that mention it</h2>
      <Shown reply={reply} what="stories">
        {({ clusters }) => (
          <ul class="related">
            {clusters.map(({ id, title, article_count, origin_count }) => (
              <li key={id}>
                <a href={link('stories', id)} data-item>
                  {titled(title)}
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

const RelatedEntities = ({ entity: { related_entities } }: { readonly entity: ApiSchemas['EntityDetail'] }) =>
  related_entities.length === 0 ? null : (
    <section>
      <h2>Mentioned together with</h2>
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
