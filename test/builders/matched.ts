import { articlesAnalyzed, type ArticleAnalyzed } from '../../src/events/articles.ts'
import { articlesClustered, type ArticleClustered, type Member } from '../../src/events/ledger.ts'
import { storiesTransitioned, type LifecycleState, type StoryTransitioned } from '../../src/events/lifecycle.ts'
import { monitorsChanged, type MonitorChanged, type StoryMatched } from '../../src/events/monitors.ts'
import { clockTicked, type ClockTicked } from '../../src/events/settings.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import type { MatchedUpdate } from '../../src/stages/matched/changelog.ts'
import { emptyState, evolve, type MatchedState } from '../../src/stages/matched/memory.ts'
import { matched } from '../../src/stages/matched/stage.ts'
import { aChange, anArticle, at, aTick } from './transitioned.ts'
import { anAnalyzedArticle } from './views.ts'

export { aChange, at, aTick }

export type MatchedIn = ArticleAnalyzed | ArticleClustered | StoryTransitioned | MonitorChanged | ClockTicked

export interface ReportedArticle extends Partial<
  Pick<Member, 'language' | 'categories' | 'source' | 'sentiment_score'>
> {
  readonly group?: string
  readonly title?: string
  readonly text?: string
  /** Ids and names alike. */
  readonly names?: readonly string[]
  readonly country?: string
}

/** The analysis of an article and its assignment to a story, `hours` after noon. */
export function aReport(
  [story, id]: readonly [story: string, id: string],
  hours: number,
  { group, text = '', names = [], country, ...facts }: ReportedArticle = {},
): readonly [ArticleAnalyzed, ArticleClustered] {
  const placed = anArticle(story, id, hours, group === undefined ? {} : { group })
  const title = facts.title ?? `Report ${id}`
  const entities = names.map((name) => ({
    ...{ entity_id: `ent_${name}`, name, type: 'GPE' as const, mention_count: 1, sentiment_score: null },
    country: country ?? null,
  }))
  return [
    anAnalyzedArticle({
      article_id: placed.article_id,
      occurred_at: at(hours),
      title,
      text,
      event_id: `evt_text_${id}_${hours}`,
    }),
    { ...placed, member: { ...placed.member, entities, title, url: `https://times.example.com/${id}`, ...facts } },
  ]
}

export const aTransition = (story: string, lifecycle_state: LifecycleState, hours: number): StoryTransitioned => ({
  ...{
    event_id: `evt_${story}_${lifecycle_state}_${hours}`,
    namespace: 'shared',
    occurred_at: at(hours),
    caused_by: null,
  },
  ...{ produced_by: { stage: 'transitioned', version: '2' }, cluster_id: `sto_${story}`, lifecycle_state },
  ...{ previous_state: null, rule: 'test', facts: {}, evaluated_at: at(hours) },
})

function topicOf(event: MatchedIn): string {
  if ('tick_at' in event) return clockTicked.name
  if ('conditions' in event) return monitorsChanged.name
  if ('lifecycle_state' in event) return storiesTransitioned.name
  return 'decision' in event ? articlesClustered.name : articlesAnalyzed.name
}

const momentOf = (event: MatchedIn): number => {
  if ('tick_at' in event) return event.tick_at
  return 'updated_at' in event ? event.updated_at : event.occurred_at
}

/** Runs events through the stage as the runtime does; the log takes each at its own time. */
export function liveMatched(events: readonly MatchedIn[], { budget = 1_000, restartEvery = Infinity } = {}) {
  const stage = matched({ budget })
  let state: MatchedState = emptyState()
  const changelog: MatchedUpdate[] = []
  const emitted: StoryMatched[] = []
  const next = new Map<string, number>()
  for (const [i, event] of events.entries()) {
    if (i % restartEvery === restartEvery - 1) state = restoredMatched(changelog)
    const topic = topicOf(event)
    const offset = next.get(topic) ?? 0
    next.set(topic, offset + 1)
    const input: Input<MatchedIn> = { event, topic, place: { topic, partition: 0, offset }, loggedAt: momentOf(event) }
    const decided = stage.decide(state, input)
    if (decided.kind === 'deferred') throw new Error('this stage decides at once')
    changelog.push(...decided.remember)
    for (const entry of decided.remember) state = evolve(state, entry)
    if (decided.kind === 'emit') emitted.push(...decided.events)
  }
  return { state, changelog, emitted }
}

/** The state from the newest entry of each key, as the compacted changelog has it, in another order. */
export const restoredMatched = (changelog: readonly MatchedUpdate[]): MatchedState =>
  [...new Map(changelog.map((entry) => [entry.key, entry])).values()].toReversed().reduce(evolve, emptyState())

/** Monitor, story and whether the channels receive it. */
export const matchesOf = (emitted: readonly StoryMatched[]) =>
  emitted.map(({ type, monitor_id, stories, notify }) => [
    type.slice('monitor.'.length),
    monitor_id.slice(4),
    stories.map(({ cluster_id }) => cluster_id.slice(4)).join(),
    notify,
  ])
