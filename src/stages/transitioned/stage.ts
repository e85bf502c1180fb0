import { articleEntry, storyEntry } from '../../state/entry.ts'
import { articlesClustered, isOfEvictedStory, type ArticleClustered, type StoryChange } from '../../events/ledger.ts'
import { isRefused } from '../../events/ledger-change.ts'
import { storiesEnriched, type StoryEnriched } from '../../events/discourse.ts'
import { derivedEnvelope } from '../../state/derived-envelope.ts'
import { STAGES } from '../../events/stages.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import {
  lifecycle,
  reason,
  type Evaluation,
  type Fired,
  type LifecycleNumbers,
} from '../../domain/lifecycle/lifecycle.ts'
import { clockTicked, type ClockTicked } from '../../events/settings.ts'
import { byTopic, onTopic, emit, skip, type Decided, type Input, type MemoryStage } from '../../runtime/shapes.ts'
import { coverage } from './coverage.ts'
import {
  evolve,
  knownOf,
  noStories,
  emptyState,
  type TransitionedState,
  type TransitionedStories,
  type TransitionedStory,
} from './memory.ts'
import { leftStory, moved, evict } from './moves.ts'
import { transitionedMemory, type TransitionedRecord, type TransitionedArticleRecord } from './changelog.ts'

/** Transitions emitted at one tick; the rest follow with the next, so that a large import is not one huge transaction. */
const AT_ONCE = 5_000

export interface TransitionedDependencies {
  readonly numbers: LifecycleNumbers
  /** Articles kept, over all namespaces of a partition; the oldest are evicted first. */
  readonly budget: number
  /** Transitions emitted at one tick; 5,000 by default. */
  readonly atOnce?: number
}

type TransitionedInput = ArticleClustered | StoryEnriched | ClockTicked | StoryTransitioned
export type TransitionedStage = MemoryStage<TransitionedState, TransitionedInput, StoryTransitioned, TransitionedRecord>
type TransitionedOutcome = Decided<StoryTransitioned, TransitionedRecord>

/**
 * Moves stories from one lifecycle state to the next as time passes. It evaluates them only on ticks, for the tick's
 * time. It also reads its own output topic, since the API writes there the transitions that a caller requested.
 */
export const transitioned = ({ numbers, budget, atOnce = AT_ONCE }: TransitionedDependencies): TransitionedStage => ({
  name: STAGES.transitioned.stage,
  version: STAGES.transitioned.version,
  writes: storiesTransitioned,
  memory: {
    changelog: transitionedMemory,
    empty: emptyState,
    evolve: (state, change) => evolve(state, change, numbers),
  },
  ...byTopic<TransitionedState, TransitionedOutcome>([
    onTopic(articlesClustered, (state, input) =>
      input.event.change === null
        ? onArticle(state, input, budget)
        : onChange(storiesIn(state, input), input.event, input.event.change),
    ),
    onTopic(storiesEnriched, (state, input) => onReception(storiesIn(state, input), input, numbers)),
    onTopic(storiesTransitioned, (state, input) => onTransition(storiesIn(state, input), input.event)),
    onTopic(clockTicked, (state, input) => onTick(storiesIn(state, input), input, { numbers, atOnce })),
  ]),
})

const storiesIn = (
  { namespaces }: TransitionedState,
  { event }: Pick<Input<TransitionedInput>, 'event'>,
): TransitionedStories => namespaces.get(event.namespace) ?? noStories()

function onArticle(
  state: TransitionedState,
  { event, place }: Input<ArticleClustered>,
  budget: number,
): TransitionedOutcome {
  const held = storiesIn(state, { event })
  const known = held.articles.get(event.article_id)
  if (isOfEvictedStory(event, known)) return { ...skip('evicted_story'), remember: [] }
  const article = { ...remembered(event), log_order: known?.log_order ?? place.offset }
  const others = known === undefined ? evict(state, event, budget) : leftStory(held, event, known)
  return { ...skip('remembered'), remember: [articleEntry(event.namespace, article), ...others] }
}

const remembered = ({ origin, member, ...event }: ArticleClustered): Omit<TransitionedArticleRecord, 'log_order'> => ({
  cluster_id: event.cluster_id,
  article_id: event.article_id,
  occurred_at: event.occurred_at,
  syndication_group: origin?.syndication_group ?? member.semantic_hash,
  publisher_family: member.publisher_family,
  derived_from: origin?.derived_from ?? null,
})

function onChange(held: TransitionedStories, event: ArticleClustered, change: StoryChange): TransitionedOutcome {
  const remember = isRefused(change) ? [] : moved(held, event, change)
  return { ...skip(remember.length === 0 ? 'nothing_moved' : 'moved'), remember }
}

