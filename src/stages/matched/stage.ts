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
import { emptyState, evolve, noMatching, type MatchedNamespace, type MatchedState } from './memory.ts'
import { evict, leftStory, moved } from './moves.ts'
import { published, released } from './publish.ts'
import { waiting } from './waiting.ts'

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
    onTopic(monitorsChanged, (_, input) => onMonitor(input)),
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

/** A paused monitor is forgotten; when it is active again, it considers what arrives from then on. */
function onMonitor({ event }: Input<MonitorChanged>): MatchedOutcome {
  const { namespace, monitor_id, status } = event
  if (status !== 'active') {
    const keys = [monitorKey(namespace, monitor_id), ...(status === 'deleted' ? [paceKey(namespace, monitor_id)] : [])]
    return { ...skip('not_active'), remember: keys.map(tombstone) }
  }
  const { owner, name, conditions, conditions_version, quiet_hours, digest_at, time_zone, max_per_day } = event
  const times = { quiet_hours, digest_at, time_zone, max_per_day }
  const monitor = { monitor_id, owner, name, conditions, conditions_version, ...times }
  return { ...skip('remembered'), remember: [matchedMonitorEntry(namespace, monitor)] }
}

/** The text of an article is compared before the article is in a story, since the ledger does not repeat it. */
function onText(state: MatchedState, { event }: Input<ArticleAnalyzed>, budget: number): MatchedOutcome {
  const { namespace, article_id, title, text, direct } = event
  if (direct) return { ...skip('not_clustered'), remember: [] }
  const held = heldIn(state, event)
  const known = held.articles.get(article_id)
  const searched = searchedText(title, text)
  const text_hits = [...held.monitors.values()]
    .filter(({ compiled }) => compiled.text?.(searched) === true)
    .map(({ hit }) => hit)
    .sort()
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
      ? leftStory(held, event, before)
      : known === undefined
        ? evict(state, { namespace, cluster_id, budget })
        : []
  const staying = othersIn(held, cluster_id, new Set([event.article_id]))
  const story = withArticles(knownOf(held, cluster_id), [...staying, article])
  return compared(held, input, { story, remember: [matchedArticleEntry(namespace, article), ...others] })
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
    .filter(
      ({ hit, compiled }) => (compiled.text === null || known.text_hits.includes(hit)) && compiled.article(toMatch),
    )
    .map(({ hit }) => hit)
    .sort()
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
  const { moving, known, remember } = moved(held, event, change)
  if (moving.length === 0) return { ...skip('nothing_moved'), remember }
  const staying = othersIn(held, event.cluster_id, new Set(moving.map(({ article_id }) => article_id)))
  const story = withArticles(known, [...staying, ...moving])
  return compared(held, input, { story, remember })
}

/** A transition evaluated for an earlier time than the known one changes nothing. */
function onTransition(state: MatchedState, input: Input<StoryTransitioned>): MatchedOutcome {
  const { namespace, cluster_id, lifecycle_state, evaluated_at } = input.event
  const held = heldIn(state, input.event)
  const story = held.stories.get(cluster_id)
  if (story === undefined) return { ...skip('unknown_story'), remember: [] }
  const before = knownOf(held, cluster_id)
  if (evaluated_at < (before.evaluated_at ?? -Infinity)) return { ...skip('earlier_moment'), remember: [] }
  const known = { ...before, lifecycle_state, evaluated_at }
  const evaluated = { known, articles: [...story.articles], at: evaluated_at }
  return compared(held, input, { story: evaluated, remember: [matchedStoryEntry(namespace, known)] })
}

function onTick(state: MatchedState, input: Input<ClockTicked>): MatchedOutcome {
  const { event, place, loggedAt } = input
  const held = heldIn(state, event)
  const cause = { event: { ...event, occurred_at: event.tick_at }, place }
  const grown = waiting(held, event.tick_at).map((story) => ({
    story,
    matches: newMatches(held, story, ({ compiled }) => compiled.dependsOnTime),
  }))
  const digests = released(held, { cause, loggedAt })
  const news = published(
    { ...held, paces: digests.paces },
    { cause, loggedAt },
    grown.flatMap(({ matches }) => matches),
  )
  const events = [...digests.events, ...news.events]
  return {
    ...(events.length === 0 ? skip('nothing_changed') : emit(...events)),
    remember: [
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
  if (matches.length === 0) return { ...skip('no_match'), remember }
  const news = published(held, { cause: { event, place }, loggedAt }, matches)
  return {
    ...emit(...news.events),
    // after the story's own update: the later entry of a key replaces the earlier one
    remember: [...remember, matchedEntry(event.namespace, story, matches), ...news.remember],
  }
}

/** What is known of a story after it matched. */
const matchedEntry = (namespace: string, { known }: EvaluatedStory, matches: readonly StoryMatch[]): MatchedUpdate => {
  const published = [...known.published, ...matches.map(({ monitor }) => monitor.hit)].sort()
  return matchedStoryEntry(namespace, { ...known, published })
}

/** Evaluated for the event time of its newest article. */
const withArticles = (known: MatchedStoryRecord, articles: readonly MatchedArticleRecord[]): EvaluatedStory => ({
  known,
  articles,
  at: articles.reduce((newest, { occurred_at }) => Math.max(newest, occurred_at), -Infinity),
})

const knownOf = ({ stories }: MatchedNamespace, clusterId: string): MatchedStoryRecord =>
  stories.get(clusterId)?.known ?? unmatchedStory(clusterId)

/** The articles of a story without some. */
const othersIn = ({ stories }: MatchedNamespace, clusterId: string, without: ReadonlySet<string>) =>
  [...(stories.get(clusterId)?.articles ?? [])].filter(({ article_id }) => !without.has(article_id))
