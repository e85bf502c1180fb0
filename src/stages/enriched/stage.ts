import { tombstone } from '../../state/entry.ts'
import { isNamed } from '../../events/articles.ts'
import { articlesClustered, isOfEvictedStory, type ArticleClustered, type StoryChange } from '../../events/ledger.ts'
import { movesNothing } from '../../events/ledger-change.ts'
import { discoursePosts, storiesEnriched, type PostObserved, type StoryEnriched } from '../../events/discourse.ts'
import { postFlaw } from '../../domain/intake/posts.ts'
import { clockTicked, type ClockTicked } from '../../events/settings.ts'
import type { StanceModel } from '../../language/stance/stance.ts'
import { STAGES } from '../../events/stages.ts'
import { byTopic, onTopic, emit, refuse, skip, type Input, type MemoryStage } from '../../runtime/shapes.ts'
import { noDiscourse, emptyState, type Discourse, type EnrichedState, descendants } from './discourse.ts'
import { NOTHING_PLACED, withPlaced, type KnownPlacement, moved } from './known-stories.ts'
import { evictArticles, evictPosts } from './evict.ts'
import { keysBy } from '../../state/keys-by.ts'
import { evolve } from './memory.ts'
import { observed, emptiedPost, type PostRead, type ReadText } from './observed-posts.ts'
import { records } from './records.ts'
import { rematched } from './rematch.ts'
import {
  enrichedMemory,
  entry,
  memberKey,
  postKey,
  type EnrichedUpdate,
  type EnrichedRecord,
  type EnrichedMemberRecord,
  type RememberedPost,
} from './changelog.ts'
import { settled, type ChangedPosts } from './changed-posts.ts'
import { firstPost, dueEmissions, recordChanges, emissionsAtTick, type DueEmissions } from './emissions.ts'

export interface EnrichedDependencies {
  /** Reads posts the same way Layer 1 reads articles: same names, same sentiment. The vectors are of the encoders. */
  readonly read: (texts: readonly string[]) => Promise<readonly ReadText[]>
  readonly stance: StanceModel
  /** Number of articles and of posts kept, over all namespaces of a partition. The oldest are evicted first. */
  readonly budget: number
  /** Retention of post text after it was fetched, milliseconds. */
  readonly textMs: number
}

type EnrichedInput = ArticleClustered | PostObserved | PostRead | ClockTicked
type EnrichedStage = MemoryStage<EnrichedState, EnrichedInput, StoryEnriched, EnrichedRecord>
type StageDecision = ReturnType<EnrichedStage['decide']>

/** Compares public posts with the news coverage: one record per story and platform, updated in place. */
export const enriched = (needs: EnrichedDependencies): EnrichedStage => ({
  name: STAGES.enriched.stage,
  version: STAGES.enriched.version,
  writes: storiesEnriched,
  memory: { changelog: enrichedMemory, empty: emptyState, evolve },

  async prepare(inputs) {
    const read = await needs.read(inputs.flatMap((input) => (isReadable(input) ? [input.event.text] : [])))
    const made = read.values()
    return inputs.map((input): Input<EnrichedInput> => {
      if (!isReadable(input)) return input
      const next = made.next()
      return next.done === true ? input : { ...input, event: { ...input.event, read: next.value } }
    })
  },

  ...byTopic<EnrichedState, StageDecision>([
    onTopic(articlesClustered, (state, input) => {
      const { event } = input
      return event.change === null
        ? onArticle(state, input, needs)
        : onChange(state, { ...input, event: { ...event, change: event.change } }, needs)
    }),
    onTopic<EnrichedState, PostObserved | PostRead, StageDecision>(discoursePosts, (state, input) =>
      onObserved(state, input, needs),
    ),
    onTopic(clockTicked, (state, input) => onTick(state, input, needs)),
  ]),
})

const isPost = (input: Input<EnrichedInput>): input is Input<PostObserved> => input.topic === discoursePosts.name

/** Posts that violate a published rule, such as a text that is too long, are not passed to the models. */
const isReadable = (input: Input<EnrichedInput>): input is Input<PostObserved> =>
  isPost(input) && !input.event.deleted && postFlaw(input.event) === null

