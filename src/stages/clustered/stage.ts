import {
  articlesAnalyzed,
  articlesClustered,
  type ArticleAnalyzed,
  type ArticleClustered,
  type Origin,
} from '../../events/articles.ts'
import type { ProducedBy } from '../../events/envelope.ts'
import { clusterId, derivedId } from '../../events/ids.ts'
import { emit, reject, skip, type Decided, type Entry, type Input, type MemoryStage } from '../../runtime/shapes.ts'
import { features, type Features } from './features.ts'
import { asMember } from './member.ts'
import { evolve, leaving, noStories, nothing, type State, type Stories } from './memory.ts'
import type { ClusteringModel } from './model.ts'
import { newcomer, origin } from './origin.ts'
import { rank } from './rank.ts'
import { clusteredMemory, toRecord, type MemberRecord, type RememberedMember } from './remembered.ts'
import { decision, keep, place, type Verdict } from './verdict.ts'

const BY: ProducedBy = { stage: 'clustered', version: '2' }

export interface Dependencies extends ClusteringModel {
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
  /** Of so many of them, the newest of each namespace, the text is remembered too, to find re-prints of it. */
  readonly texts: number
}

export type ClusteredStage = MemoryStage<State, ArticleAnalyzed, ArticleClustered, MemberRecord>

/** Gives every article its story as it arrives, and says why. */
export const clustered = ({ budget, texts, ...model }: Dependencies): ClusteredStage => ({
  name: BY.stage,
  version: BY.version,
  reads: [articlesAnalyzed],
  writes: articlesClustered,
  memory: {
    changelog: clusteredMemory,
    empty: nothing,
    evolve: (state, change) =>
      evolve(state, change, { mu: model.mu, compared: model.weights.join.members_compared, texts }),
  },

  decide(state, input): Decided<ArticleClustered, MemberRecord> {
    const article = input.event
    if (article.direct) return { ...skip('direct_analysis'), remember: [] }

    const { stories, earlier, seen } = recall(state, article)
    if (seen.includes(article.content_hash)) return { ...skip('already_seen'), remember: [] }

    const own = features(article, model)
    if (own === null) return { ...reject('vector_malformed'), remember: [] }

    const verdict = judge({ stories, article, own, earlier }, model)
    const text = newcomer(article, model.weights.origins)
    const whose = origin(stories.texts, { ...text, seen }, model.weights.origins)
    const member = {
      articleId: article.article_id,
      clusterId: verdict.cluster_id,
      seen: [...seen, article.content_hash],
      order: input.place.offset,
      loggedAt: input.loggedAt,
      founded: verdict.action === 'opened' || (earlier?.founded ?? false),
      duplicateOf: whose.duplicate_of,
      constraints: earlier?.constraints ?? [],
      features: own,
    }
    const remembered = toRecord(article.namespace, member, { print: text.print, group: whose.syndication_group })
    const forgotten = earlier === null ? leaving(state, article.namespace, budget) : []
    return { ...emit(event(input, { verdict, whose }, model)), remember: [entry(remembered), ...forgotten] }
  },
})

interface Recalled {
  readonly stories: Stories
  /** The article's latest revision. */
  readonly earlier: RememberedMember | null
  /** Content hashes of all its revisions. */
  readonly seen: readonly string[]
}

function recall(state: State, { namespace, article_id }: ArticleAnalyzed): Recalled {
  const stories = state.namespaces.get(namespace) ?? noStories()
  const earlier = stories.members.get(article_id) ?? null
  return { stories, earlier, seen: earlier?.seen ?? [] }
}

interface Asked extends Omit<Recalled, 'seen'> {
  readonly article: ArticleAnalyzed
  readonly own: Features
}

function judge({ stories, article, own, earlier }: Asked, model: ClusteringModel): Verdict {
  const ranked = rank(stories, { article: own, earlier }, model)
  if (earlier !== null) return keep(ranked, earlier.clusterId)
  const founded = clusterId(article.namespace, article.article_id)
  const { threshold } = model.weights.join
  return place(ranked, { own: founded, returns: stories.clusters.has(founded), threshold })
}

const event = (
  { event: article, place: { topic, partition, offset } }: Input<ArticleAnalyzed>,
  { verdict, whose }: { readonly verdict: Verdict; readonly whose: Origin },
  { weights, versions }: ClusteringModel,
): ArticleClustered => ({
  event_id: derivedId(BY, article.event_id),
  namespace: article.namespace,
  occurred_at: article.occurred_at,
  caused_by: { topic, partition, offset },
  produced_by: BY,
  action: verdict.action,
  cluster_id: verdict.cluster_id,
  article_id: article.article_id,
  content_hash: article.content_hash,
  decision: decision(verdict, { threshold: weights.join.threshold, versions }),
  origin: whose,
  member: asMember(article),
  change: null,
})

const entry = (record: MemberRecord): Entry<MemberRecord> => ({ key: clusteredMemory.key(record), value: record })
