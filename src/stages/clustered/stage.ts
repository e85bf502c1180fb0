import { DAY_MS } from '../../domain/days.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import { articlesClustered, type ArticleClustered, type Origin } from '../../events/ledger.ts'
import { clusterId } from '../../events/ids.ts'
import { STAGES } from '../../events/stages.ts'
import { clockTicked, correctionsRequested, type ClockTicked, type CorrectionRequested } from '../../events/settings.ts'
import type { Steps } from '../../state/steps.ts'
import {
  byTopic,
  inSteps,
  onTopic,
  emit,
  reject,
  skip,
  type Decided,
  type FoundRows,
  type Input,
  type MemoryStage,
} from '../../runtime/shapes.ts'
import { clusteredAssignments, type EvictedArticle } from './assignments.ts'
import { assignmentConfidence, assignmentOf } from './assignment.ts'
import { regroup, type Regrouped } from './competing.ts'
import { correct } from './correct.ts'
import { features, vectorsOf, type Features } from './features.ts'
import { articlePlaced, storiesChanged, asMember } from './ledger.ts'
import type { Cluster } from './live-index.ts'
import {
  buildIndexes,
  evolve,
  evict,
  noStories,
  emptyState,
  type ClusteredState,
  type ClusteredStories,
} from './memory.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import { newcomer, origin } from './origin.ts'
import { withTranslation } from './translations.ts'
import { rank, type RankedCluster, decision, joinOriginal, keepStory, assign, type ClusteredVerdict } from './rank.ts'
import { settle } from './rebuild/settle.ts'
import { subjectOfStory } from './rebuild/regroup.ts'
import { clusteredSnapshot } from './snapshot/snapshot.ts'
import { articleEntry, dayEntry, rewritten } from './records.ts'
import {
  clusteredMemory,
  memberKey,
  type MemberRecord,
  type ClusteredOwnText,
  type RememberedMember,
} from './changelog.ts'

export interface ClusteredDependencies extends ClusteringModel {
  /** Articles kept, over all namespaces of a partition. */
  readonly budget: number
  /** The text is kept for this many articles, the newest of each namespace, to find reprints of it. */
  readonly texts: number
}

export type ClusteredInput = ArticleAnalyzed | ClockTicked | CorrectionRequested
export type ClusteredStage = MemoryStage<ClusteredState, ClusteredInput, ArticleClustered, MemberRecord, EvictedArticle>
type ClusteredDecision = Decided<ArticleClustered, MemberRecord, EvictedArticle>
type FoundArticles = FoundRows<EvictedArticle>

/** Assigns every article to a story as it arrives, reclusters as time passes, applies corrections, and records why. */
export const clustered = ({ budget, texts, ...model }: ClusteredDependencies): ClusteredStage => ({
  name: STAGES.clustered.stage,
  version: STAGES.clustered.version,
  writes: articlesClustered,
  memory: {
    changelog: clusteredMemory,
    empty: emptyState,
    evolve: (state, change) => evolve(state, change, { texts }),
    buildIndexes: (state) => buildIndexes(state, model),
    snapshot: clusteredSnapshot({ texts }, model),
  },
  table: { changelog: clusteredAssignments, needed },
  ...byTopic<ClusteredState, ClusteredDecision, EvictedArticle>([
    onTopic(articlesAnalyzed, (state, input, found: FoundArticles) => {
      const [row] = found.values()
      return row === undefined ? onArticle(state, input, { ...model, budget }) : onEvicted(state, input, { row, model })
    }),
    inSteps(clockTicked, (state, input) => onTick(state, input, model)),
    onTopic(correctionsRequested, (state, input, found: FoundArticles) => onCorrection(state, input, { found, model })),
  ]),
})

/** An input about articles that are not in memory needs their rows. */
function needed(state: ClusteredState, { event }: Input<ClusteredInput>): readonly string[] {
  const members = state.namespaces.get(event.namespace)?.members
  return articlesIn(event)
    .filter((id) => members?.has(id) !== true)
    .map((id) => memberKey(event.namespace, id))
}

function articlesIn(event: ClusteredInput): readonly string[] {
  if ('article_ids' in event) return event.article_ids
  return 'article_id' in event && !event.direct ? [event.article_id] : []
}

interface ReturningArticle {
  readonly row: EvictedArticle
  readonly model: ClusteringModel
}

/**
 * A revision of an article that was evicted stays in its story. It does not return to memory: its story was evicted as a
 * whole, and old articles must not evict new ones.
 */
