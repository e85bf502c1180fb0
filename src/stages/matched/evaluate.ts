import type { MonitoredStory } from '../../domain/monitors/conditions.ts'
import { meanSentiment, velocityAt } from '../../domain/monitors/story-facts.ts'
import type { MatchedStory } from '../../events/monitors.ts'
import { origins } from '../../domain/lifecycle/origins.ts'
import type { MatchedArticleRecord, MatchedStoryRecord } from './changelog.ts'
import type { KnownMonitor, MatchedNamespace } from './memory.ts'

/** A story whose conditions are evaluated, with the articles that it has after the change. */
export interface EvaluatedStory {
  readonly articles: readonly MatchedArticleRecord[]
  readonly known: MatchedStoryRecord
  /** Event time of the evaluation, milliseconds since 1970. */
  readonly at: number
}

export interface StoryMatch {
  readonly monitor: KnownMonitor
  readonly story: MatchedStory
}

const MOST_ARTICLES = 10

/** The monitors that a story matches and did not match before, by monitor id. */
export function newMatches(
  { monitors }: Pick<MatchedNamespace, 'monitors'>,
  story: EvaluatedStory,
  concerns: (monitor: KnownMonitor) => boolean = () => true,
): readonly StoryMatch[] {
  const published = new Set(story.known.published)
  const hits = new Set(story.articles.flatMap((article) => article.hits))
  const candidates = [...hits].filter((hit) => !published.has(hit)).flatMap((hit) => monitors.get(hit) ?? [])
  const concerned = candidates.filter(concerns)
  if (concerned.length === 0) return []
  const facts = factsOf(story)
  return concerned
    .filter(({ compiled }) => compiled.story(facts))
    .map((monitor) => ({ monitor, story: matchedStory(story, monitor.hit, facts) }))
    .sort((a, b) => (a.monitor.monitor_id < b.monitor.monitor_id ? -1 : 1))
}

function factsOf({ articles, known, at }: EvaluatedStory): MonitoredStory {
  return {
    lifecycle_state: known.lifecycle_state,
    origin_count: new Set(origins(articles).values()).size,
    velocity: velocityAt(
      articles.map(({ occurred_at }) => occurred_at),
      at,
    ),
    sentiment_score: meanSentiment(articles),
  }
}

function matchedStory({ known, articles, at }: EvaluatedStory, hit: string, facts: MonitoredStory): MatchedStory {
  const hits = articles
    .filter((article) => article.hits.includes(hit))
    .sort((a, b) => b.occurred_at - a.occurred_at || (a.article_id < b.article_id ? -1 : 1))
  const [newest] = hits
  return {
    cluster_id: known.cluster_id,
    title: newest?.title ?? null,
    url: newest?.url ?? null,
    source: newest?.source ?? null,
    article_ids: hits.slice(0, MOST_ARTICLES).map(({ article_id }) => article_id),
    article_count: articles.length,
    ...facts,
    matched_at: at,
  }
}
