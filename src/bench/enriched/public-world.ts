import { NO_MEMBER, type ArticleClustered, type MemberEntity } from '../../events/ledger.ts'
import type { PostObserved } from '../../events/discourse.ts'
import { f32, NO_VECTOR } from '../../events/vector.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { PLACED_ARTICLE } from '../placed-article.ts'
import type { PostRead } from '../../stages/enriched/observed-posts.ts'

export interface PublicWorldSize {
  readonly stories: number
  readonly posts: number
}

const NAMESPACE = 'bench'
const START = Date.UTC(2026, 0, 1)
const ARTICLES_A_STORY = 8
/** The number of words. Some occur in every other post, most in one or two. */
const VOCABULARY = 30_000
const WORDS_A_POST = { min: 4, max: 46 } as const
/** One in this many posts has no story and mentions an entity that all stories mention. */
const FREE_EVERY = 10
const REPLY_SHARE = 0.5
const COPY_SHARE = 0.05

/**
 * Stories and the posts about them, as read by a model, in order of time. They are synthetic and the same in every run.
 * The r-th largest story has 1/r as many posts as the largest.
 */
export function publicWorld({ stories, posts }: PublicWorldSize) {
  const random = seeded(`${stories} stories of ${posts} posts`)
  const topics = Array.from({ length: stories }, () => unit(Array.from({ length: 384 }, () => random() - 0.5)))
  const weights = topics.map((_, rank) => 1 / (rank + 1))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const stepMs = Math.floor((2 * 86_400_000) / posts)
  const before: PostObserved[][] = topics.map(() => [])
  const made = Array.from({ length: posts }, (_, i): PostRead => {
    const story = pick(weights, random() * all)
    const post = observed({ i, story, earlier: before[story] ?? [], at: START + i * stepMs }, random)
    before[story]?.push(post)
    return { ...post, read: reading(topics[story] ?? new Float32Array(384), { i, story }, random) }
  })
  return { articles: topics.flatMap((topic, story) => articlesOf(topic, story)), posts: made }
}

function pick(weights: readonly number[], at: number): number {
  let left = at
  const found = weights.findIndex((weight) => (left -= weight) <= 0)
  return Math.max(found, 0)
}

interface WorldPost {
  readonly i: number
  readonly story: number
  /** Earlier posts about the same story. */
  readonly earlier: readonly PostObserved[]
  readonly at: number
}

function observed({ i, story, earlier, at }: WorldPost, random: () => number): PostObserved {
  const answered = oneOf(earlier, REPLY_SHARE, random)
  const text = oneOf(earlier, COPY_SHARE, random)?.text ?? aText(story, random)
  return {
    event_id: `evt_${i}`,
    namespace: NAMESPACE,
    platform: i % 3 === 0 ? 'bluesky' : 'reddit',
    post_id: `p${i}`,
    url: `https://social.example/p${i}`,
    author: `author ${Math.floor(random() ** 2 * 20_000)}`,
    text,
    created_at: at,
    reply_to: answered?.post_id ?? null,
    cluster_id: i % FREE_EVERY === 0 ? null : `sto_${story}`,
    article_url: null,
    score: Math.floor(random() ** 4 * 500),
    deleted: false,
  }
}

const oneOf = (posts: readonly PostObserved[], share: number, random: () => number): PostObserved | undefined =>
  random() < share ? posts[Math.floor(random() * posts.length)] : undefined

function aText(story: number, random: () => number): string {
  const { min, max } = WORDS_A_POST
  const words = Array.from({ length: min + Math.floor(random() * (max - min)) }, () => {
    const rank = Math.floor(VOCABULARY ** random())
    return random() < 0.2 ? `story${letters(story)}${letters(rank % 40)}` : `word${letters(rank)}`
  })
  return `${words.join(' ')}.`
}

/** A number in letters: "word12" would not be a word. */
const letters = (value: number): string =>
  Array.from(value.toString(26), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')

const named = (entity: number): { readonly entity_id: string; readonly name: string; readonly type: string } => ({
  entity_id: `ent_${entity}`,
  name: entity === 0 ? 'Everywhere' : `${capital(letters(entity * 7_919))} ${capital(letters(entity * 104_729))}`,
  type: entity % 2 === 0 ? 'ORG' : 'PERSON',
})

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

function reading(topic: Float32Array, { i, story }: Pick<WorldPost, 'i' | 'story'>, random: () => number) {
  const entities = [
    ...(i % FREE_EVERY === 0 ? [named(0)] : []),
    ...(random() < 0.5 ? [named(1 + story * 40 + Math.floor(random() * 20))] : []),
    ...(random() < 0.2 ? [named(100_000 + Math.floor(20_000 ** random()))] : []),
  ]
  const vector = unit(Array.from(topic, (value) => value + 0.06 * (random() - 0.5)))
  return { vector: f32('bench:post', vector), cross_vector: NO_VECTOR, sentiment_score: random() - 0.5, entities }
}

function articlesOf(topic: Float32Array, story: number): readonly ArticleClustered[] {
  return Array.from({ length: ARTICLES_A_STORY }, (_, i) => ({
    ...PLACED_ARTICLE,
    event_id: `evt_${story}_${i}`,
    occurred_at: START + i * 3_600_000,
    action: i === 0 ? 'opened' : 'joined',
    cluster_id: `sto_${story}`,
    article_id: `art_${story}_${i}`,
    member: {
      ...NO_MEMBER,
      title: `Story ${letters(story)} in the news`,
      entities: [0, ...Array.from({ length: 12 }, (__, n) => 1 + story * 40 + ((i + n) % 20))].map(anEntity),
      vector: f32('bench:lead', topic),
    },
  }))
}

const anEntity = (entity: number): MemberEntity => ({
  ...named(entity),
  type: entity % 2 === 0 ? 'ORG' : 'PERSON',
  mention_count: 1,
  country: null,
  sentiment_score: null,
})

function unit(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values)
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}
