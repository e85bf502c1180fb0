import { originCount } from '../../domain/lifecycle/origins.ts'
import type { MonitoredStory } from '../../domain/monitors/conditions.ts'
import { meanSentiment, velocityAt } from '../../domain/monitors/story-facts.ts'
import type { MatchedStory } from '../../events/monitors.ts'
import type { MatchedArticleRecord, MatchedStoryRecord } from './changelog.ts'
import type { KnownMonitor, MatchedNamespace } from './memory.ts'

/** A story whose conditions are evaluated, as it is after the change. */
export interface EvaluatedStory {
  readonly known: MatchedStoryRecord
  /** Numbers of the monitors whose conditions on articles one of its articles meets. */
  readonly hits: ReadonlySet<number>
  /** Computed only if a monitor may match. */
  readonly articles: () => readonly MatchedArticleRecord[]
  /** Event time of the evaluation, milliseconds since 1970; `null` for that of the newest article. */
  readonly at: number | null
}

export interface StoryMatch {
  readonly monitor: KnownMonitor
  readonly story: MatchedStory
}

/** Longer texts are not repeated in every match; a longer URL is left out. */
const MOST = { articles: 10, title: 300, source: 200, url: 2_000 } as const

/** The monitors that a story matches and did not match before, by monitor id. */
export function newMatches(
  { byNumber }: Pick<MatchedNamespace, 'byNumber'>,
  { known, hits, articles, at }: EvaluatedStory,
  concerns: (monitor: KnownMonitor) => boolean = () => true,
): readonly StoryMatch[] {
  const published = new Set(known.published)
  const candidates = [...hits]
    .filter((number) => !published.has(number))
    .flatMap((number) => byNumber.get(number) ?? [])
    .filter((monitor) => monitor.active && concerns(monitor))
  if (candidates.length === 0) return []

  const all = articles()
  const evaluated_at = at ?? all.reduce((newest, { occurred_at }) => Math.max(newest, occurred_at), -Infinity)
  const facts = factsOf(all, known, evaluated_at)
  return candidates
    .filter(({ compiled }) => compiled.story(facts))
    .map((monitor) => ({ monitor, story: matchedStory(all, { known, number: monitor.number, evaluated_at }, facts) }))
    .sort((a, b) => (a.monitor.monitor_id < b.monitor.monitor_id ? -1 : 1))
}

const factsOf = (
  articles: readonly MatchedArticleRecord[],
  { lifecycle_state }: MatchedStoryRecord,
  at: number,
): MonitoredStory => ({
  lifecycle_state,
  origin_count: originCount(articles),
  velocity: velocityAt(
    articles.map(({ occurred_at }) => occurred_at),
    at,
  ),
  sentiment_score: meanSentiment(articles),
})

function headline(article: MatchedArticleRecord | undefined): Pick<MatchedStory, 'title' | 'url' | 'source'> {
  if (article === undefined) return { title: null, url: null, source: null }
  const { title, url, source } = article
  return {
    title: title?.slice(0, MOST.title) ?? null,
    url: url !== null && url.length <= MOST.url ? url : null,
    source: source?.slice(0, MOST.source) ?? null,
  }
}

interface MatchedBy {
  readonly known: MatchedStoryRecord
  readonly number: number
  readonly evaluated_at: number
}

function matchedStory(
  articles: readonly MatchedArticleRecord[],
  { known, number, evaluated_at }: MatchedBy,
  facts: MonitoredStory,
): MatchedStory {
  const hits = articles
    .filter((article) => article.hits.includes(number))
    .sort((a, b) => b.occurred_at - a.occurred_at || (a.article_id < b.article_id ? -1 : 1))
  return {
    cluster_id: known.cluster_id,
    ...headline(hits[0]),
    article_ids: hits.slice(0, MOST.articles).map(({ article_id }) => article_id),
    article_count: articles.length,
    ...facts,
    matched_at: evaluated_at,
  }
}
