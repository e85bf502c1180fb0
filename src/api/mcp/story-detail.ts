import { z } from 'zod'
import { groupBy } from '../../domain/group-by.ts'
import { asOf, ArticleRow, Cited, cited, limit, nextCursor, storyId } from './fields.ts'
import { citation, clipQuote, clipTitle, counted, minute, moreLine, section } from './text.ts'
import { defineTool, target } from './tool.ts'

const EntityRow = z.object({ id: z.string(), name: z.string(), article_count: z.int() })

const StoryBody = z.object({
  id: z.string(),
  title: z.string(),
  article_count: z.int(),
  origin_count: z.int(),
  source_count: z.int(),
  membership: z.string(),
  first_published: z.string().nullable(),
  last_published: z.string().nullable(),
  summary: z.array(z.object({ sentence: z.string(), article_id: z.string() })),
  entities: z.record(z.string(), z.array(EntityRow)),
  members: z.array(ArticleRow.extend({ language: z.string(), origin: z.string() })),
  history: z.array(
    z.object({
      type: z.string(),
      at: z.string(),
      other_cluster_id: z.string().nullable(),
      direction: z.string().nullable(),
      articles: z.int(),
    }),
  ),
  merged_into: z.string().nullable(),
})

type StoryRow = z.output<typeof StoryBody>
type MemberRow = StoryRow['members'][number]

const [MAX_QUOTES, MAX_ENTITIES, MAX_HISTORY, MAX_REPRINTS] = [6, 8, 10, 3]

const StoryContent = z.object({
  story_id: z.string(),
  title: z.string(),
  articles: z.int(),
  independent_sources: z.int().describe('Distinct texts by distinct owners; reprints are not counted.'),
  outlets: z.int(),
  membership: z.string().describe('settled: confirmed by the recluster; provisional: not yet.'),
  first_published: z.string().nullable(),
  last_published: z.string().nullable(),
  summary: z.array(z.object({ quote: z.string(), article: Cited })).describe('Sentences quoted from members.'),
  sources: z
    .array(
      z.object({
        article: Cited,
        language: z.string(),
        articles: z.int().describe('Articles of this source: this one, its reprints and derived texts.'),
        reprints: z.array(z.object({ article_id: z.string(), outlet: z.string().nullable() })).describe('The first 3.'),
      }),
    )
    .describe('Independent sources, earliest first, each with its earliest article.'),
  entities: z.array(z.object({ entity_id: z.string(), name: z.string(), type: z.string(), articles: z.int() })),
  history: z
    .array(
      z.object({
        type: z.string(),
        at: z.string(),
        articles: z.int(),
        direction: z.string().nullable(),
        other_story_id: z.string().nullable(),
      }),
    )
    .describe('Merges, splits, moves and corrections, oldest first; the last 10.'),
  merged_into: z.string().nullable().describe('If the requested story was merged: the story that is returned.'),
  next_cursor: nextCursor,
})

