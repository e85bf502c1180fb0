import { Download } from '../parts/download.tsx'
import { EmptyList } from '../parts/empty-list.tsx'
import { Choice, WINDOWS, SearchField } from '../parts/fields.tsx'
import { More, Shown } from '../parts/states.tsx'
import { usePages } from '../state/answer.ts'
import { asOf, link, parameter, shownAt, useTitle } from '../state/place.ts'
import { ago, counted, entityType } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

const TYPES = [
  ['', 'All types'],
  ['PERSON', 'People'],
  ['ORG', 'Organisations'],
  ['GPE', 'Places'],
  ['LOC', 'Regions'],
  ['EVENT', 'Events'],
] as const

/** Entities, most mentioned first. */
export function EntitiesPage() {
  useTitle('Entities')
  const query = entitiesQuery()
  const { first, more, next } = usePages('/v1/entities', query)
  return (
    <>
      <h1>Entities</h1>
      <p class="quiet">People, organisations, places and events in the news, most mentioned first.</p>
      <div class="filters">
        <SearchField name="q" label="Name" placeholder="Part of a name" />
        <Choice name="type" label="Type" choices={TYPES} />
        <Choice name="window" label="Mentioned in the last" choices={WINDOWS} />
      </div>
      <Shown reply={first} what="entities">
        {({ entities, total }) =>
          entities.length === 0 ? (
            <EmptyList title="No entities match these filters" />
          ) : (
            <>
              <p class="quiet tally">
                {counted(total, 'entity', 'entities')}
                <Download path="/v1/entities" query={query} list="entities" name="entities" />
              </p>
              <Rows entities={[...entities, ...more.flatMap((page) => page.entities)]} />
              <More what="entities" next={next} />
            </>
          )
        }
      </Shown>
    </>
  )
}

const entitiesQuery = () => ({
  limit: 40,
  time_range: parameter('window', '24h'),
  query: parameter('q'),
  type: parameter('type'),
  as_of: asOf(),
})

function Rows({ entities }: { readonly entities: readonly ApiSchemas['Entity'][] }) {
  const most = Math.max(1, ...entities.map(({ mention_count }) => mention_count))
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
              {counted(mention_count, 'mention')} in {counted(article_count, 'article')}
            </span>
            <span class="quiet">{ago(last_seen, shownAt())}</span>
          </a>
        </li>
      ))}
    </ol>
  )
}
