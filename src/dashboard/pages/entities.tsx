import type { components } from '../../../sdk/src/index.ts'
import { now } from '../clock.ts'
import { Choice, WINDOWS, Words } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { useTitle } from '../parts/title.ts'
import { usePages } from '../state/pages.ts'
import { asOf, link, parameter } from '../state/place.ts'
import { bodyOf, type DashboardAsk } from '../state/service.ts'
import { ago, counted, entityType } from '../words/format.ts'

type Entities = components['schemas']['Entities']
type PageEntity = components['schemas']['Entity']

const TYPES = [
  ['', 'All kinds'],
  ['PERSON', 'People'],
  ['ORG', 'Organisations'],
  ['GPE', 'Places'],
  ['LOC', 'Regions'],
  ['EVENT', 'Events'],
] as const

/** Who and what articles name, most mentioned first. */
export function EntitiesPage() {
  useTitle('Entities')
  const name = `entities ${parameter('q')} ${parameter('type')} ${parameter('window')}`
  const { first, more, next } = usePages<Entities>({ name, ask: entitiesAt })
  return (
    <>
      <h1>Entities</h1>
      <p class="quiet">People, organisations, places and events that articles name; the most mentioned first.</p>
      <div class="filters">
        <Words name="q" label="Named" placeholder="Part of a name" />
        <Choice name="type" label="Kind" choices={TYPES} />
        <Choice name="window" label="Named within" choices={WINDOWS} />
      </div>
      <Shown reply={first} what="entities">
        {({ entities, total }) =>
          entities.length === 0 ? (
            <Empty title="Nobody of that name in this time" />
          ) : (
            <>
              <p class="quiet tally">{counted(total, 'entity', 'entities')}</p>
              <Rows entities={[...entities, ...more.flatMap((page) => page.entities)]} />
              {next !== null && (
                <button type="button" class="more" onClick={next}>
                  More entities
                </button>
              )}
            </>
          )
        }
      </Shown>
    </>
  )
}

const entitiesAt = (cursor: string | undefined): DashboardAsk<Entities> => {
  const [words, type, as_of] = [parameter('q'), parameter('type'), asOf()]
  const query = {
    limit: 40,
    time_range: parameter('window', '24h') as '24h',
    ...(words === '' ? {} : { query: words }),
    ...(type === '' ? {} : { type: type as 'PERSON' }),
    ...(as_of === undefined ? {} : { as_of }),
    ...(cursor === undefined ? {} : { cursor }),
  }
  return async (api, signal) => bodyOf(await api.GET('/v1/entities', { params: { query }, signal }))
}

function Rows({ entities }: { readonly entities: readonly PageEntity[] }) {
  const most = Math.max(1, ...entities.map(({ mention_count }) => mention_count))
  const moment = Date.parse(asOf() ?? '') || now()
  return (
    <ol class="rows">
      {entities.map(({ id, name, type, mention_count, article_count, last_seen }) => (
        <li key={id}>
          <a href={link('entities', id)} data-item>
            <strong>{name}</strong>
            <span class="quiet">{entityType(type)}</span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(mention_count / most) * 100} height="6" class="own" />
            </svg>
            <span>
              {counted(mention_count, 'time')} in {counted(article_count, 'article')}
            </span>
            <span class="quiet">{ago(last_seen, moment)}</span>
          </a>
        </li>
      ))}
    </ol>
  )
}
