import type { StoryEnriched } from '../../events/discourse.ts'
import { sidesTally } from './controversy.ts'
import { copies } from './copies.ts'
import { counterNarrative, tale, type Tale } from './counter-narrative.ts'
import { extentTally, type ThreadOf } from './extent.ts'
import { namesTally } from './names-tally.ts'
import type { EnrichedMemberRecord, RememberedPost } from './changelog.ts'
import { contentWords, terms, themeTally } from './themes.ts'

export type Reception = Omit<
  StoryEnriched,
  'event_id' | 'namespace' | 'occurred_at' | 'caused_by' | 'produced_by' | 'cluster_id' | 'platform'
>

export interface ReceivedPosts {
  /** In order of event time. */
  readonly posts: readonly RememberedPost[]
  /** In order of event time. */
  readonly members: readonly EnrichedMemberRecord[]
  readonly story_title: string
  readonly threadOf: ThreadOf
  /** In how many posts, of any story, that had arrived by an offset a term stands. */
  readonly postsWith: (term: string, arrival: number) => number
}

/**
 * How the posts of one platform received a story, as it stood at each of these moments (ascending): one walk over what
 * was said and written up to then; null where no post was there yet. Before a story's first article what that article
 * says is the editorial side.
 */
export function receptions(received: ReceivedPosts, moments: readonly number[]): readonly (Reception | null)[] {
  const tally = receptionTally(received)
  const [first, ...articles] = received.members
  if (first !== undefined) tally.addArticle(first)
  let [post, article] = [0, 0]
  return moments.map((moment) => {
    for (; (articles[article]?.occurred_at ?? Infinity) <= moment; article++) tally.addArticle(articles[article])
    for (; (received.posts[post]?.created_at ?? Infinity) <= moment; post++) tally.addPost(received.posts[post])
    return post === 0 ? null : tally.reception()
  })
}

function receptionTally({ story_title, threadOf, postsWith }: ReceivedPosts) {
  const seen = copies()
  const voices = voicesTally(story_title)
  const extent = extentTally(threadOf)
  return {
    addArticle: (member: EnrichedMemberRecord | undefined): void => {
      if (member !== undefined) voices.addArticle(member)
    },
    addPost: (post: RememberedPost | undefined): void => {
      if (post === undefined) return
      extent.add(post)
      if (!seen.isCopy(post)) voices.add(post)
    },
    reception(): Reception {
      const { arrival, window_start, window_end, ...whole } = extent.extent()
      const { posts, authors, ...said } = voices.record((term) => postsWith(term, arrival))
      return {
        story_title,
        ...whole,
        ...said,
        sample: { posts, authors, window_start, window_end },
        source_status: 'live',
      }
    },
  }
}

/** Of different posts: what they say. */
function voicesTally(headline: string) {
  const sides = sidesTally()
  const names = namesTally()
  const themes = themeTally()
  const denials: Tale[] = []
  const ofHeadline = new Set(terms(contentWords(headline)))
  let [posts, sentiment] = [0, 0]
  return {
    addArticle: (member: EnrichedMemberRecord): void => {
      names.addArticle(member)
    },
    add(voice: RememberedPost): void {
      posts += 1
      sentiment += voice.sentiment_score
      sides.add(voice)
      names.addPost(voice)
      themes.add(voice.words)
      if (voice.stance === 'deny') denials.push(tale(voice, ofHeadline))
    },
    record(weighedBy: (term: string) => number) {
      const authors = sides.authors()
      const named = names.names()
      const counter = counterNarrative({ denials, authors })
      return {
        ...{ posts, authors },
        ...feeling(sentiment / posts),
        controversy_score: sides.controversy(),
        dominant_themes: themes.themes(weighedBy),
        editorial_entities: named.editorial,
        public_entities: named.public,
        novel_entities: named.novel,
        counter_narrative_detected: counter.detected,
        counter_narrative_summary: counter.summary,
        counter_narrative_confidence: counter.confidence,
        evidence: { novel_entities: named.evidence, counter_narrative: counter.evidence },
      }
    },
  }
}

const feeling = (mean: number) => ({
  sentiment_score: mean,
  sentiment_label: mean >= 0.15 ? ('positive' as const) : mean <= -0.15 ? ('negative' as const) : ('neutral' as const),
})

/** The last of its posts is gone: readers hide it. */
export const nothingLeft = (fetched_at: number): Reception => ({
  story_title: '',
  thread_urls: [],
  fetched_at,
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
