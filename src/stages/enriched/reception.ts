import type { StoryEnriched } from '../../events/discourse.ts'
import { counterNarrative } from './counter-narrative.ts'
import type { Discourse } from './memory.ts'
import type { RememberedMember, RememberedPost } from './remembered.ts'
import type { Story } from './story.ts'
import { postsWith } from './term-counts.ts'
import { themes } from './themes.ts'

export type Reception = Omit<
  StoryEnriched,
  'event_id' | 'namespace' | 'occurred_at' | 'caused_by' | 'produced_by' | 'cluster_id' | 'platform'
>

/** A handful of posts says little: scores shrink towards 0 by n / (n + this). */
const SHRINKAGE = 10
/** A comment without a stance counts as for or against when its sentiment is this strong. */
const STRONG = 0.35

/**
 * How the posts of one platform received a story; at least one. Themes are weighed against the posts that had arrived
 * with the newest of these, so that it matters not when the articles came. What is left of that: a post of another
 * story deleted, edited or gone from memory meanwhile may change the order of themes.
 */
export function reception(discourse: Discourse, story: Story, posts: readonly RememberedPost[]): Reception {
  const voices = withoutCopies(posts)
  const members = [...story.articles.keys()].flatMap((key) => discourse.members.things.get(key) ?? [])
  const newest = Math.max(...posts.map((post) => post.log_order))
  const sentiment = mean(voices.map((post) => post.sentiment_score))
  const names = entities(members, voices)
  const counter = counterNarrative(voices)
  const times = voices.map((post) => post.created_at)
  return {
    story_title: founding(members)?.title ?? '',
    thread_urls: [...new Set(voices.flatMap((post) => post.url ?? []))].sort(),
    fetched_at: Math.max(...voices.map((post) => post.fetched_at)),
    comment_count_analyzed: posts.length,
    sentiment_score: sentiment,
    sentiment_label: sentiment >= 0.15 ? 'positive' : sentiment <= -0.15 ? 'negative' : 'neutral',
    controversy_score: controversy(voices),
    dominant_themes: themes(
      voices.map((post) => post.text),
      (term) => postsWith(discourse.terms, term, newest),
    ),
    editorial_entities: names.editorial,
    public_entities: names.public,
    novel_entities: names.novel.map(({ name }) => name),
    counter_narrative_detected: counter.detected,
    counter_narrative_summary: counter.summary,
    counter_narrative_confidence: counter.confidence,
    evidence: {
      novel_entities: Object.fromEntries(names.novel.map(({ name, urls }) => [name, urls])),
      counter_narrative: counter.evidence,
    },
    sample: {
      posts: voices.length,
      authors: new Set(voices.map((post) => post.author_hash)).size,
      window_start: Math.min(...times),
      window_end: Math.max(...times),
    },
    source_status: 'live',
  }
}

/** The last of its posts is gone: readers hide it. Event time and window 1970, so that it holds at every `as_of`. */
export const nothingLeft = (fetchedAt: number): Reception => ({
  story_title: '',
  thread_urls: [],
  fetched_at: fetchedAt,
  comment_count_analyzed: 0,
  sentiment_score: 0,
  sentiment_label: 'neutral',
  controversy_score: 0,
  dominant_themes: [],
  editorial_entities: [],
  public_entities: [],
  novel_entities: [],
  counter_narrative_detected: false,
  counter_narrative_summary: null,
  counter_narrative_confidence: 0,
  evidence: { novel_entities: {}, counter_narrative: [] },
  sample: { posts: 0, authors: 0, window_start: 0, window_end: 0 },
  source_status: 'live',
})

/** How evenly and how strongly posts support and deny, 0 to 1, shrunk to 0 for small samples. */
export function controversy(posts: readonly Pick<RememberedPost, 'stance' | 'sentiment_score'>[]): number {
  const against = posts.filter(
    (p) => p.stance === 'deny' || (p.stance === 'comment' && p.sentiment_score <= -STRONG),
  ).length
  const for_ = posts.filter(
    (p) => p.stance === 'support' || (p.stance === 'comment' && p.sentiment_score >= STRONG),
  ).length
  const sides = against + for_
  if (sides === 0) return 0
  const evenness = (2 * Math.min(against, for_)) / sides
  return evenness * Math.sqrt(sides / posts.length) * (posts.length / (posts.length + SHRINKAGE))
}

/** Copies of one text are one voice: the oldest stands for them. */
function withoutCopies(posts: readonly RememberedPost[]): readonly RememberedPost[] {
  const oldestFirst = [...posts].sort((a, b) => a.created_at - b.created_at || (a.post_id < b.post_id ? -1 : 1))
  const voices = new Map<string, RememberedPost>()
  for (const post of oldestFirst) {
    const text = post.text
      .toLowerCase()
      .replace(/^rt\s+@\w+:?|https?:\S+|[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    if (!voices.has(text)) voices.set(text, post)
  }
  return [...voices.values()]
}

function entities(members: readonly RememberedMember[], posts: readonly RememberedPost[]) {
  const editorial = new Map(members.flatMap((m) => m.entities.map((e) => [e.entity_id, e.name] as const)))
  const spoken = new Map(posts.flatMap((p) => p.entities.map((e) => [e.entity_id, e.name] as const)))
  const known = new Set([...editorial.values()].map(spelling))
  const novel = [...spoken].filter(([id, name]) => !editorial.has(id) && !known.has(spelling(name)))
  const urlsOf = (id: string): string[] =>
    posts.flatMap((p) => (p.url !== null && p.entities.some((e) => e.entity_id === id) ? [p.url] : [])).sort()
  return {
    editorial: [...new Set(editorial.values())].sort(),
    public: [...new Set(spoken.values())].sort(),
    novel: novel.map(([id, name]) => ({ name, urls: urlsOf(id) })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

const spelling = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const founding = (members: readonly RememberedMember[]): RememberedMember | undefined =>
  [...members].sort((a, b) => a.occurred_at - b.occurred_at || (a.article_id < b.article_id ? -1 : 1))[0]

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
