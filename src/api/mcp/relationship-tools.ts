import { z } from 'zod'
import { asOf, limit, storyId, timeRange } from './fields.ts'
import { clipQuote, clipTitle, counted, minute, rounded } from './text.ts'
import { defineTool, target } from './tool.ts'

const StoryLinks = z.object({
  cluster_id: z.string(),
  relationships: z.array(
    z.object({
      source: z.string(),
      target: z.string(),
      type: z.string(),
      directed: z.boolean(),
      confidence: z.number(),
      shared_entities: z.array(z.string()),
      since: z.string(),
    }),
  ),
})
const EntityLinks = z.object({
  entity: z.object({ id: z.string(), name: z.string(), type: z.string() }),
  relationships: z.array(
    z.object({
      target_entity: z.object({ id: z.string(), name: z.string(), type: z.string() }),
      type: z.string(),
      direction: z.string().nullable(),
      strength: z.number(),
      co_mentions: z.int(),
      origins: z.int(),
      sentiment: z.number(),
      contexts: z.array(z.string()),
      context_article_ids: z.array(z.string()),
    }),
  ),
})
const RelatedTitle = z.object({ id: z.string(), title: z.string(), updated_at: z.string() })

/** Each related story costs a request for its title. */
const MAX_TITLES = 8
const MAX_QUOTES = 2

const Related = z.object({
  of: z.object({ id: z.string(), name: z.string().nullable() }),
  stories: z.array(
    z.object({
      story_id: z.string(),
      title: z.string().nullable(),
      last_article: z.string().nullable(),
      type: z.string().describe('shared_entities, evolved_into, merged_with or split_from.'),
      direction: z.enum(['to', 'from']).nullable().describe('from: the other story is the source. null: no direction.'),
      confidence: z.number(),
      shared_entities: z.int(),
      since: z.string(),
    }),
  ),
  entities: z.array(
    z.object({
      entity_id: z.string(),
      name: z.string(),
      type: z.string(),
      relation: z.string().describe('co_mention: no sentence states a relationship.'),
      direction: z.string().nullable().describe('outbound: the requested entity acts; inbound: the other one.'),
      articles_with_both: z.int(),
      independent_sources: z.int(),
      strength: z.number(),
      sentiment: z.number(),
      quotes: z.array(z.object({ quote: z.string(), article_id: z.string() })),
    }),
  ),
})

type RelatedContent = z.output<typeof Related>

/** The list, with the requested story as one side of each relationship. */
const linksOf = (body: unknown, count: number) => {
  const { cluster_id, relationships } = StoryLinks.parse(body)
  return relationships
    .slice(0, count)
    .map((link) => ({ ...link, other: link.source === cluster_id ? link.target : link.source }))
}

export const getRelationships = defineTool({
  name: 'get_relationships',
  title: 'Find related stories or entities',
  description:
    'With story_id: the stories related to a story (same entities, earlier or later chapter, merged, split). With ' +
    'entity: the people, organisations and places connected to it, with the kind of relationship and quoted sentences ' +
    'that state it. Give exactly one of both. Use it for background, context and connections. Needs a professional key.',
  tier: 'professional',
  input: z
    .object({
      story_id: storyId.optional(),
      entity: z.string().trim().min(1).max(200).optional().describe('Id (ent_...) or full name of an entity.'),
      time_range: timeRange('30d').describe('Window of an entity. Default: 30d.'),
      min_strength: z.number().min(0).max(1).default(0.2).describe('For an entity: 1 is its most frequent pair.'),
      limit: limit(MAX_TITLES, 15),
      as_of: asOf,
    })
    .refine(({ story_id, entity }) => (story_id === undefined) !== (entity === undefined), {
      message: 'give exactly one of story_id and entity',
    }),
  output: Related,
  requests: ({ story_id, entity, time_range, min_strength, as_of }) => [
    story_id === undefined
      ? target('/v1/relationships', { entity, time_range, min_strength, as_of })
      : target(`/layer3/v1/graph/cluster/${encodeURIComponent(story_id)}/relationships`, { as_of }),
  ],
  more: ([body], { story_id, limit: count, as_of }) =>
    story_id === undefined
      ? []
      : linksOf(body, Math.min(count, MAX_TITLES)).map(({ other }) =>
          target(`/v1/clusters/${encodeURIComponent(other)}`, { as_of }),
        ),
  shape: ({ first: [body], more }, { story_id, limit: count }) =>
    story_id === undefined ? relatedEntities(body, count) : relatedStories(body, more, count),
  text: ({ of, stories, entities }) => [
    stories.length + entities.length === 0
      ? `Nothing is related to ${of.name ?? 'story'} [${of.id}]. For an entity, use a longer time_range or a lower min_strength.`
      : `Related to ${of.name ?? 'story'} [${of.id}]:`,
    ...stories.map(storyLinkLine),
    ...entities.flatMap(entityLinkLines),
  ],
})

function relatedStories(body: unknown, titles: readonly unknown[], count: number): RelatedContent {
  const known = new Map(titles.map((one) => RelatedTitle.parse(one)).map((story) => [story.id, story]))
  return {
    of: { id: StoryLinks.parse(body).cluster_id, name: null },
    stories: linksOf(body, count).map((link) => {
      const story = known.get(link.other)
      return {
        story_id: link.other,
        title: story === undefined ? null : clipTitle(story.title),
        last_article: story?.updated_at ?? null,
        type: link.type,
        direction: directionOf(link),
        confidence: link.confidence,
        shared_entities: link.shared_entities.length,
        since: link.since,
      }
    }),
    entities: [],
  }
}

const directionOf = ({ directed, source, other }: ReturnType<typeof linksOf>[number]): 'to' | 'from' | null => {
  if (!directed) return null
  return source === other ? 'from' : 'to'
}

function relatedEntities(body: unknown, count: number): RelatedContent {
  const { entity, relationships } = EntityLinks.parse(body)
  return {
    of: { id: entity.id, name: entity.name },
    stories: [],
    entities: relationships.slice(0, count).map((link) => ({
      entity_id: link.target_entity.id,
      name: link.target_entity.name,
      type: link.target_entity.type,
      relation: link.type,
      direction: link.direction,
      articles_with_both: link.co_mentions,
      independent_sources: link.origins,
      strength: link.strength,
      sentiment: link.sentiment,
      quotes: link.contexts
        .slice(0, MAX_QUOTES)
        .map((quote, i) => ({ quote: clipQuote(quote), article_id: link.context_article_ids[i] ?? '' })),
    })),
  }
}

const ARROWS = { to: 'from this story', from: 'to this story' } as const

const storyLinkLine = (link: RelatedContent['stories'][number]): string =>
  [
    `- [${link.story_id}] ${link.title ?? '(read it with get_story)'}: ${link.type}`,
    ...(link.direction === null ? [] : [ARROWS[link.direction]]),
    `confidence ${rounded(link.confidence)}`,
    counted(link.shared_entities, 'shared entity', 'shared entities'),
    `since ${minute(link.since)}`,
  ].join(', ')

const entityLinkLines = (link: RelatedContent['entities'][number]): readonly string[] => [
  `- ${link.name} (${link.type}) [${link.entity_id}]: ${link.relation}` +
    `${link.direction === null ? '' : ` ${link.direction}`}, ${counted(link.articles_with_both, 'article')} of ` +
    `${counted(link.independent_sources, 'independent source')}, sentiment ${rounded(link.sentiment)}`,
  ...link.quotes.map(({ quote, article_id }) => `  "${quote}" [${article_id}]`),
]
