import type { ArticleScored, EntityType } from '../../src/events/articles.ts'
import { articlesScored } from '../../src/events/articles.ts'
import type { ChangePublished } from '../../src/events/changes.ts'
import { storiesEnriched, type StoryEnriched } from '../../src/events/discourse.ts'
import { articlesClustered, NO_MEMBER, type ArticleClustered, type ClusterAction } from '../../src/events/ledger.ts'
import { storiesTransitioned, type LifecycleState, type StoryTransitioned } from '../../src/events/lifecycle.ts'
import { storiesMatched, type StoryMatched } from '../../src/events/monitors.ts'
import { trendsDetected, type TrendDetected } from '../../src/events/trends.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import type { ChangedState } from '../../src/stages/changed/memory.ts'
import type { ChangedRecord } from '../../src/stages/changed/changelog.ts'
import { changed } from '../../src/stages/changed/stage.ts'
import { A_DAY, aScoredArticle } from './articles.ts'
import { aStoryArticle } from './discourse.ts'
import { aMatch } from './monitors.ts'
import { anEnrichedStory } from './views.ts'

const HOUR_MS = 3_600_000

/** Milliseconds since 1970, so many hours after noon of `A_DAY`. */
export const at = (hours: number): number => A_DAY + hours * HOUR_MS

export type ChangedIn =
  ArticleScored | ArticleClustered | StoryTransitioned | StoryEnriched | TrendDetected | StoryMatched

/** An article with a text of its own; another `text` is another revision. */
export const scored = (id: string, text = 'first', over: Partial<ArticleScored> = {}): ArticleScored => ({
  ...A_SCORED,
  event_id: `evt_scored_${id}_${text}`,
  article_id: `art_${id}`,
  content_hash: `hash_${id}_${text}`,
  ...over,
})

const A_SCORED = aScoredArticle()

interface PlacedOptions {
  readonly action?: 'opened' | 'joined' | 'revised'
  readonly names?: string
  readonly types?: Readonly<Record<string, EntityType>>
  readonly namespace?: string
  readonly title?: string | null
  /** What it prints: by default a text of its own. */
  readonly text?: string
  readonly family?: string | null
  /** The id of the article that it quotes. */
  readonly quotes?: string
}

/** A line of the ledger: the article comes to a story. It names `ent_x` for each word `x` of `names`. */
export const placed = (
  story: string,
  id: string,
  { action = 'joined', names = 'ada', types = {}, namespace = 'shared', ...own }: PlacedOptions = {},
): ArticleClustered => ({
  ...A_PLACING,
  event_id: `evt_${action}_${story}_${id}_${names}`,
  namespace,
  action,
  cluster_id: `sto_${story}`,
  article_id: `art_${id}`,
  origin: {
    ...{ syndication_group: `syn_${own.text ?? id}`, duplicate_of: null, translation: null, containment: 0 },
    derived_from: own.quotes === undefined ? null : `art_${own.quotes}`,
  },
  member: {
    ...A_PLACING.member,
    title: own.title === undefined ? `Title ${id}` : own.title,
    publisher_family: own.family ?? null,
    entities: names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => ({
        entity_id: `ent_${name}`,
        name,
        type: types[name] ?? 'PERSON',
        mention_count: 1,
        country: null,
        sentiment_score: null,
      })),
  },
})

const A_PLACING = aStoryArticle()

type MovingAction = Exclude<ClusterAction, 'opened' | 'joined' | 'revised'>

/** Articles go from one story to another. */
export const moving = (
  action: MovingAction,
  [from, to]: readonly [string, string],
  ids: readonly string[],
  word: { readonly action: string; readonly refused?: string | null } | null = null,
): ArticleClustered => ({
  ...A_PLACING,
  event_id: `evt_${action}_${word?.action ?? ''}_${from}_${to}_${ids.join('_')}`,
  action,
  cluster_id: `sto_${to}`,
  article_id: '',
  content_hash: '',
  member: NO_MEMBER,
  change: {
    from_cluster_id: `sto_${from}`,
    article_ids: ids.map((id) => `art_${id}`),
    rebuild_day: null,
    rebuilt_from: null,
    subjects: [],
    correction:
      word === null
        ? null
        : { correction_id: 'cor_a', action: word.action, refused: word.refused ?? null, reason: null, key_id: 'k' },
  },
})

/** A story goes from one state to another, so many hours after noon. */
export const transition = (
  story: string,
  [previous, state]: readonly [LifecycleState | null, LifecycleState],
  hours: number,
  over: Partial<StoryTransitioned> = {},
): StoryTransitioned => ({
  event_id: `evt_${story}_${state}_${hours}`,
  namespace: 'shared',
  occurred_at: at(hours),
  caused_by: null,
  produced_by: { stage: 'transitioned', version: '1' },
  cluster_id: `sto_${story}`,
  lifecycle_state: state,
  previous_state: previous,
  rule: state,
  facts: { last_article_age_hours: 2 },
  evaluated_at: at(hours),
  ...over,
})