function onEvicted(
  state: ClusteredState,
  input: Input<ArticleAnalyzed>,
  { row, model }: ReturningArticle,
): ClusteredDecision {
  const article = input.event
  if (row.seen.includes(article.content_hash)) return { ...skip('already_seen'), remember: [] }
  if (vectorsOf(article, model) === null) return { ...reject('vector_malformed'), remember: [] }

  const { stories } = lookUp(state, article)
  const line = articlePlaced(input, {
    verdict: { action: 'revised', cluster_id: row.cluster_id },
    decision: { rule: 'kept', chosen: null, runner_up: null, threshold: 0, versions: model.versions },
    assignment_confidence: 1, // no recluster moves it
    origin: origin(stories.texts, newcomer(article, model.weights.origins), model.weights.origins),
    member: asMember(article, model),
    subject_id: row.subject_id,
  })
  return { ...emit(line), remember: [], rows: [{ ...row, seen: [...row.seen, article.content_hash] }] }
}

function onArticle(
  state: ClusteredState,
  input: Input<ArticleAnalyzed>,
  { budget, ...model }: Omit<ClusteredDependencies, 'texts'>,
): ClusteredDecision {
  const article = input.event
  if (article.direct) return { ...skip('direct_analysis'), remember: [] }

  const { namespace } = article
  const { stories, earlier } = lookUp(state, article)
  if (earlier?.seen.includes(article.content_hash) === true) return { ...skip('already_seen'), remember: [] }

  const own = features(article, model)
  if (own === null) return { ...reject('vector_malformed'), remember: [] }

  const text = { ...newcomer(article, model.weights.origins), ...(earlier === null ? {} : { seen: earlier.seen }) }
  const textOrigin = origin(stories.texts, text, model.weights.origins)
  const original = originalOf(stories, { own, textOrigin }, model)
  const ranked = rank(stories, { article: own, earlier }, model)
  const verdict = decideStory(ranked, { stories, article, earlier, original, textOrigin }, model)
  const subjectId = listedOn(stories, verdict, earlier)
  const member = asRemembered(input, { verdict, own, earlier, original, subjectId })
  const found = withTranslation(textOrigin, text, { ...stories, story: stories.clusters.get(verdict.cluster_id) })
  const placed = {
    verdict,
    decision: decision(verdict, model.versions),
    assignment_confidence: assignmentConfidence(assignmentOf(verdict, own), model.assignment),
    origin: found,
    member: asMember(article, model),
    subject_id: subjectId,
  }
  const line = articlePlaced(input, placed)
  const translates = found.translation === null ? null : found.derived_from
  const ownText = { ...text, group: found.syndication_group, translates }
  if (earlier !== null) return { ...emit(line), remember: [articleEntry(namespace, member, ownText)] }
  return arrived(state, input, { line, member, ownText, ranked, budget, model })
}

function lookUp(state: ClusteredState, { namespace, article_id }: ArticleAnalyzed) {
  const stories = state.namespaces.get(namespace) ?? noStories()
  return { stories, earlier: stories.members.get(article_id) ?? null }
}

/** An article stays on its subject page. A new one is listed on that of the story it joins. */
const listedOn = (stories: ClusteredStories, verdict: ClusteredVerdict, earlier: RememberedMember | null) =>
  earlier?.subjectId ?? subjectOfStory(stories.clusters.get(verdict.cluster_id)?.members)

interface ArrivedArticle {
  readonly line: ArticleClustered
  readonly member: RememberedMember
  readonly ownText: ClusteredOwnText
  readonly ranked: readonly RankedCluster[]
  readonly budget: number
  readonly model: ClusteringModel
}

/** A new article may evict others and may change the stories that compete for it. */
function arrived(
  state: ClusteredState,
  input: Input<ArticleAnalyzed>,
  { line, member, ownText, ranked, budget, model }: ArrivedArticle,
): ClusteredDecision {
  const { namespace } = input.event
  const texts = state.namespaces.get(namespace)?.texts
  const evicted = evict(state, { namespace, clusterId: member.clusterId }, budget)
  const staying = ranked.filter(({ cluster }) => !isEvicted(cluster, evicted.rows))
  const regrouped = regroup(staying, member, model)
  // the change is as certain as the assignment of the article that caused it
  const { assignment_confidence } = line
  const changed = regrouped === null ? [] : [{ ...regrouped.changed, assignment_confidence }]
  return {
    ...emit(line, ...storiesChanged(input, changed)),
    remember: [...remembered(namespace, member, { ownText, regrouped, texts }), ...evicted.updates],
    rows: evicted.rows,
  }
}

