import { articleToMatch } from '../../domain/monitors/conditions.ts'
import { searchedText } from '../../domain/monitors/query.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import { isRefused } from '../../events/ledger-change.ts'
import { articlesClustered, isOfEvictedStory, type ArticleClustered, type StoryChange } from '../../events/ledger.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import { monitorsChanged, storiesMatched, type MonitorChanged, type StoryMatched } from '../../events/monitors.ts'
import { clockTicked, type ClockTicked } from '../../events/settings.ts'
import { STAGES } from '../../events/stages.ts'
import { byTopic, emit, onTopic, skip, type Decided, type Input, type MemoryStage } from '../../runtime/shapes.ts'
import { tombstone } from '../../state/entry.ts'
import {
  matchedArticleEntry,
  matchedMemory,
  matchedMonitorEntry,
  matchedStoryEntry,
  monitorKey,
  paceKey,
  unmatchedStory,
  type MatchedArticleRecord,
  type MatchedRecord,
  type MatchedStoryRecord,
  type MatchedUpdate,
} from './changelog.ts'
import { newMatches, type EvaluatedStory, type StoryMatch } from './evaluate.ts'
import {
  emptyState,
  evolve,
  noMatching,
  type MatchedNamespace,
  type MatchedState,
  type MatchingStory,
} from './memory.ts'
import { evict, forgottenSince, leftStory, moved } from './moves.ts'
import { published, released, withoutHeld } from './publish.ts'
import { storiesInTime } from './waiting.ts'

export interface MatchedDependencies {
  /** Articles kept, over all namespaces of a partition; the oldest are evicted first. */
  readonly budget: number
}

type MatchedInput = ArticleAnalyzed | ArticleClustered | StoryTransitioned | MonitorChanged | ClockTicked
export type MatchedStage = MemoryStage<MatchedState, MatchedInput, StoryMatched, MatchedRecord>
type MatchedOutcome = Decided<StoryMatched, MatchedRecord>

/**
 * Compares stories with monitors whenever a story changes, and emits each story once per monitor and version of its
 * conditions. The conditions on articles are compared with articles that arrive after the monitor; those on stories with
 * all articles of the story.
 */
export const matched = ({ budget }: MatchedDependencies): MatchedStage => ({
  name: STAGES.matched.stage,
  version: STAGES.matched.version,
  writes: storiesMatched,
  memory: { changelog: matchedMemory, empty: emptyState, evolve },
  ...byTopic<MatchedState, MatchedOutcome>([
    onTopic(monitorsChanged, onMonitor),
    onTopic(articlesAnalyzed, (state, input) => onText(state, input, budget)),
    onTopic(articlesClustered, (state, input) =>
      input.event.change === null ? onArticle(state, input, budget) : onChange(state, input, input.event.change),
    ),
    onTopic(storiesTransitioned, onTransition),
    onTopic(clockTicked, onTick),
  ]),
})

const heldIn = ({ namespaces }: MatchedState, { namespace }: { readonly namespace: string }): MatchedNamespace =>
  namespaces.get(namespace) ?? noMatching()

/** A paused or deleted monitor loses what it held back. */
function onMonitor(state: MatchedState, { event, place }: Input<MonitorChanged>): MatchedOutcome {
  const { namespace, monitor_id, status, conditions_version } = event
  const held = heldIn(state, event)
  const dropped = status === 'active' ? [] : withoutHeld(held, namespace, monitor_id)
  if (status === 'deleted') {
    const keys = [monitorKey(namespace, monitor_id), paceKey(namespace, monitor_id)]
    return { ...skip('deleted'), remember: [...dropped, ...keys.map(tombstone)] }
  }
  const known = held.monitors.get(monitor_id)
  const number = known?.conditions_version === conditions_version ? known.number : place.offset
  const { owner, name, conditions, quiet_hours, digest_at, time_zone, max_per_day } = event
  const times = { quiet_hours, digest_at, time_zone, max_per_day }
  const facts = { monitor_id, owner, name, conditions, conditions_version, ...times }
  const monitor = { ...facts, number, active: status === 'active' }
  return { ...skip('remembered'), remember: [...dropped, matchedMonitorEntry(namespace, monitor)] }
}