export const getStory = defineTool({
  name: 'get_story',
  title: 'Read a story',
  description:
    'Returns one story: a summary of quoted sentences, its independent sources with their articles (title, outlet, ' +
    'URL, date) and reprints, the main entities, and its history of merges, splits and corrections. Use it to ' +
    'answer what happened and who reported it, and to cite sources. A large story has more sources: continue with ' +
    'next_cursor.',
  tier: 'starter',
  input: z.object({
    story_id: storyId,
    languages: z
      .string()
      .max(100)
      .optional()
      .describe('Languages of the quoted summary, the first preferred, such as de,en. Default: en.'),
    limit: limit(12, 20).describe('Independent sources per answer.'),
    cursor: z
      .string()
      .regex(/^\d{1,6}$/)
      .optional()
      .describe('next_cursor of the previous answer. Omit at first.'),
    as_of: asOf,
  }),
  output: StoryContent,
  requests: ({ story_id, languages, as_of }) => [
    target(`/v1/story/${encodeURIComponent(story_id)}`, { languages, as_of }),
  ],
  shape: ({ first: [body] }, { limit: count, cursor }) => {
    const story = StoryBody.parse(body)
    const from = Number(cursor ?? 0)
    const sources = sourcesOf(story.members)
    const byId = new Map(story.members.map((member) => [member.article_id, member]))
    return {
      story_id: story.id,
      title: clipTitle(story.title),
      articles: story.article_count,
      independent_sources: story.origin_count,
      outlets: story.source_count,
      membership: story.membership,
      first_published: story.first_published,
      last_published: story.last_published,
      summary: story.summary.slice(0, MAX_QUOTES).flatMap(({ sentence, article_id }) => {
        const member = byId.get(article_id)
        return member === undefined ? [] : [{ quote: clipQuote(sentence), article: cited(member) }]
      }),
      sources: sources.slice(from, from + count),
      entities: mainEntities(story.entities),
      history: story.history.slice(-MAX_HISTORY).map(({ other_cluster_id, type, at, articles, direction }) => ({
        ...{ type, at, articles, direction },
        other_story_id: other_cluster_id,
      })),
      merged_into: story.merged_into,
      next_cursor: from + count < sources.length ? String(from + count) : null,
    }
  },
  text: (story) => [
    `[${story.story_id}] ${story.title}`,
    `${counted(story.independent_sources, 'independent source')}, ${counted(story.articles, 'article')} of ` +
      `${counted(story.outlets, 'outlet')}, ${minute(story.first_published)} to ${minute(story.last_published)}, ` +
      story.membership,
    ...(story.merged_into === null ? [] : [`The requested story was merged into [${story.merged_into}].`]),
    ...section(
      'Summary, quoted:',
      story.summary.map(({ quote, article }) => `- "${quote}" [${article.article_id}] ${article.outlet ?? ''}`.trim()),
    ),
    ...section('Independent sources, earliest first:', story.sources.map(sourceLine)),
    ...section('Entities:', [
      story.entities.map(({ name, entity_id, articles }) => `${name} [${entity_id}] in ${articles}`).join('; '),
    ]),
    ...section('History:', story.history.map(historyLine)),
    ...moreLine(story.next_cursor),
  ],
})

/** One entry for each independent source, with its earliest article first. Undated articles come last. */
function sourcesOf(members: readonly MemberRow[]) {
  const time = ({ published_date }: MemberRow): string => published_date ?? '9999'
  const sorted = members.toSorted((a, b) => time(a).localeCompare(time(b)))
  return [...groupBy(sorted, ({ origin }) => origin).values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            article: cited(first),
            language: first.language,
            articles: others.length + 1,
            reprints: others.slice(0, MAX_REPRINTS).map(({ article_id, source }) => ({ article_id, outlet: source })),
          },
        ],
  )
}

function sourceLine({
  article,
  language,
  articles,
  reprints,
}: z.output<typeof StoryContent>['sources'][number]): string {
  const also = reprints.map(({ article_id, outlet }) => `${outlet ?? 'unknown outlet'} [${article_id}]`).join(', ')
  const others = articles - 1
  return `- ${citation(article)} ${language}${others === 0 ? '' : `; ${others} more of the same text: ${also}`}`
}

const mainEntities = (entities: StoryRow['entities']) =>
  Object.entries(entities)
    .flatMap(([type, rows]) => rows.map((row) => ({ ...row, type })))
    .sort((a, b) => b.article_count - a.article_count)
    .slice(0, MAX_ENTITIES)
    .map(({ id, name, type, article_count }) => ({ entity_id: id, name, type, articles: article_count }))

function historyLine({
  type,
  at,
  articles,
  direction,
  other_story_id,
}: z.output<typeof StoryContent>['history'][number]): string {
  const other = other_story_id === null ? '' : ` ${direction === 'out' ? 'to' : 'from'} [${other_story_id}]`
  return `- ${minute(at)} ${type}: ${counted(articles, 'article')}${other}`
}