const discourseOf = (state: EnrichedState, namespace: string): Discourse =>
  state.namespaces.get(namespace) ?? noDiscourse()

/** A story gained an article: its editorial side changed, and waiting posts may match it. */
function onArticle(state: EnrichedState, input: Input<ArticleClustered>, needs: EnrichedDependencies): StageDecision {
  const { namespace, cluster_id, article_id, member: article, occurred_at } = input.event
  const discourse = discourseOf(state, namespace)
  const key = memberKey(namespace, article_id)
  const known = discourse.members.get(key)
  if (isOfEvictedStory(input.event, known)) return { ...skip('evicted_story'), remember: [] }
  const member: EnrichedMemberRecord = {
    cluster_id,
    article_id,
    log_order: known?.log_order ?? input.place.offset,
    title: article.title,
    url: article.url,
    occurred_at,
    entities: article.entities.filter(isNamed),
    vector: article.vector,
    cross_title_vector: article.cross_title_vector,
  }
  const placing = { ...NOTHING_PLACED, placed: [{ key, member }] }
  const posts = placed(discourse, placing, needs)
  const evicted = known === undefined ? evictArticles(state, { namespace, budget: needs.budget }) : []
  const stories = new Set([cluster_id, known?.cluster_id ?? cluster_id])
  return decideEmissions(discourse, input, {
    remember: [...evicted.filter((gone) => !posts.has(gone)).map(tombstone), entry(namespace, { member })],
    cause: { posts, stories, at: occurred_at, dated: false },
    otherwise: 'no_posts',
  })
}

interface ClusterChanging extends ArticleClustered {
  readonly change: StoryChange
}

/**
 * Stories exchanged articles: their posts may move, and all their records are emitted again. The result of a rebuild
 * holds from its event time on, a curator's correction at all times.
 */
function onChange(state: EnrichedState, input: Input<ClusterChanging>, needs: EnrichedDependencies): StageDecision {
  const { namespace, cluster_id, occurred_at, change } = input.event
  if (movesNothing(input.event)) return { ...skip('nothing_moved'), remember: [] }
  const discourse = discourseOf(state, namespace)
  const placing = moved(discourse, input.event, change)
  const left = placing.placed.flatMap(({ key }) => discourse.members.get(key)?.cluster_id ?? [])
  const stories = placing.placed.length === 0 ? new Set<string>() : new Set([cluster_id, ...left])
  const dated = change.correction === null
  return decideEmissions(discourse, input, {
    remember: [
      ...(placing.alias === null ? [] : [entry(namespace, { alias: placing.alias })]),
      ...(placing.split === null ? [] : [entry(namespace, { split: placing.split })]),
      ...placing.placed.map(({ member }) => entry(namespace, { member })),
    ],
    cause: {
      posts: placed(discourse, placing, needs),
      stories,
      at: dated ? occurred_at : Math.min(occurred_at, firstPost(discourse, stories)),
      dated,
      atOnce: !dated || input.event.action !== 'moved',
    },
    otherwise: 'no_posts',
  })
}

function placed(discourse: Discourse, placing: KnownPlacement, { stance }: EnrichedDependencies): ChangedPosts {
  const stories = withPlaced(discourse, placing)
  const concerned = rematched(discourse, placing, stories)
  return settled({ discourse, stories, stance, given: new Map(), concerned })
}

function onObserved(
  state: EnrichedState,
  input: Input<PostObserved | PostRead>,
  needs: EnrichedDependencies,
): StageDecision {
  const { event } = input
  const flaw = postFlaw(event)
  if (flaw !== null) return { ...refuse(flaw.reason), remember: [] }
  if (event.deleted) return onDeletion(state, { ...input, event }, needs)
  if (!('read' in event)) throw new Error('a post must be read before it is decided')
  return onPost(state, { ...input, event }, needs)
}

