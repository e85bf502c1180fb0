import { isNamed } from '../../events/articles.ts'
import { articlesClustered, type ArticleClustered, type StoryChange } from '../../events/ledger.ts'
import { discoursePosts, storiesEnriched, type PostObserved, type StoryEnriched } from '../../events/discourse.ts'
import { normalisedText, sha256 } from '../../events/ids.ts'
import { postFlaw } from '../../events/post-rules.ts'
import type { Vector } from '../../events/vector.ts'
import { emit, refuse, skip, type Entry, type Input, type MemoryStage } from '../../runtime/shapes.ts'
import { knownStories } from './known-stories.ts'
import { articlesLeaving, postsLeaving } from './leaving.ts'
import { match } from './match.ts'
import { evolve, noDiscourse, nothing, type Discourse, type State } from './memory.ts'
import { moved, movesNothing } from './moved.ts'
import { ENRICHED, records, subjects, type Subject } from './records.ts'
import { rematched } from './rematched.ts'
import {
  enrichedMemory,
  memberKey,
  postKey,
  type PostEntity,
  type Remembered,
  type RememberedMember,
  type RememberedPost,
} from './remembered.ts'
import { stance } from './stance.ts'

/** What the language model makes of a post. */
export interface ReadText {
  readonly vector: Vector
  readonly sentiment_score: number
  readonly entities: readonly PostEntity[]
}

export interface Dependencies {
  /** Reads posts in the same way Layer 1 reads articles: same recogniser, same names, same sentiment. */
  readonly read: (texts: readonly string[]) => Promise<readonly ReadText[]>
  /** So many articles and so many posts are remembered, over all namespaces of a partition; the oldest leave first. */
  readonly budget: number
}

interface PostRead extends PostObserved {
  readonly read: ReadText
}

type In = ArticleClustered | PostObserved | PostRead
type Stage = MemoryStage<State, In, StoryEnriched, Remembered>
type Told = ReturnType<Stage['decide']>

/** Holds what the public says against what the newspapers wrote: one record a story and platform, updated in place. */
export const enriched = ({ read, budget }: Dependencies): Stage => ({
  name: ENRICHED.stage,
  version: ENRICHED.version,
  reads: [articlesClustered, discoursePosts],
  writes: storiesEnriched,
  memory: { changelog: enrichedMemory, empty: nothing, evolve },

  async prepare(inputs) {
    const made = (await read(inputs.flatMap(({ event }) => (isReadable(event) ? [event.text] : [])))).values()
    return inputs.map((input): Input<In> => {
      if (!isReadable(input.event)) return input
      const next = made.next()
      return next.done === true ? input : { ...input, event: { ...input.event, read: next.value } }
    })
  },

  decide(state, input) {
    const { event } = input
    if (!isPost(event)) {
      return event.change === null
        ? onArticle(state, { ...input, event }, budget)
        : onChange(discourseOf(state, event.namespace), { ...input, event }, event.change)
    }
    const flaw = postFlaw(event)
    if (flaw !== null) return { ...refuse(flaw.reason), remember: [] }
    if (event.deleted) return onDeletion(discourseOf(state, event.namespace), { ...input, event })
    if (!('read' in event)) throw new Error('a post must be read before it is decided')
    return onPost(state, { ...input, event }, budget)
  },
})

const isPost = (event: In): event is PostObserved | PostRead => 'post_id' in event

/** What a producer may not write is kept from the models too: a text without end, say. */
const isReadable = (event: In): event is PostObserved => isPost(event) && !event.deleted && postFlaw(event) === null

const discourseOf = (state: State, namespace: string): Discourse => state.namespaces.get(namespace) ?? noDiscourse()

/** A story grew: its editorial side changed, and posts that waited may have found their story. */
function onArticle(state: State, input: Input<ArticleClustered>, budget: number): Told {
  const { namespace, cluster_id, article_id, member: article, occurred_at } = input.event
  const discourse = discourseOf(state, namespace)
  const key = memberKey(namespace, article_id)
  const known = discourse.members.things.get(key)
  const member: RememberedMember = {
    cluster_id,
    article_id,
    log_order: known?.log_order ?? input.place.offset,
    title: article.title,
    url: article.url,
    occurred_at,
    entities: article.entities.filter(isNamed),
    vector: article.vector,
  }
  const posts = rematched(discourse, { placed: [{ key, member }], alias: null })
  const moved = new Set(posts.map((post) => postKey(namespace, post)))
  const leaving = known === undefined ? articlesLeaving(state, { namespace, budget }) : []
  const remember = [
    ...leaving.filter((gone) => !moved.has(gone)).map(forget),
    entry({ namespace, member, post: null, alias: null }),
    ...posts.map((post) => entry({ namespace, member: null, post, alias: null })),
  ]
  const stories = [cluster_id, known?.cluster_id, ...storiesOf(discourse, namespace, posts)]
  return tell(input, { remember, about: subjects(discourse, stories), otherwise: 'no_posts' })
}

