import { compileQuery, searchedText } from '../../domain/monitors/query.ts'
import type { ChangePublished } from '../../events/changes.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'

type Filters = Pick<WebhookChanged, 'query' | 'entity_names' | 'min_origins'>
type Compared = Pick<ChangePublished, 'title' | 'entity_names' | 'origin_count' | 'membership'>

/**
 * Whether a change passes the filters by words, entity names and sources. Words and names hold back whatever does not
 * have them, the sources only changes of stories.
 */
export const matchesStory = (endpoint: Filters, change: Compared): boolean =>
  hasWords(endpoint, change) && namesEntity(endpoint, change) && isIndependentEnough(endpoint, change)

function hasWords(endpoint: Filters, { title }: Compared): boolean {
  if (endpoint.query === '') return true
  return title !== null && queryOf(endpoint)(searchedText(title))
}

/** The compiled query of each state of an endpoint: a change of the endpoint is a new object. */
const compiled = new WeakMap<Filters, ReturnType<typeof compileQuery>>()

function queryOf(endpoint: Filters): ReturnType<typeof compileQuery> {
  const known = compiled.get(endpoint) ?? compileQuery(endpoint.query)
  compiled.set(endpoint, known)
  return known
}

/** Names in filters are lower case. */
const namesEntity = ({ entity_names: names }: Filters, { entity_names }: Compared): boolean =>
  names.length === 0 || entity_names.some((name) => names.includes(name.toLowerCase()))

/** A story whose sources are not known is held back, as one whose certainty is not known. */
function isIndependentEnough({ min_origins }: Filters, { origin_count, membership }: Compared): boolean {
  if (min_origins === null || (origin_count === null && membership === null)) return true
  return (origin_count ?? 0) >= min_origins
}
