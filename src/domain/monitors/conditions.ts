import { parsedUrl } from '../../events/canonical-url.ts'
import type { Member, MemberEntity } from '../../events/ledger.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import type { MonitorConditions } from '../../events/monitors.ts'
import { compileQuery, type SearchedText } from './query.ts'

/** What conditions compare of an article. */
export interface MonitoredArticle extends Pick<
  Member,
  'url' | 'source' | 'publisher' | 'publisher_family' | 'language' | 'categories'
> {
  readonly entities: readonly Pick<MemberEntity, 'entity_id' | 'name' | 'country'>[]
}

/** What conditions compare of a story. */
export interface MonitoredStory {
  readonly lifecycle_state: LifecycleState | null
  readonly origin_count: number
  readonly velocity: number
  readonly sentiment_score: number
}

export interface CompiledConditions {
  /** `null` if any text matches. */
  readonly text: ((searched: SearchedText) => boolean) | null
  /** Whether one article meets the conditions on articles, except the query. */
  readonly article: (article: ArticleToMatch) => boolean
  readonly story: (story: MonitoredStory) => boolean
  /** Whether the result for a story may change as time passes, without an event. */
  readonly dependsOnTime: boolean
}

/** An article with the forms in which conditions name its parts, computed once for all monitors. */
export interface ArticleToMatch {
  readonly language: string
  readonly categories: readonly string[]
  readonly entityIds: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly countries: ReadonlySet<string>
  /** Lower case: outlet, host, publisher and family. */
  readonly sources: ReadonlySet<string>
}

export const articleToMatch = (article: MonitoredArticle): ArticleToMatch => ({
  language: article.language,
  categories: article.categories,
  entityIds: new Set(article.entities.map(({ entity_id }) => entity_id)),
  names: new Set(article.entities.map(({ name }) => name.toLowerCase())),
  countries: new Set(article.entities.flatMap(({ country }) => country ?? [])),
  sources: new Set(
    [article.source?.toLowerCase(), hostOf(article.url), article.publisher, article.publisher_family?.toLowerCase()]
      .filter((name) => name !== undefined && name !== '')
      .map(String),
  ),
})

export function compileConditions(conditions: MonitorConditions): CompiledConditions {
  const { query, min_velocity } = conditions
  return {
    text: query.trim() === '' ? null : compileQuery(query),
    article: articleCondition(conditions),
    story: (story) => meetsStory(conditions, story),
    dependsOnTime: min_velocity !== null,
  }
}

function articleCondition(conditions: MonitorConditions): CompiledConditions['article'] {
  const { entity_ids, entity_names, places, categories, languages, sources } = conditions
  const tests: ((article: ArticleToMatch) => boolean)[] = []
  if (languages.length > 0) tests.push(({ language }) => languages.includes(language))
  if (categories.length > 0) tests.push((article) => categories.some((one) => article.categories.includes(one)))
  if (sources.length > 0) tests.push((article) => sources.some((one) => article.sources.has(one)))
  if (places.length > 0) tests.push(({ countries }) => places.some((one) => countries.has(one)))
  if (entity_ids.length + entity_names.length > 0)
    tests.push(
      ({ entityIds, names }) =>
        entity_ids.some((one) => entityIds.has(one)) || entity_names.some((one) => names.has(one)),
    )
  return (article) => tests.every((test) => test(article))
}

function meetsStory(conditions: MonitorConditions, story: MonitoredStory): boolean {
  const { lifecycle_states, min_origins, min_velocity, min_sentiment, max_sentiment } = conditions
  const isInState =
    lifecycle_states.length === 0 ||
    (story.lifecycle_state !== null && lifecycle_states.includes(story.lifecycle_state))
  return (
    isInState &&
    isBetween(story.origin_count, min_origins, null) &&
    isBetween(story.velocity, min_velocity, null) &&
    isBetween(story.sentiment_score, min_sentiment, max_sentiment)
  )
}

const isBetween = (value: number, least: number | null, most: number | null): boolean =>
  (least === null || value >= least) && (most === null || value <= most)

/** As `domainWithoutWWW` in ClickHouse. */
const hostOf = (url: string | null): string | undefined =>
  url === null ? undefined : parsedUrl(url)?.hostname.replace(/^www\./, '')
