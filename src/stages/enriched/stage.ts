import { articlesClustered, type ArticleClustered } from '../../events/articles.ts'
import {
  discoursePosts,
  storiesEnriched,
  type Platform,
  type PostObserved,
  type StoryEnriched,
} from '../../events/discourse.ts'
import type { ProducedBy } from '../../events/envelope.ts'
import { derivedId, normalisedText, sha256 } from '../../events/ids.ts'
import type { Vector } from '../../events/vector.ts'
import { emit, refuse, skip, type Entry, type Input, type MemoryStage, type Outcome } from '../../runtime/shapes.ts'
import { isAbout, match } from './match.ts'
import { evolve, memberKey, noDiscourse, postKey, type Discourse, type State } from './memory.ts'
import { reception } from './reception.ts'
import { enrichedMemory, type PostEntity, type Remembered, type RememberedMember } from './remembered.ts'
import { stance } from './stance.ts'

const PLATFORMS: readonly Platform[] = ['bluesky', 'reddit', 'twitter']
const BY: ProducedBy = { stage: 'enriched', version: '1' }

/** What the language model makes of a post. */
export interface ReadText {
  readonly vector: Vector
  readonly sentiment_score: number
  readonly entities: readonly PostEntity[]
}

export interface Dependencies {
  /** Reads posts in the same way Layer 1 reads articles: same recogniser, same names, same sentiment. */
  readonly read: (texts: readonly string[]) => Promise<readonly ReadText[]>
  /** Posts and articles remembered a namespace; the oldest leave first. */
  readonly budget: number
}

interface PostRead extends PostObserved {
  readonly read: ReadText
}

type In = ArticleClustered | PostObserved | PostRead
type Told = ReturnType<MemoryStage<State, In, StoryEnriched, Remembered>['decide']>

/** Holds what the public says against what the newspapers wrote: one record a story and platform, updated in place. */
export const enriched = ({ read, budget }: Dependencies): MemoryStage<State, In, StoryEnriched, Remembered> => ({
  name: BY.stage,
  version: BY.version,
  reads: [articlesClustered, discoursePosts],
  writes: storiesEnriched,
  memory: { changelog: enrichedMemory, empty: () => new Map(), evolve },

  async prepare(inputs) {
    const texts = await read(inputs.flatMap(({ event }) => (isPost(event) && !event.deleted ? [event.text] : [])))
    const made = texts.values()
    return inputs.map((input): Input<In> => {
      if (!isPost(input.event) || input.event.deleted) return input
      const next = made.next()
      return next.done === true ? input : { ...input, event: { ...input.event, read: next.value } }
    })
  },

  decide(state, input) {
    const { event } = input
    const discourse = state.get(event.namespace) ?? noDiscourse()
    if (!isPost(event)) return onArticle(discourse, { ...input, event }, budget)
    if (event.deleted) return onDeletion(discourse, { ...input, event })
    if (!('read' in event)) throw new Error('a post must be read before it is decided')
    return onPost(discourse, { ...input, event }, budget)
  },
})

const isPost = (event: In): event is PostObserved | PostRead => 'post_id' in event

/** A story grew: its editorial side changed, and posts that waited may have found their story. */
function onArticle(discourse: Discourse, input: Input<ArticleClustered>, budget: number): Told {
  const { event } = input
  const member: RememberedMember = {
    cluster_id: event.cluster_id,
    article_id: event.article_id,
    title: event.member.title,
    url: event.member.url,
    occurred_at: event.occurred_at,
    entities: event.member.entities,
    vector: event.member.vector,
  }
  const waiting = [...discourse.unmatched].flatMap((key): Entry<Remembered>[] => {
    const post = discourse.posts.get(key)
    if (post === undefined || !isAbout(post, member)) return []
    return [{ key, value: { member: null, post: { ...post, cluster_id: event.cluster_id } } }]
  })
  const key = memberKey(event.namespace, event.article_id)
  const remember = [...oldest(discourse.members, budget), { key, value: { member, post: null } }, ...waiting]
  return tellAll(input, event.cluster_id, remember)
}

function onPost(discourse: Discourse, input: Input<PostRead>, budget: number): Told {
  const { event } = input
  if (event.text.trim() === '') return { ...refuse('text_empty'), remember: [] }
  const post = {
    platform: event.platform,
    post_id: event.post_id,
    article_url: event.article_url,
    url: event.url,
    author_hash: event.author === null ? '' : sha256(event.author).toString('hex').slice(0, 16),
    text: normalisedText(event.text),
    created_at: event.created_at,
    fetched_at: input.loggedAt,
    score: event.score,
    stance: stance(event.text),
    ...event.read,
  }
  const key = postKey(event.namespace, event.platform, event.post_id)
  const clusterId = match(discourse, post, event.cluster_id)
  const value: Remembered = { member: null, post: { ...post, cluster_id: clusterId } }
  const remember = [...oldest(discourse.posts, budget), { key, value }]
  return clusterId === null
    ? { ...skip('unmatched'), remember }
    : tellOne(input, clusterId, { platform: event.platform, remember })
}

/** Deleted at its source: gone from the record at once. */
function onDeletion(discourse: Discourse, input: Input<PostObserved>): Told {
  const { event } = input
  const key = postKey(event.namespace, event.platform, event.post_id)
  const known = discourse.posts.get(key)
  if (known === undefined) return { ...skip('unknown_post'), remember: [] }
  const remember = [{ key, value: null }]
  if (known.cluster_id === null) return { ...skip('deleted'), remember }
  return tellOne(input, known.cluster_id, { platform: event.platform, remember })
}

interface Change {
  readonly platform: Platform
  readonly remember: readonly Entry<Remembered>[]
}

const tellOne = (input: Input<In>, clusterId: string, { platform, remember }: Change): Told => ({
  kind: 'tell',
  remember,
  tell: (after) => emitOr('nothing_left', records(after, input, { clusterId, platforms: [platform] })),
})

const tellAll = (input: Input<In>, clusterId: string, remember: readonly Entry<Remembered>[]): Told => ({
  kind: 'tell',
  remember,
  tell: (after) => emitOr('no_posts', records(after, input, { clusterId, platforms: PLATFORMS })),
})

const emitOr = (reason: string, events: readonly StoryEnriched[]): Outcome<StoryEnriched> =>
  events.length === 0 ? skip(reason) : emit(...events)

interface Subject {
  readonly clusterId: string
  readonly platforms: readonly Platform[]
}

function records(after: State, { event, place }: Input<In>, { clusterId, platforms }: Subject): StoryEnriched[] {
  const discourse = after.get(event.namespace)
  const story = discourse?.stories.get(clusterId)
  if (discourse === undefined || story === undefined) return []
  const posts = [...story.posts].flatMap((key) => discourse.posts.get(key) ?? [])
  return platforms.flatMap((platform, ordinal) => {
    const made = reception(
      discourse,
      story,
      posts.filter((post) => post.platform === platform),
    )
    if (made === null) return []
    return {
      event_id: derivedId(BY, event.event_id, ordinal),
      namespace: event.namespace,
      occurred_at: made.sample.window_end,
      caused_by: place,
      produced_by: BY,
      cluster_id: clusterId,
      platform,
      ...made,
    }
  })
}

/** What has to be forgotten so that one more fits. */
function oldest(things: ReadonlyMap<string, unknown>, budget: number): readonly Entry<Remembered>[] {
  if (things.size < budget) return []
  const [first] = things.keys()
  return first === undefined ? [] : [{ key: first, value: null }]
}