/** The text of an article is compared before the article is in a story, since the ledger does not repeat it. */
function onText(state: MatchedState, { event }: Input<ArticleAnalyzed>, budget: number): MatchedOutcome {
  const { namespace, article_id, title, text, direct } = event
  if (direct) return { ...skip('not_clustered'), remember: [] }
  const held = heldIn(state, event)
  const known = held.articles.get(article_id)
  const searched = searchedText(title, text)
  const text_hits = [...held.monitors.values()]
    .filter(({ active, compiled }) => active && compiled.text?.(searched) === true)
    .map(({ number }) => number)
    .sort(ascending)
  if (text_hits.join() === (known?.text_hits ?? []).join()) return { ...skip('no_news'), remember: [] }
  const evicted = known === undefined ? evict(state, { namespace, cluster_id: null, budget }) : []
  const article = { ...(known ?? arriving(held, event)), text_hits }
  return { ...skip('text_remembered'), remember: [matchedArticleEntry(namespace, article), ...evicted] }
}

const arriving = (
  { articles }: MatchedNamespace,
  { article_id, occurred_at }: Pick<ArticleAnalyzed, 'article_id' | 'occurred_at'>,
): MatchedArticleRecord => ({
  article_id,
  arrival: Math.max(-1, articles.newest) + 1,
  cluster_id: null,
  occurred_at,
  log_order: -1,
  syndication_group: '',
  publisher_family: null,
  derived_from: null,
  sentiment_score: 0,
  ...{ text_hits: [], hits: [], ...NO_TITLE },
})

function onArticle(state: MatchedState, input: Input<ArticleClustered>, budget: number): MatchedOutcome {
  const { event } = input
  const { namespace, cluster_id } = event
  const held = heldIn(state, event)
  const known = held.articles.get(event.article_id)
  const before = known?.cluster_id == null ? undefined : known
  if (isOfEvictedStory(event, before)) return { ...skip('evicted_story'), remember: [] }

  const article = placed(held, input, known ?? arriving(held, event))
  const others =
    before !== undefined
      ? leftStory(held, input, before)
      : known === undefined
        ? evict(state, { namespace, cluster_id, budget })
        : []
  const remember = [matchedArticleEntry(namespace, article), ...others]
  return compared(held, input, { story: joined(held, knownOf(held, cluster_id), [article]), remember })
}

/** The article as it is in its story, with the monitors whose conditions on articles it meets. */
function placed(
  { monitors }: MatchedNamespace,
  { event, place }: Input<ArticleClustered>,
  known: MatchedArticleRecord,
): MatchedArticleRecord {
  const { member, origin, cluster_id, occurred_at } = event
  const toMatch = articleToMatch(member)
  const hits = [...monitors.values()]
    .filter(({ active }) => active)
    .filter(({ number, compiled }) => compiled.text === null || known.text_hits.includes(number))
    .filter(({ compiled }) => compiled.article(toMatch))
    .map(({ number }) => number)
    .sort(ascending)
  const { title, url, source } = hits.length > 0 ? member : NO_TITLE
  return {
    ...known,
    ...{ cluster_id, occurred_at, hits, title, url, source },
    log_order: known.log_order === -1 ? place.offset : known.log_order,
    syndication_group: origin?.syndication_group ?? member.semantic_hash,
    publisher_family: member.publisher_family,
    derived_from: origin?.derived_from ?? null,
    sentiment_score: member.sentiment_score,
  }
}

const NO_TITLE = { title: null, url: null, source: null }

function onChange(state: MatchedState, input: Input<ArticleClustered>, change: StoryChange): MatchedOutcome {
  const { event } = input
  if (isRefused(change)) return { ...skip('refused'), remember: [] }
  const held = heldIn(state, event)
  const { moving, known, remember } = moved(held, input, change)
  if (moving.length === 0) return { ...skip('nothing_moved'), remember }
  return compared(held, input, { story: joined(held, known, moving), remember })
}

/** A transition evaluated for an earlier time than the known one changes nothing. */
function onTransition(state: MatchedState, input: Input<StoryTransitioned>): MatchedOutcome {
  const { namespace, cluster_id, lifecycle_state, evaluated_at } = input.event
  const held = heldIn(state, input.event)
  const story = held.stories.get(cluster_id)
  if (story === undefined || story.articles.size === 0) return { ...skip('unknown_story'), remember: [] }
  const before = knownOf(held, cluster_id)
  if (evaluated_at < (before.evaluated_at ?? -Infinity)) return { ...skip('earlier_moment'), remember: [] }
  const known = { ...before, lifecycle_state, evaluated_at }
  const evaluated = { ...joined(held, known, []), at: evaluated_at }
  return compared(held, input, { story: evaluated, remember: [matchedStoryEntry(namespace, known)] })
}