/** Stories took articles from each other: their posts may too, and all are told anew. */
function onChange(discourse: Discourse, input: Input<ArticleClustered>, change: StoryChange): Told {
  if (movesNothing(input.event, change)) return { ...skip('nothing_moved'), remember: [] }
  const { namespace, cluster_id } = input.event
  const placing = moved(discourse, input.event, change)
  const posts = rematched(discourse, placing)
  const { placed, alias } = placing
  const remember = [
    ...(alias === null ? [] : [entry({ namespace, member: null, post: null, alias })]),
    ...placed.map(({ member }) => entry({ namespace, member, post: null, alias: null })),
    ...posts.map((post) => entry({ namespace, member: null, post, alias: null })),
  ]
  const left = placed.map(({ key }) => discourse.members.things.get(key)?.cluster_id)
  const about = subjects(discourse, [cluster_id, ...left, ...storiesOf(discourse, namespace, posts)])
  return tell(input, { remember, about, otherwise: 'no_posts' })
}

/** Where posts were and where they go. */
const storiesOf = (discourse: Discourse, namespace: string, posts: readonly RememberedPost[]) =>
  posts.flatMap((post) => [discourse.posts.things.get(postKey(namespace, post))?.cluster_id, post.cluster_id])

function onPost(state: State, input: Input<PostRead>, budget: number): Told {
  const { namespace, event_id } = input.event
  const discourse = discourseOf(state, namespace)
  const known = discourse.posts.things.get(postKey(namespace, input.event))
  if (known?.event_id === event_id) return { ...skip('already_seen'), remember: [] }

  const read = remembered(input, known)
  const post = { ...read, cluster_id: match(knownStories(discourse), read) }
  const leaving = known === undefined ? postsLeaving(state, { namespace, budget }) : []
  const remember = [...leaving.map(forget), entry({ namespace, member: null, post, alias: null })]
  const about = subjects(discourse, [known?.cluster_id, post.cluster_id], [post.platform])
  return tell(input, { remember, about, otherwise: 'unmatched' })
}

const remembered = ({ event, loggedAt, place }: Input<PostRead>, known: RememberedPost | undefined) => ({
  event_id: event.event_id,
  platform: event.platform,
  post_id: event.post_id,
  log_order: known?.log_order ?? place.offset,
  claimed_cluster_id: event.cluster_id,
  article_url: event.article_url,
  url: event.url,
  author_hash: event.author === null ? '' : sha256(event.author).toString('hex').slice(0, 16),
  text: normalisedText(event.text),
  created_at: event.created_at,
  fetched_at: loggedAt,
  score: event.score,
  stance: stance(event.text),
  ...event.read,
})

/** Deleted at its source: gone from the record at once. */
function onDeletion(discourse: Discourse, input: Input<PostObserved>): Told {
  const { namespace, platform } = input.event
  const key = postKey(namespace, input.event)
  const known = discourse.posts.things.get(key)
  if (known === undefined) return { ...skip('unknown_post'), remember: [] }
  const about = subjects(discourse, [known.cluster_id], [platform])
  return tell(input, { remember: [forget(key)], about, otherwise: 'deleted' })
}

const entry = (value: Remembered): Entry<Remembered> => ({ key: enrichedMemory.key(value), value })

const forget = (key: string): Entry<Remembered> => ({ key, value: null })

interface Change {
  readonly remember: readonly Entry<Remembered>[]
  readonly about: readonly Subject[]
  /** The reason when there is nothing to tell. */
  readonly otherwise: string
}

const tell = (input: Input<In>, { remember, about, otherwise }: Change): Told => ({
  kind: 'tell',
  remember,
  tell: (after) => {
    const events = records(after, input, about)
    return events.length === 0 ? skip(otherwise) : emit(...events)
  },
})