export const reception = (story: string, hours: number, over: Partial<StoryEnriched> = {}): StoryEnriched =>
  anEnrichedStory({
    event_id: `evt_enriched_${story}_${over.platform ?? 'reddit'}_${hours}`,
    cluster_id: `sto_${story}`,
    occurred_at: at(hours),
    ...over,
  })

export const detection = (
  type: TrendDetected['type'],
  subject_id: string,
  over: Partial<TrendDetected> = {},
): TrendDetected => ({
  event_id: `evt_${type}_${subject_id}`,
  namespace: 'shared',
  occurred_at: at(0),
  caused_by: null,
  produced_by: { stage: 'detected', version: '1' },
  type,
  subject_id,
  name: 'Harbour bridge',
  category: type === 'trend.detected' ? 'politics' : null,
  velocity: 6.5,
  baseline: 2,
  window_hours: 6,
  count: 13,
  origins: 4,
  p_value: type === 'entity.spike' ? 0.0001 : null,
  sentiment_before: type === 'sentiment.shift' ? 0.4 : null,
  sentiment_after: type === 'sentiment.shift' ? -0.2 : null,
  low_support: false,
  ...over,
})

/** A story matches the monitor `mon_a` of `key_a`. */
export const matched = (story: string, over: Partial<StoryMatched> = {}): StoryMatched => {
  const match = aMatch({ event_id: `evt_matched_${story}`, ...over })
  return { ...match, stories: match.stories.map((one) => ({ ...one, cluster_id: `sto_${story}` })) }
}

export const topicOf = (event: ChangedIn): string => {
  if ('monitor_id' in event) return storiesMatched.name
  if ('gate_reason' in event) return articlesScored.name
  if ('action' in event) return articlesClustered.name
  if ('lifecycle_state' in event) return storiesTransitioned.name
  return 'platform' in event ? storiesEnriched.name : trendsDetected.name
}

/** A stage as it runs, one event at a time; offsets count topic by topic. `restart` rebuilds it from its changelog. */
export function aTeller({ budget = 1_000 }: { readonly budget?: number } = {}) {
  const stage = changed({ budget })
  let state: ChangedState = stage.memory.empty()
  const changelog: Entry<ChangedRecord>[] = []
  const next = new Map<string, number>()
  return {
    stage,
    changelog,
    state: () => state,
    /** What it tells, or why it tells nothing. */
    hear: (event: ChangedIn): ChangePublished | string => {
      const topic = topicOf(event)
      const offset = next.get(topic) ?? 0
      next.set(topic, offset + 1)
      const input: Input<ChangedIn> = {
        event,
        topic,
        place: { topic, partition: 0, offset },
        loggedAt: event.occurred_at,
      }
      const decided = stage.decide(state, input)
      changelog.push(...decided.remember)
      for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
      const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
      if (outcome.kind !== 'emit') return outcome.reason
      const [line, ...others] = outcome.events
      if (line === undefined || others.length > 0) throw new Error('one line an input, or none')
      return line
    },
    /** Remembers these entries only. */
    restore: (entries: readonly Entry<ChangedRecord>[]): void => {
      state = entries.reduce((before, entry) => stage.memory.evolve(before, entry), stage.memory.empty())
    },
    /** Remembers only what a compacted changelog holds, in whatever order. */
    restart: (inOrder: (keys: readonly string[]) => readonly string[] = (keys) => keys): void => {
      const newest = new Map(changelog.map((entry) => [entry.key, entry]))
      state = stage.memory.empty()
      for (const key of inOrder([...newest.keys()]))
        state = stage.memory.evolve(state, newest.get(key) ?? { key, value: null })
    },
  }
}

/** Runs events through the stage as the runtime does. */
export function live(events: readonly ChangedIn[], given: { readonly budget?: number } = {}) {
  const teller = aTeller(given)
  const heard = events.map((event) => teller.hear(event))
  return {
    ...teller,
    /** By event. */
    heard,
    changes: heard.filter((one) => typeof one !== 'string'),
    reasons: heard.filter((one) => typeof one === 'string'),
  }
}

/** What a line tells, as its readers get it. */
export const news = ({ type, data }: ChangePublished): readonly [string, unknown] => [type, JSON.parse(data)]

/** What a state says, whatever the order its parts were put in. */
export const contentOf = (state: ChangedState): unknown => ({
  size: state.size,
  namespaces: [...state.namespaces]
    .map(([name, held]) => ({
      name,
      articles: [...held.articles.inOrder().values()]
        .map(({ article_id: id, arrival, told: revisions, story, entities, member }) => ({
          ...{ id, arrival, told: revisions, story: story?.clusterId ?? null, member },
          entities: entities.map((one) => one.id),
        }))
        .sort((a, b) => a.arrival - b.arrival),
      entities: [...held.entities.values()].map(({ id, name, articles }) => `${id} ${name} ${articles}`).sort(),
      stories: [...held.stories.values()]
        .map(({ clusterId, articles, known }) => ({
          clusterId,
          known,
          articles: [...articles].map(({ article_id }) => article_id).sort(),
        }))
        .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
})
