import { z } from 'zod'
import { PLATFORMS } from '../../events/discourse.ts'
import { asOf, cursor, limit, nextCursor, storyId } from './fields.ts'
import { clipQuote, clipTitle, counted, minute, moreLine, rounded, shortUrl } from './text.ts'
import { defineTool, target } from './tool.ts'

const ReceptionRow = z.object({
  platform: z.string(),
  comment_count_analyzed: z.int(),
  sentiment_score: z.number(),
  sentiment_label: z.string(),
  controversy_score: z.number(),
  dominant_themes: z.array(z.string()),
  novel_entities: z.array(z.string()),
  counter_narrative_summary: z.string().nullable(),
  counter_narrative_confidence: z.number(),
  updated_at: z.string(),
})
const OneStory = z.object({
  story_id: z.string(),
  enrichments: z.array(
    ReceptionRow.extend({
      thread_urls: z.array(z.string()),
      source_status: z.string(),
      evidence: z.object({ counter_narrative: z.array(z.string()) }),
    }),
  ),
})
const ManyStories = z.object({
  results: z.array(ReceptionRow.extend({ story_id: z.string(), story_title: z.string() })),
  next_cursor: z.string().nullable(),
})

const MAX_URLS = 3
const MAX_NAMES = 8

const Receptions = z.object({
  records: z.array(
    z.object({
      story_id: z.string(),
      title: z.string().nullable(),
      platform: z.string(),
      posts: z.int().describe('Posts analysed; few posts support little.'),
      sentiment: z.number(),
      sentiment_label: z.string(),
      controversy: z.number().describe('0 to 1: how strongly, and how evenly, posts support and deny the story.'),
      themes: z.array(z.string()),
      novel_entities: z.array(z.string()).describe('Named by posts and not by the articles.'),
      counter_narrative: z
        .object({ quote: z.string(), confidence: z.number(), post_urls: z.array(z.string()) })
        .nullable()
        .describe('A quoted post that contradicts the articles. null: none was detected.'),
      thread_urls: z.array(z.string()),
      updated_at: z.string(),
      source_status: z.string().nullable().describe('live; degraded or stale: the platform was not polled lately.'),
    }),
  ),
  next_cursor: nextCursor,
})

type ReceptionRecord = z.output<typeof Receptions>['records'][number]

export const getPublicResponse = defineTool({
  name: 'get_public_response',
  title: 'Read the public response to stories',
  description:
    'Returns how posts on Reddit, Bluesky and X received a story: sentiment, controversy, themes, names that the ' +
    'articles do not mention and a quoted counter-narrative, with URLs. With story_id: that story. Without: stories ' +
    'by entity, topic or controversy, last updated first. Use it for questions about public opinion, reactions and ' +
    'disputes; posts are not reporting. Needs a professional key.',
  tier: 'professional',
  input: z.object({
    story_id: storyId.optional(),
    entity: z.string().trim().min(1).max(200).optional().describe('Part of the name of an entity.'),
    topic: z.string().trim().min(1).max(200).optional().describe('Part of a theme of the posts.'),
    min_controversy: z.number().min(0).max(1).optional(),
    platform: z.enum(PLATFORMS).optional(),
    limit: limit(8, 15),
    cursor,
    as_of: asOf,
  }),
  output: Receptions,
  requests: ({ story_id, as_of, ...filters }) => [
    story_id === undefined
      ? target('/echo/v1/echo/search', { ...filters, as_of })
      : target(`/echo/v1/echo/story/${encodeURIComponent(story_id)}`, { as_of }),
  ],
  shape: ({ first: [body] }, { story_id, platform }) => {
    if (story_id === undefined) {
      const { results, next_cursor } = ManyStories.parse(body)
      return {
        records: results.map((row) => ({
          ...record(row, []),
          ...{ story_id: row.story_id, title: clipTitle(row.story_title), thread_urls: [], source_status: null },
        })),
        next_cursor,
      }
    }
    const found = OneStory.parse(body)
    return {
      records: found.enrichments
        .filter((row) => platform === undefined || row.platform === platform)
        .map((row) => ({
          ...record(row, row.evidence.counter_narrative),
          ...{ story_id: found.story_id, title: null, thread_urls: shortUrls(row.thread_urls) },
          source_status: row.source_status,
        })),
      next_cursor: null,
    }
  },
  text: ({ records, next_cursor }) => [
    ...(records.length === 0 ? ['No posts found for these conditions.'] : []),
    ...records.flatMap(recordLines),
    ...moreLine(next_cursor),
  ],
})

const shortUrls = (urls: readonly string[]): string[] => urls.flatMap((url) => shortUrl(url) ?? []).slice(0, MAX_URLS)

const record = (row: z.output<typeof ReceptionRow>, evidence: readonly string[]) => ({
  platform: row.platform,
  posts: row.comment_count_analyzed,
  sentiment: row.sentiment_score,
  sentiment_label: row.sentiment_label,
  controversy: row.controversy_score,
  themes: row.dominant_themes.slice(0, MAX_NAMES),
  novel_entities: row.novel_entities.slice(0, MAX_NAMES),
  counter_narrative:
    row.counter_narrative_summary === null
      ? null
      : {
          quote: clipQuote(row.counter_narrative_summary),
          confidence: row.counter_narrative_confidence,
          post_urls: shortUrls(evidence),
        },
  updated_at: row.updated_at,
})

const recordLines = (one: ReceptionRecord): readonly string[] => [
  `[${one.story_id}] ${one.title ?? ''} on ${one.platform}: ${counted(one.posts, 'post')}, ` +
    `${one.sentiment_label} (${rounded(one.sentiment)}), controversy ${rounded(one.controversy)}, ` +
    `updated ${minute(one.updated_at)}${one.source_status === null ? '' : `, ${one.source_status}`}`,
  ...(one.themes.length === 0 ? [] : [`  themes: ${one.themes.join(', ')}`]),
  ...(one.novel_entities.length === 0 ? [] : [`  named by posts only: ${one.novel_entities.join(', ')}`]),
  ...(one.counter_narrative === null ? [] : [counterLine(one.counter_narrative)]),
  ...(one.thread_urls.length === 0 ? [] : [`  threads: ${one.thread_urls.join(' ')}`]),
]

const counterLine = ({ quote, confidence, post_urls }: NonNullable<ReceptionRecord['counter_narrative']>): string =>
  `  counter-narrative (confidence ${rounded(confidence)}): "${quote}" ${post_urls.join(' ')}`.trimEnd()
