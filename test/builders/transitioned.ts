import { articlesClustered, type ArticleClustered, NO_MEMBER } from '../../src/events/ledger.ts'
import { storiesEnriched, type StoryEnriched } from '../../src/events/discourse.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../src/events/lifecycle.ts'
import { LIFECYCLE, type LifecycleNumbers } from '../../src/domain/lifecycle/lifecycle.ts'
import { clockTicked, type ClockTicked } from '../../src/events/settings.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import { evolve, emptyState, type TransitionedState } from '../../src/stages/transitioned/memory.ts'
import type { TransitionedRecord } from '../../src/stages/transitioned/changelog.ts'
import { transitioned } from '../../src/stages/transitioned/stage.ts'
import { A_DAY } from './articles.ts'
import { aStoryArticle } from './discourse.ts'
import { anEnrichedStory } from './views.ts'

const HOUR_MS = 3_600_000

/** Milliseconds since 1970, so many hours after noon of `A_DAY`. */
export const at = (hours: number): number => A_DAY + hours * HOUR_MS

/** An article with a text of its own, `hours` after noon. */
export const anArticle = (
  story: string,
  id: string,
  hours: number,
  over: { readonly group?: string; readonly family?: string; readonly derived_from?: string } = {},
): ArticleClustered => ({
  ...aStoryArticle({ cluster_id: `sto_${story}`, article_id: `art_${id}`, occurred_at: at(hours) }),
  event_id: `evt_${story}_${id}_${hours}`,
  origin: {
    syndication_group: over.group ?? `syn_${id}`,
    duplicate_of: null,
    derived_from: over.derived_from ?? null,
    translation: null,
    containment: 0,
  },
  member: { ...aStoryArticle().member, publisher_family: over.family ?? null },
})

type TransitionedAction = 'merged' | 'split' | 'moved' | 'corrected' | 'rebuilt'

/** The articles go from one story to another. */
export const aChange = (
  action: TransitionedAction,
  [from, to]: readonly [string, string],
  articles: readonly string[],
  correction: NonNullable<ArticleClustered['change']>['correction'] = null,
): ArticleClustered => ({
  ...aStoryArticle({ action, cluster_id: `sto_${to}`, article_id: '', content_hash: '' }),
  event_id: `evt_${action}_${from}_${to}_${articles.join('_')}`,
  member: NO_MEMBER,
  change: {
    from_cluster_id: `sto_${from}`,
    article_ids: articles.map((id) => `art_${id}`),
    rebuild_day: null,
    rebuilt_from: null,
    subjects: [],
    correction,
  },
})

export const aTick = (hours: number): ClockTicked => ({
  event_id: `evt_tick_${hours}`,
  namespace: 'shared',
  tick_at: at(hours),
  flush: false,
})

/** A row of twelve hot posts on reddit, the newest of them `hours` after noon. */
export const aReception = (story: string, hours: number, over: Partial<StoryEnriched> = {}): StoryEnriched =>
  anEnrichedStory({
    cluster_id: `sto_${story}`,
    occurred_at: at(hours),
    controversy_score: 0.8,
    sample: { posts: 12, authors: 9, window_start: at(hours - 1), window_end: at(hours) },
    ...over,
  })

export type TransitionedIn = ArticleClustered | StoryEnriched | StoryTransitioned | ClockTicked

const topicOf = (event: TransitionedIn): string => {
  if ('tick_at' in event) return clockTicked.name
  if ('lifecycle_state' in event) return storiesTransitioned.name
  return 'platform' in event ? storiesEnriched.name : articlesClustered.name
}

const momentOf = (event: TransitionedIn): number => ('tick_at' in event ? event.tick_at : event.occurred_at)

interface TransitionedOptions {
  readonly budget?: number
  readonly atOnce?: number
  readonly numbers?: LifecycleNumbers
}

/** Runs events through the stage as the runtime does; offsets count topic by topic, the log takes each at its own time. */
export function live(
  events: readonly TransitionedIn[],
  { budget = 1_000, atOnce, numbers = LIFECYCLE }: TransitionedOptions = {},
) {
  const stage = transitioned({ numbers, budget, ...(atOnce === undefined ? {} : { atOnce }) })
  let state: TransitionedState = emptyState()
  const changelog: Entry<TransitionedRecord>[] = []
  const emitted: StoryTransitioned[] = []
  const reasons: string[] = []
  const next = new Map<string, number>()
  for (const event of events) {
    const topic = topicOf(event)
    const offset = next.get(topic) ?? 0
    next.set(topic, offset + 1)
    const input: Input<TransitionedIn> = {
      event,
      topic,
      place: { topic, partition: 0, offset },
      loggedAt: momentOf(event),
    }
    const decided = stage.decide(state, input)
    if (decided.kind === 'deferred') throw new Error('this stage decides at once')
    changelog.push(...decided.remember)
    for (const entry of decided.remember) state = evolve(state, entry, numbers)
    if (decided.kind === 'emit') emitted.push(...decided.events)
    else reasons.push(decided.reason)
  }
  return { stage, state, changelog, emitted, reasons }
}

/** Story, state and hours after noon of each transition. */
export const moves = (emitted: readonly StoryTransitioned[]) =>
  emitted.map((e) => [e.cluster_id.slice(4), e.lifecycle_state, (e.evaluated_at - A_DAY) / HOUR_MS])

/** What a state says, whatever the order its parts were put in. */
export const contentOf = (state: TransitionedState): unknown => ({
  size: state.size,
  namespaces: [...state.namespaces].map(([name, held]) => ({
    name,
    articles: [...held.articles.inOrder().values()].sort((a, b) => (a.article_id < b.article_id ? -1 : 1)),
    awake: [...held.awake].map(({ clusterId }) => clusterId).sort(),
    stories: [...held.stories.values()]
      .map(({ clusterId, articles, known }) => ({ clusterId, articles: [...articles.keys()].sort(), known }))
      .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1)),
  })),
})
