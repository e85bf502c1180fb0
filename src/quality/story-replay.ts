import { DAY_MS } from '../domain/days.ts'
import type { ArticleAnalyzed } from '../events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../events/ledger.ts'
import type { Input } from '../runtime/shapes.ts'
import type { ClusteredInput, ClusteredStage } from '../stages/clustered/stage.ts'
import { memoryStageRun } from './memory-stage-run.ts'

/** A ledger event and the event time of its decision, in milliseconds since 1970. */
export interface LedgerLine {
  readonly event: ArticleClustered
  readonly at: number
}

export interface StoryReplay {
  article(event: ArticleAnalyzed): void
  /** Ends the replay with a scheduler tick. */
  end(): void
  storyOf(articleId: string): string | undefined
  /** The story that the article was assigned to when it arrived, before any reclustering. */
  firstStoryOf(articleId: string): string | undefined
  readonly ledger: readonly LedgerLine[]
}

/** The articles that a ledger event assigns. */
export const articlesOf = ({ article_id, change }: ArticleClustered): readonly string[] =>
  change === null ? [article_id] : change.article_ids

/** A ledger event in the form that the stages consuming the ledger receive. */
export function ledgerInput({ event }: LedgerLine, offset: number, arrival: number): Input<ArticleClustered> {
  const topic = articlesClustered.name
  return { event, topic, place: { topic, partition: 0, offset }, loggedAt: arrival }
}

/**
 * Runs the clusterer as in operation: articles in order, and a scheduler tick at the end of each event day that has
 * articles.
 */
export function storyReplay(
  stage: ClusteredStage,
  { namespace, arrival }: { readonly namespace: string; readonly arrival: number },
): StoryReplay {
  const decide = memoryStageRun(stage)
  let day: number | null = null
  const next = { articles: 0, ticks: 0 }
  const stories = new Map<string, string>()
  const first = new Map<string, string>()
  const ledger: LedgerLine[] = []

  const process = (input: Input<ClusteredInput>, at: number): void => {
    for (const event of decide(input)) {
      ledger.push({ event, at })
      for (const id of articlesOf(event)) {
        stories.set(id, event.cluster_id)
        if (!first.has(id)) first.set(id, event.cluster_id)
      }
    }
  }
  const tick = (): void => {
    const place = { topic: 'clock.ticked', partition: 0, offset: next.ticks++ }
    const tick_at = ((day ?? 0) + 1) * DAY_MS
    const event = { event_id: `tick ${place.offset}`, namespace, tick_at, flush: true }
    process({ event, topic: place.topic, place, loggedAt: arrival }, tick_at)
  }
  return {
    article(event) {
      const own = Math.floor(event.occurred_at / DAY_MS)
      if (day !== null && own !== day) tick()
      day = own
      const place = { topic: 'articles.analyzed', partition: 0, offset: next.articles++ }
      process({ event, topic: place.topic, place, loggedAt: arrival }, event.occurred_at)
    },
    end: tick,
    storyOf: (articleId) => stories.get(articleId),
    firstStoryOf: (articleId) => first.get(articleId),
    ledger,
  }
}
