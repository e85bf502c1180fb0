import { z } from 'zod'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import { asOf, ArticleRow, Cited, cited, cursor, languages, limit, nextCursor, storyId, timeRange } from './fields.ts'
import { citation, clipTitle, counted, minute, moreLine, rounded } from './text.ts'
import { defineTool, target } from './tool.ts'

const StoryRows = z.object({
  stories: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      article_count: z.int(),
      source_count: z.int(),
      origin_count: z.int(),
      created_at: z.string(),
      updated_at: z.string(),
      categories: z.array(z.string()),
      languages: z.array(z.string()).default([]),
      lifecycle_state: z.string().nullish(),
      lifecycle_reason: z.object({ text: z.string() }).nullish(),
    }),
  ),
  total: z.int(),
  next_cursor: z.string().nullable(),
})

export const ListedStories = z.object({
  total: z.int(),
  stories: z.array(
    z.object({
      story_id: z.string(),
      title: z.string(),
      articles: z.int(),
      independent_sources: z.int().describe('Distinct texts by distinct owners; reprints are not counted.'),
      outlets: z.int(),
      state: z.string().nullable(),
      state_reason: z.string().nullable(),
      first_article: z.string(),
      last_article: z.string(),
      categories: z.array(z.string()),
      languages: z.array(z.string()),
    }),
  ),
  next_cursor: nextCursor,
})

type ListedStory = z.output<typeof ListedStories>['stories'][number]

const storyLine = (story: ListedStory): string =>
  [
    `[${story.story_id}] ${story.title}: ${counted(story.independent_sources, 'independent source')}`,
    counted(story.articles, 'article'),
    ...(story.state === null ? [] : [story.state]),
    `${minute(story.first_article)} to ${minute(story.last_article)}`,
    story.languages.join(' '),
  ].join(', ')

export const searchStories = defineTool({
  name: 'search_stories',
  title: 'Search stories',
  description:
    'Finds news stories (groups of articles about one event) by words, time and state. Use it first for questions ' +
    'about what happened, what is in the news, or what outlets report about something. Every word of query must ' +
    'occur in a title or entity name of the story, so use one to three distinctive words; search by meaning with ' +
    'search_articles. Without query it lists the most relevant stories. Read a story with get_story.',
  tier: 'starter',
  input: z.object({
    query: z.string().trim().min(1).max(200).optional().describe('One to three distinctive words, such as a name.'),
    time_range: timeRange('7d'),
    lifecycle_state: z.enum(LIFECYCLE_STATES).optional().describe('Only stories in this state.'),
    languages,
    sort: z
      .enum(['relevance', 'recency', 'coverage'])
      .default('relevance')
      .describe('coverage: most independent sources first; recency: newest article first.'),
    limit: limit(10, 20),
    cursor,
    as_of: asOf,
  }),
  output: ListedStories,
  requests: ({ query, ...given }) => [
    // a search also finds stories of one article, which a list of the news leaves out
    target('/v1/stories', { topic: query, min_articles: query === undefined ? 2 : 1, ...given }),
  ],
  shape: ({ first }) => {
    const { stories, total, next_cursor } = StoryRows.parse(first[0])
    return {
      total,
      stories: stories.map((story) => ({
        story_id: story.id,
        title: clipTitle(story.title),
        articles: story.article_count,
        independent_sources: story.origin_count,
        outlets: story.source_count,
        state: story.lifecycle_state ?? null,
        state_reason: story.lifecycle_reason?.text ?? null,
        first_article: story.created_at,
        last_article: story.updated_at,
        categories: story.categories,
        languages: story.languages.slice(0, 10),
      })),
      next_cursor,
    }
  },
  text: ({ total, stories, next_cursor }) => [
    stories.length === 0
      ? 'No stories found. Use fewer words, a longer time_range, or search_articles.'
      : `${stories.length} of ${counted(total, 'story', 'stories')}:`,
    ...stories.map(storyLine),
    ...moreLine(next_cursor),
  ],
})

const FoundArticles = z.object({
  results: z.array(
    ArticleRow.extend({
      language: z.string(),
      similarity_score: z.number(),
      cluster_id: z.string().nullable().default(null),
    }),
  ),
})

