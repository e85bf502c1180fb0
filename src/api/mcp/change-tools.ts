import { z } from 'zod'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { cursor, limit } from './fields.ts'
import { clipTitle, counted, minute, rounded } from './text.ts'
import { defineTool, target } from './tool.ts'

/** Most changes are single articles, which are found by searching; `story.enriched` needs a professional key. */
const BY_DEFAULT = CHANGE_TYPES.filter((type) => !type.startsWith('article.') && type !== 'story.enriched')

const ChangeRows = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      occurred_at: z.string(),
      data: z.object({
        cluster_id: z.string().optional(),
        from_cluster_id: z.string().nullish(),
        entity_id: z.string().optional(),
        article_id: z.string().optional(),
        article_ids: z.array(z.string()).optional(),
        title: z.string().nullish(),
        name: z.string().optional(),
        lifecycle_state: z.string().optional(),
        previous_state: z.string().nullish(),
        velocity: z.number().optional(),
        low_support: z.boolean().optional(),
        platform: z.string().optional(),
        monitor_name: z.string().optional(),
        story: z.object({ cluster_id: z.string(), title: z.string().nullable() }).optional(),
      }),
    }),
  ),
  next_cursor: z.string(),
  has_more: z.boolean(),
})

const MAX_ARTICLES = 5

const Changes = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      occurred_at: z.string(),
      story_id: z.string().nullable(),
      from_story_id: z.string().nullable().describe('Story that the articles left.'),
      entity_id: z.string().nullable(),
      article_ids: z.array(z.string()).describe(`The first ${MAX_ARTICLES}.`),
      articles: z.int(),
      detail: z.string(),
    }),
  ),
  next_cursor: z.string().describe('Send it as cursor, now or later, for the changes after these.'),
  has_more: z.boolean(),
})

export const getChanges = defineTool({
  name: 'get_changes',
  title: 'List what changed',
  description:
    'Lists what changed since a time, or since the cursor of an earlier answer, in order: stories opened, grown, ' +
    'merged, split, corrected or in another state, trends, spikes and shifts of sentiment, matches of monitors. Give since or cursor. Use ' +
    'it for questions about what is new since a time, and keep next_cursor to continue later. At most 30 days back.',
  tier: 'starter',
  input: z
    .object({
      since: z.string().max(40).optional().describe('ISO 8601 time or date: changes recorded from then on.'),
      cursor: cursor.describe('next_cursor of an earlier answer; takes precedence over since.'),
      types: z
        .array(z.enum(CHANGE_TYPES))
        .max(CHANGE_TYPES.length)
        .optional()
        .describe('Default: all but article.scored, article.revised and story.enriched (professional keys).'),
      limit: limit(20, 40),
    })
    .refine(({ since, cursor: after }) => since !== undefined || after !== undefined, {
      message: 'give since (a time) or cursor (of an earlier answer)',
    }),
  output: Changes,
  requests: ({ since, cursor: after, types, limit: count }) => [
    target('/v1/changes', {
      ...(after === undefined ? { since } : { cursor: after }),
      types: (types === undefined || types.length === 0 ? BY_DEFAULT : types).join(','),
      limit: count,
    }),
  ],
  shape: ({ first }) => {
    const { changes, next_cursor, has_more } = ChangeRows.parse(first[0])
    return { changes: changes.map(changeOf), next_cursor, has_more }
  },
  text: ({ changes, next_cursor, has_more }) => [
    changes.length === 0 ? 'Nothing changed.' : `${counted(changes.length, 'change')}, oldest first:`,
    ...changes.map(changeLine),
    `next_cursor: ${next_cursor} (${has_more ? 'more changes now' : 'for later changes'})`,
  ],
})

type ChangeRow = z.output<typeof ChangeRows>['changes'][number]
type ListedChange = z.output<typeof Changes>['changes'][number]

function changeOf({ id, type, occurred_at, data }: ChangeRow): ListedChange {
  const articles = data.article_ids ?? (data.article_id === undefined ? [] : [data.article_id])
  return {
    ...{ id, type, occurred_at },
    story_id: data.cluster_id ?? data.story?.cluster_id ?? null,
    from_story_id: data.from_cluster_id ?? null,
    entity_id: data.entity_id ?? null,
    article_ids: articles.slice(0, MAX_ARTICLES),
    articles: articles.length,
    detail: detailOf(data),
  }
}

const detailOf = (data: ChangeRow['data']): string =>
  [
    ...nameOf(data),
    ...matchOf(data),
    ...(data.lifecycle_state === undefined ? [] : [`${data.previous_state ?? 'new'} to ${data.lifecycle_state}`]),
    ...(data.platform === undefined ? [] : [`on ${data.platform}`]),
    ...(data.velocity === undefined ? [] : [`velocity ${rounded(data.velocity)}`]),
    ...(data.low_support === true ? ['low support'] : []),
  ].join(', ')

const nameOf = ({ name, title }: ChangeRow['data']): readonly string[] => {
  const given = name ?? title
  return given === undefined || given === null ? [] : [clipTitle(given)]
}

const matchOf = ({ monitor_name, story }: ChangeRow['data']): readonly string[] => {
  if (monitor_name === undefined) return []
  const title = story?.title ?? null
  return [title === null ? clipTitle(monitor_name) : `${clipTitle(monitor_name)}: ${clipTitle(title)}`]
}

const changeLine = (change: ListedChange): string =>
  [
    `- ${minute(change.occurred_at)} ${change.type}`,
    ...(change.story_id === null ? [] : [`story [${change.story_id}]`]),
    ...(change.from_story_id === null ? [] : [`from [${change.from_story_id}]`]),
    ...(change.entity_id === null ? [] : [`entity [${change.entity_id}]`]),
    ...(change.articles === 0
      ? []
      : [`${counted(change.articles, 'article')} [${change.article_ids.slice(0, 2).join(', ')}]`]),
    change.detail,
  ]
    .filter((part) => part !== '')
    .join(' ')