function onReception(
  held: TransitionedStories,
  { event, loggedAt }: Input<StoryEnriched>,
  numbers: LifecycleNumbers,
): TransitionedOutcome {
  const { namespace, cluster_id, platform, sample } = event
  if (!numbers.contested.platforms.includes(platform)) return { ...skip('platform_does_not_count'), remember: [] }
  const story = held.stories.get(cluster_id)
  if (story === undefined) return { ...skip('unknown_story'), remember: [] }

  const known = knownOf(story)
  const others = Object.entries(known.receptions).filter(([name]) => name !== platform)
  const own = {
    controversy_score: event.controversy_score,
    counter_narrative_confidence: event.counter_narrative_confidence,
    posts: sample.posts,
    newest_post: sample.window_end,
    updated: loggedAt,
  }
  const receptions = Object.fromEntries(sample.posts === 0 ? others : [...others, [platform, own] as const])
  return { ...skip('remembered'), remember: [storyEntry(namespace, { ...known, receptions })] }
}

/**
 * Those that the stage decided are in its state already, or are of the version that it is compared with. A transition
 * evaluated for an earlier time than the known one changes nothing.
 */
function onTransition(
  held: TransitionedStories,
  { namespace, cluster_id, lifecycle_state, evaluated_at, produced_by }: StoryTransitioned,
): TransitionedOutcome {
  if (produced_by.stage === STAGES.transitioned.stage) return { ...skip('own'), remember: [] }
  const story = held.stories.get(cluster_id)
  if (story === undefined) return { ...skip('unknown_story'), remember: [] }
  const known = knownOf(story)
  const newest = known.evaluated_at ?? -Infinity
  const isKnown = evaluated_at === newest && lifecycle_state === known.lifecycle_state
  if (evaluated_at < newest || isKnown) return { ...skip('known'), remember: [] }
  return {
    ...skip('remembered'),
    remember: [storyEntry(namespace, { ...known, lifecycle_state, evaluated_at })],
  }
}

function onTick(
  held: TransitionedStories,
  input: Input<ClockTicked>,
  { numbers, atOnce }: Required<Omit<TransitionedDependencies, 'budget'>>,
): TransitionedOutcome {
  const { namespace, tick_at } = input.event
  const moves = allMoves(held, tick_at, numbers).slice(0, atOnce)
  if (moves.length === 0) return { ...skip('nothing_changed'), remember: [] }
  return {
    ...emit(...moves.map((one) => transition(input, one, numbers))),
    remember: moves.map(({ story, fired }) =>
      storyEntry(namespace, { ...knownOf(story), lifecycle_state: fired.state, evaluated_at: tick_at }),
    ),
  }
}

/** Ordered by story id, since the order in which stories became awake is not restored. */
function allMoves(held: TransitionedStories, at: number, numbers: LifecycleNumbers): readonly TransitionedMove[] {
  const moves: TransitionedMove[] = []
  for (const story of held.awake) {
    const one = move(story, at, numbers)
    if (one !== null) moves.push(one)
  }
  return moves.sort((a, b) => (a.story.clusterId < b.story.clusterId ? -1 : 1))
}

interface TransitionedMove {
  readonly story: TransitionedStory
  readonly evaluation: Evaluation
  readonly fired: Fired
}

/** `null` if the story keeps its state. A story already evaluated for that time or a later one is skipped. */
function move(story: TransitionedStory, at: number, numbers: LifecycleNumbers): TransitionedMove | null {
  const { evaluated_at, lifecycle_state: previous, receptions: rows } = knownOf(story)
  if ((evaluated_at ?? -Infinity) >= at) return null
  const covered = coverage(story, at, numbers)
  if (covered === null) return null
  const receptions = Object.entries(rows).map(([platform, row]) => ({ platform, ...row }))
  const evaluation = { facts: { ...covered, receptions }, previous, at }
  const fired = lifecycle(evaluation, numbers)
  return fired.state === previous ? null : { story, evaluation, fired }
}

/** A story moves at most once per tick, so the event id is derived from tick and story. */
function transition(
  { event, place }: Input<ClockTicked>,
  { story, evaluation, fired }: TransitionedMove,
  numbers: LifecycleNumbers,
): StoryTransitioned {
  const { rule, values } = reason(fired, evaluation, numbers)
  const about = `${event.event_id}\n${story.clusterId}`
  return {
    ...derivedEnvelope(STAGES.transitioned, { event: { ...event, occurred_at: event.tick_at }, place }, about),
    cluster_id: story.clusterId,
    lifecycle_state: fired.state,
    previous_state: evaluation.previous,
    rule,
    facts: values,
    evaluated_at: event.tick_at,
  }
}