function onPost(state: EnrichedState, input: Input<PostRead>, needs: EnrichedDependencies): StageDecision {
  const { event } = input
  const { namespace } = event
  const discourse = discourseOf(state, namespace)
  const key = postKey(namespace, event)
  const known = discourse.posts.get(key)
  if (known?.event_id === event.event_id) return { ...skip('already_seen'), remember: [] }

  const post = observed(event, input, known)
  const evicted = known === undefined ? evictPosts(state, { namespace, budget: needs.budget }) : []
  const posts = around(discourse, new Map([[key, post]]), needs)
  return decideEmissions(discourse, input, {
    remember: evicted.filter((gone) => !posts.has(gone)).map(tombstone),
    cause: { posts, stories: [], at: event.created_at, dated: false },
    otherwise: 'unmatched',
  })
}

/** A post and all its direct and indirect replies. */
function around(discourse: Discourse, given: ChangedPosts, { stance }: EnrichedDependencies): ChangedPosts {
  const concerned = new Set([...given.keys(), ...descendants(discourse, given.keys())])
  return settled({ discourse, stories: withPlaced(discourse, NOTHING_PLACED), stance, given, concerned })
}

/** A post deleted at its source is removed from its record at once. */
function onDeletion(state: EnrichedState, input: Input<PostObserved>, needs: EnrichedDependencies): StageDecision {
  const { event, loggedAt } = input
  const discourse = discourseOf(state, event.namespace)
  const key = postKey(event.namespace, event)
  const known = discourse.posts.get(key)
  if (known === undefined || known.deleted) return { ...skip('unknown_post'), remember: [] }
  const isAnswered = keysBy(discourse.postsByParent, key).size > 0
  const left = isAnswered ? emptiedPost(known, event.event_id, loggedAt) : null
  return decideEmissions(discourse, input, {
    remember: [],
    cause: {
      posts: around(discourse, new Map([[key, left]]), needs),
      stories: [],
      at: known.created_at,
      dated: false,
    },
    otherwise: 'deleted',
  })
}

/** Time has passed: pending records are emitted and texts past their retention are deleted. */
function onTick(state: EnrichedState, input: Input<ClockTicked>, { textMs }: EnrichedDependencies): StageDecision {
  const { namespace, tick_at, flush } = input.event
  const discourse = discourseOf(state, namespace)
  const gone = expired(discourse, tick_at - textMs)
  const quoting = gone.filter(({ stance }) => stance === 'deny') // records may quote these posts
  const { remember, due } = emissionsAtTick(discourse, namespace, { quoting, flush })
  const emptied = gone.map((post) => entry(namespace, { post: { ...post, text: '' } }))
  return deferredEmission(input, { remember: [...emptied, ...remember], due }, 'nothing_waits')
}

/**
 * Maximum texts deleted per tick. After a long pause the rest follow with the next ticks, not in one huge transaction.
 */
const MOST = 2_000

/** The posts whose text was fetched by then, oldest first. Values computed from the text are kept. */
const expired = ({ texts, posts }: Discourse, until: number): readonly RememberedPost[] =>
  texts.keysUntil(until, MOST).flatMap((key) => posts.get(key) ?? [])

interface EmissionInput {
  /** State updates in addition to the posts. */
  readonly remember: readonly EnrichedUpdate[]
  readonly cause: Parameters<typeof recordChanges>[2]
  /** The reason if there is nothing to emit. */
  readonly otherwise: string
}

function decideEmissions(
  discourse: Discourse,
  input: Input<EnrichedInput>,
  { remember, cause, otherwise }: EmissionInput,
): StageDecision {
  const { namespace } = input.event
  const posts = [...cause.posts].map(([key, post]) => (post === null ? tombstone(key) : entry(namespace, { post })))
  const { remember: emissions, due } = dueEmissions(discourse, namespace, recordChanges(discourse, namespace, cause))
  return deferredEmission(input, { remember: [...remember, ...posts, ...emissions], due }, otherwise)
}

const deferredEmission = (
  input: Input<EnrichedInput>,
  { remember, due }: DueEmissions,
  otherwise: string,
): StageDecision => ({
  kind: 'deferred',
  remember,
  outcome: (after) => {
    const events = records(after, input, due)
    return events.length === 0 ? skip(otherwise) : emit(...events)
  },
})