function onTick(state: MatchedState, input: Input<ClockTicked>): MatchedOutcome {
  const { event, place, loggedAt } = input
  const held = heldIn(state, event)
  const cause = { event: { ...event, occurred_at: event.tick_at }, place }
  const grown = storiesInTime(held, event.tick_at).map((story) => ({
    story,
    matches: newMatches(held, story, ({ compiled }) => compiled.dependsOnTime),
  }))
  const digests = released(held, { cause, loggedAt })
  const news = published(
    digests,
    { cause, loggedAt },
    grown.flatMap(({ matches }) => matches),
  )
  const events = [...digests.events, ...news.events]
  return {
    ...(events.length === 0 ? skip('nothing_changed') : emit(...events)),
    remember: [
      ...forgottenSince(held, event.namespace, loggedAt),
      ...digests.remember,
      ...news.remember,
      ...grown.flatMap(({ story, matches }) =>
        matches.length === 0 ? [] : [matchedEntry(event.namespace, story, matches)],
      ),
    ],
  }
}

interface Compared {
  readonly story: EvaluatedStory
  readonly remember: readonly MatchedUpdate[]
}

/** The matches of a story that changed, and the state updates of the change and of the matches. */
function compared(
  held: MatchedNamespace,
  { event, place, loggedAt }: Input<ArticleClustered | StoryTransitioned>,
  { story, remember }: Compared,
): MatchedOutcome {
  const matches = newMatches(held, story)
  const isBack = story.known.emptied_at !== null
  if (matches.length === 0)
    return {
      ...skip('no_match'),
      remember: [...remember, ...(isBack ? [matchedEntry(event.namespace, story, [])] : [])],
    }
  const news = published(held, { cause: { event, place }, loggedAt }, matches)
  return {
    ...emit(...news.events),
    // after the story's own update: the later entry of a key replaces the earlier one
    remember: [...remember, matchedEntry(event.namespace, story, matches), ...news.remember],
  }
}

/** What is known of a story after it matched. */
const matchedEntry = (namespace: string, { known }: EvaluatedStory, matches: readonly StoryMatch[]): MatchedUpdate => {
  const published = [...known.published, ...matches.map(({ monitor }) => monitor.number)].sort(ascending)
  return matchedStoryEntry(namespace, { ...known, published, emptied_at: null })
}

const ascending = (a: number, b: number): number => a - b

/** A story with some articles in addition, or in place of what they were before. */
function joined(
  held: MatchedNamespace,
  known: MatchedStoryRecord,
  articles: readonly MatchedArticleRecord[],
): EvaluatedStory {
  const story = held.stories.get(known.cluster_id)
  const ids = new Set(articles.map(({ article_id }) => article_id))
  const others = (): readonly MatchedArticleRecord[] =>
    [...(story?.articles ?? [])].filter(({ article_id }) => !ids.has(article_id))
  const before = [...ids]
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter((one) => story?.articles.has(one) === true)
  return { known, hits: hitsWith(articles, { story, before }), articles: () => [...others(), ...articles], at: null }
}

interface HitsBefore {
  readonly story: MatchingStory | undefined
  /** Earlier revisions of the articles in the story. */
  readonly before: readonly MatchedArticleRecord[]
}

/** The monitors that a story hits with some articles. Those that only an earlier revision hit are left out. */
function hitsWith(articles: readonly MatchedArticleRecord[], { story, before }: HitsBefore): ReadonlySet<number> {
  const counts = new Map(story?.hits)
  for (const number of before.flatMap(({ hits }) => hits)) counts.set(number, (counts.get(number) ?? 0) - 1)
  const others = [...counts].flatMap(([number, count]) => (count > 0 ? [number] : []))
  return new Set([...others, ...articles.flatMap(({ hits }) => hits)])
}

const knownOf = ({ stories }: MatchedNamespace, clusterId: string): MatchedStoryRecord =>
  stories.get(clusterId)?.known ?? unmatchedStory(clusterId)