export const searchArticles = defineTool({
  name: 'search_articles',
  title: 'Search articles',
  description:
    'Finds single articles by meaning, in any language, most similar first, with outlet, URL, date and the id of ' +
    'their story. Use it for a question or description in words that need not occur literally, or when ' +
    'search_stories finds nothing.',
  tier: 'starter',
  input: z.object({
    query: z.string().trim().min(1).max(500).describe('What the article is about, as a phrase or sentence.'),
    languages,
    limit: limit(10, 20),
    as_of: asOf,
  }),
  output: z.object({
    articles: z.array(Cited.extend({ language: z.string(), similarity: z.number(), story_id: z.string().nullable() })),
  }),
  requests: (given) => [target('/layer0/v1/search', given)],
  shape: ({ first }) => ({
    articles: FoundArticles.parse(first[0]).results.map((row) => ({
      ...cited(row),
      language: row.language,
      similarity: row.similarity_score,
      story_id: row.cluster_id,
    })),
  }),
  text: ({ articles }) => [
    articles.length === 0 ? 'No articles found.' : `${counted(articles.length, 'article')}, most similar first:`,
    ...articles.map(
      ({ similarity, story_id, language, ...article }) =>
        `${citation(article)} ${language}, similarity ${rounded(similarity)}, story ${story_id ?? 'none'}`,
    ),
  ],
})

const Candidate = z.object({ cluster_id: z.string(), score: z.number(), features: z.record(z.string(), z.number()) })
const WhyBody = z.object({
  cluster_id: z.string(),
  decided_at: z.string(),
  action: z.string(),
  rule: z.string(),
  threshold: z.number(),
  articles: z.int(),
  correction_id: z.string().nullable(),
  rebuild_day: z.string().nullable(),
  chosen: Candidate.nullable(),
  runner_up: Candidate.nullable(),
})

/** The rules of decisions, for readers who do not know their names. */
const RULES: Readonly<Record<string, string>> = {
  link: 'its score for this story was the highest and above the threshold',
  copy: 'it reprints an article of this story',
  linkage: 'the mean score between two groups of articles was above the threshold',
  curator: 'a curator corrected the story',
  reprocessed: 'a new version of the clusterer assigned it',
  kept: 'it is a revision of an article that was assigned before',
}

const MAX_FEATURES = 12
const Scored = z.object({ story_id: z.string(), score: z.number() }).nullable()
const scored = (candidate: z.output<typeof Candidate> | null) =>
  candidate === null ? null : { story_id: candidate.cluster_id, score: candidate.score }

export const explainMembership = defineTool({
  name: 'explain_membership',
  title: 'Explain why an article is in a story',
  description:
    'Returns the recorded decision that placed an article in a story: the rule, the score against the threshold, ' +
    'the second-best story and the features that were compared. Use it for questions such as why an article ' +
    'belongs to a story, or how certain that is.',
  tier: 'starter',
  input: z.object({
    story_id: storyId,
    article_id: z.string().min(1).max(100).describe('Id of a member (art_...), from get_story or search_articles.'),
    as_of: asOf,
  }),
  output: z.object({
    story_id: z.string(),
    article: Cited,
    action: z.string(),
    rule: z.string(),
    explanation: z.string(),
    decided_at: z.string(),
    threshold: z.number(),
    chosen: Scored.describe('null: no story scored, so the article opened its own.'),
    runner_up: Scored.describe('null: there was no second story.'),
    features: z.record(z.string(), z.number()),
    decided_together: z.int().describe('Number of articles decided together.'),
    correction_id: z.string().nullable(),
    reclustered_day: z.string().nullable(),
  }),
  requests: ({ story_id, article_id, as_of }) => [
    target(`/v1/clusters/${encodeURIComponent(story_id)}/members/${encodeURIComponent(article_id)}/why`, { as_of }),
    target(`/layer0/v1/article/${encodeURIComponent(article_id)}`, { as_of }),
  ],
  shape: ({ first: [decision, article] }) => {
    const why = WhyBody.parse(decision)
    return {
      story_id: why.cluster_id,
      article: cited(ArticleRow.parse(article)),
      action: why.action,
      rule: why.rule,
      explanation: explanation(why),
      decided_at: why.decided_at,
      threshold: why.threshold,
      chosen: scored(why.chosen),
      runner_up: scored(why.runner_up),
      features: Object.fromEntries(Object.entries(why.chosen?.features ?? {}).slice(0, MAX_FEATURES)),
      decided_together: why.articles,
      correction_id: why.correction_id,
      reclustered_day: why.rebuild_day,
    }
  },
  text: (why) => [
    citation(why.article),
    `is in story [${why.story_id}] because ${why.explanation} (${why.action}, ${minute(why.decided_at)}).`,
    `Score ${why.chosen === null ? 'none' : rounded(why.chosen.score)}, threshold ${rounded(why.threshold)}.`,
    why.runner_up === null
      ? 'No other story scored.'
      : `Second: story [${why.runner_up.story_id}] with score ${rounded(why.runner_up.score)}.`,
    `Compared: ${Object.entries(why.features)
      .map(([name, value]) => `${name} ${rounded(value)}`)
      .join(', ')}`,
  ],
})

function explanation({ rule, chosen, action }: z.output<typeof WhyBody>): string {
  if (rule === 'link' && (chosen === null || action === 'opened')) {
    return 'no story scored above the threshold, so it opened its own'
  }
  return RULES[rule] ?? `of the rule ${rule}`
}
