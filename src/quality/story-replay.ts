import { DAY_MS } from '../domain/days.ts'
import type { ArticleAnalyzed } from '../events/articles.ts'
import type { ArticleClustered } from '../events/ledger.ts'
import type { ClockTicked, CorrectionRequested } from '../events/settings.ts'
import type { Input, MemoryStage } from '../runtime/shapes.ts'

export type StoryStage<State, Remembered> = MemoryStage<
  State,
  ArticleAnalyzed | ClockTicked | CorrectionRequested,
  ArticleClustered,
  Remembered
>

/** An event of the ledger and when it was decided, in event time: milliseconds since 1970. */
export interface LedgerLine {
  readonly event: ArticleClustered
  readonly at: number
}

export interface StoryReplay {
  article(event: ArticleAnalyzed): void
  /** Nothing more comes. */
  end(): void
  storyOf(articleId: string): string | undefined
  /** Where it was put when it came, before anything was reclustered. */
  firstStoryOf(articleId: string): string | undefined
  readonly events: readonly ArticleClustered[]
  /** The same events, each with its time. */
  readonly ledger: readonly LedgerLine[]
}

/** Runs the clusterer as it would have lived: articles in order, a tick at the end of each event day that had some. */
export function storyReplay<State, Remembered>(
  stage: StoryStage<State, Remembered>,
  { namespace, arrival }: { readonly namespace: string; readonly arrival: number },
): StoryReplay {
  let state = stage.memory.empty()
  let day: number | null = null
  const next = { articles: 0, ticks: 0 }
  const stories = new Map<string, string>()
  const first = new Map<string, string>()
  const events: ArticleClustered[] = []
  const ledger: LedgerLine[] = []

  const live = (input: Input<ArticleAnalyzed | ClockTicked>, at: number): void => {
    const decided = stage.decide(state, input)
    for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
    const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
    if (outcome.kind !== 'emit') return
    for (const event of outcome.events) {
      events.push(event)
      ledger.push({ event, at })
      const placed = event.change === null ? [event.article_id] : event.change.article_ids
      for (const id of placed) {
        stories.set(id, event.cluster_id)
        if (!first.has(id)) first.set(id, event.cluster_id)
      }
    }
  }
  const tick = (): void => {
    const place = { topic: 'clock.ticked', partition: 0, offset: next.ticks++ }
    const tick_at = ((day ?? 0) + 1) * DAY_MS
    const event = { event_id: `tick ${place.offset}`, namespace, tick_at, flush: true }
    live({ event, topic: place.topic, place, loggedAt: arrival }, tick_at)
  }
  return {
    article(event) {
      const own = Math.floor(event.occurred_at / DAY_MS)
      if (day !== null && own !== day) tick()
      day = own
      const place = { topic: 'articles.analyzed', partition: 0, offset: next.articles++ }
      live({ event, topic: place.topic, place, loggedAt: arrival }, event.occurred_at)
    },
    end: tick,
    storyOf: (articleId) => stories.get(articleId),
    firstStoryOf: (articleId) => first.get(articleId),
    events,
    ledger,
  }
}