/** A story is evicted as a whole. */
const isEvicted = ({ id }: Cluster, evicted: readonly EvictedArticle[]): boolean =>
  evicted.some(({ cluster_id }) => cluster_id === id)

interface ClusteredRecord extends Pick<ArrivedArticle, 'ownText'> {
  readonly regrouped: Regrouped | null
  readonly texts: ClusteredStories['texts'] | undefined
}

/** State updates of the article and of the articles that changed their story with it. */
const remembered = (namespace: string, member: RememberedMember, { ownText, regrouped, texts }: ClusteredRecord) =>
  regrouped === null
    ? [articleEntry(namespace, member, ownText)]
    : [
        articleEntry(namespace, { ...member, clusterId: regrouped.clusterId }, ownText),
        ...rewritten(namespace, regrouped.moved, texts),
      ]

type JudgedArticle = Pick<JudgeInput, 'own' | 'earlier' | 'original'> &
  Pick<RememberedMember, 'subjectId'> & { readonly verdict: ClusteredVerdict }

const asRemembered = (
  { event, place: { offset }, loggedAt }: Input<ArticleAnalyzed>,
  { verdict, own, earlier, original, subjectId }: JudgedArticle,
): RememberedMember => {
  const { seen, founded, constraints } = earlier ?? FIRST_REVISION
  return {
    articleId: event.article_id,
    clusterId: verdict.cluster_id,
    seen: [...seen, event.content_hash],
    order: offset,
    loggedAt,
    founded: verdict.action === 'opened' || founded,
    duplicateOf: original?.articleId ?? null,
    constraints,
    subjectId,
    features: own,
  }
}

const FIRST_REVISION: Pick<RememberedMember, 'seen' | 'founded' | 'constraints'> = {
  seen: [],
  founded: false,
  constraints: [],
}

interface JudgeInput {
  readonly stories: ClusteredStories
  readonly article: ArticleAnalyzed
  readonly own: Features
  /** The article's latest revision. */
  readonly earlier: RememberedMember | null
  /** The article it reprints, if their event times are within `origins.window_days`. */
  readonly original: RememberedMember | null
  /** The origin of the text. */
  readonly textOrigin: Origin
}

/**
 * A reprint joins its original only if their event times are within `origins.window_days`, even for undated articles:
 * otherwise an old corpus imported after current news would be clustered differently than on its own.
 */
function originalOf(
  stories: ClusteredStories,
  { own, textOrigin }: Pick<JudgeInput, 'own' | 'textOrigin'>,
  { weights }: ClusteringModel,
): RememberedMember | null {
  const original = stories.members.get(textOrigin.duplicate_of ?? '')
  if (original === undefined) return null
  const apart = Math.abs(original.features.time - own.time)
  return apart <= weights.origins.window_days * DAY_MS ? original : null
}

function decideStory(
  ranked: readonly RankedCluster[],
  { stories, article, earlier, original, textOrigin }: Omit<JudgeInput, 'own'>,
  model: ClusteringModel,
): ClusteredVerdict {
  const { join, origins } = model.weights
  if (earlier !== null) return keepStory(ranked, earlier.clusterId, join.threshold)
  if (original !== null)
    return joinOriginal(ranked, { original: original.clusterId, threshold: origins.same }, textOrigin)
  const founded = clusterId(article.namespace, article.article_id)
  return assign(ranked, { own: founded, returns: stories.clusters.has(founded), threshold: join.threshold })
}

function* onTick(state: ClusteredState, input: Input<ClockTicked>, model: ClusteringModel): Steps<ClusteredDecision> {
  const { namespace, flush } = input.event
  const stories = state.namespaces.get(namespace)
  const now = { loggedAt: input.loggedAt, flush }
  const { changed, moved, rebuilt } = yield* settle({ namespace, stories, now, model })
  if (changed.length + rebuilt.length === 0) return { ...skip('nothing_due'), remember: [] }
  return {
    ...emit(...storiesChanged(input, changed)),
    remember: [...rewritten(namespace, moved, stories?.texts), ...rebuilt.map((day) => dayEntry(namespace, day))],
  }
}

function onCorrection(
  state: ClusteredState,
  input: Input<CorrectionRequested>,
  { found, model }: { readonly found: FoundArticles; readonly model: ClusteringModel },
): ClusteredDecision {
  const { namespace } = input.event
  const stories = state.namespaces.get(namespace)
  const evicted = new Map([...found.values()].map((row) => [row.article_id, row]))
  const { changed, members, rows } = correct({ ...(stories ?? noStories()), evicted }, input.event, model)
  return { ...emit(...storiesChanged(input, changed)), remember: rewritten(namespace, members, stories?.texts), rows }
}
