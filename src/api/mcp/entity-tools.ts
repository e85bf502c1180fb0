import { z } from 'zod'
import { ArticleRow, asOf, Cited, cited, cursor, entityType, limit, nextCursor, timeRange } from './fields.ts'
import { citation, counted, minute, moreLine, rounded, section } from './text.ts'
import { defineTool, target } from './tool.ts'

const EntityRow = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  mention_count: z.int(),
  article_count: z.int(),
  first_seen: z.string(),
  last_seen: z.string(),
})
const EntityRows = z.object({ entities: z.array(EntityRow), total: z.int(), next_cursor: z.string().nullable() })

const ListedEntity = z.object({
  entity_id: z.string(),
  name: z.string(),
  type: z.string(),
  mentions: z.int(),
  articles: z.int(),
  first_seen: z.string(),
  last_seen: z.string(),
})

const listed = ({
  id,
  name,
  type,
  mention_count,
  article_count,
  first_seen,
  last_seen,
}: z.output<typeof EntityRow>) => ({
  ...{ entity_id: id, name, type, first_seen, last_seen },
  mentions: mention_count,
  articles: article_count,
})

export const listEntities = defineTool({
  name: 'list_entities',
  title: 'List people, organisations, places and events',
  description:
    'Lists the people, organisations, places and events that articles mention most in a window, or those whose name ' +
    'contains query. Use it to find the id of a person, organisation or place, or to see who and what is in the ' +
    'news. Read one with get_entity.',
  tier: 'starter',
  input: z.object({
    query: z.string().trim().min(1).max(200).optional().describe('Part of a name.'),
    type: entityType,
    time_range: timeRange('7d'),
    min_mentions: z.int().min(0).max(1_000_000).optional(),
    limit: limit(15, 30),
    cursor,
    as_of: asOf,
  }),
  output: z.object({ total: z.int(), entities: z.array(ListedEntity), next_cursor: nextCursor }),
  requests: (given) => [target('/v1/entities', given)],
  shape: ({ first }) => {
    const { entities, total, next_cursor } = EntityRows.parse(first[0])
    return { total, entities: entities.map(listed), next_cursor }
  },
  text: ({ total, entities, next_cursor }) => [
    entities.length === 0
      ? 'No entities found. Use part of the name or a longer time_range.'
      : `${entities.length} of ${counted(total, 'entity', 'entities')}:`,
    ...entities.map(
      ({ entity_id, name, type, mentions, articles, last_seen }) =>
        `[${entity_id}] ${name} (${type}): ${counted(mentions, 'mention')} in ${counted(articles, 'article')}, ` +
        `last ${minute(last_seen)}`,
    ),
    ...moreLine(next_cursor),
  ],
})

const Distribution = z.object({ positive: z.int(), neutral: z.int(), negative: z.int() })
const EntityBody = EntityRow.extend({
  aliases: z.array(z.string()),
  wikidata_id: z.string().nullable(),
  sentiment: z.object({ avg: z.number(), distribution: Distribution }),
  sentiment_timeline: z.array(z.object({ date: z.string(), avg_sentiment: z.number(), article_count: z.int() })),
  related_entities: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), co_mentions: z.int() })),
  articles: z.array(ArticleRow),
})
const TimelineBody = z.object({
  timeline: z.array(z.object({ date: z.string(), mention_count: z.int(), article_count: z.int() })),
})

const [MAX_ALIASES, MAX_DAYS, MAX_RELATED, MAX_ARTICLES] = [8, 31, 10, 10]

export const getEntity = defineTool({
  name: 'get_entity',
  title: 'Read a person, organisation, place or event',
  description:
    'Returns one entity: mentions in total and per day, sentiment of the articles towards it in total and per day, ' +
    'other names, the entities mentioned with it most often, and its newest articles. Use it for questions about ' +
    'how much and how favourably someone or something is reported. How entities are related: get_relationships.',
  tier: 'starter',
  input: z.object({
    entity: z.string().trim().min(1).max(200).describe('Id (ent_...) or full name; a name selects the most mentioned.'),
    type: entityType,
    time_range: timeRange('7d').describe('Window of the mentions per day. Default: 7d.'),
    as_of: asOf,
  }),
  output: ListedEntity.extend({
    aliases: z.array(z.string()),
    wikidata_id: z.string().nullable(),
    sentiment: z.object({ average: z.number(), ...Distribution.shape }).describe('-1 to 1, and numbers of articles.'),
    mentions_by_day: z.array(z.object({ day: z.string(), mentions: z.int(), articles: z.int() })),
    sentiment_by_day: z.array(z.object({ day: z.string(), average: z.number(), articles: z.int() })),
    related: z.array(
      z.object({ entity_id: z.string(), name: z.string(), type: z.string(), articles_with_both: z.int() }),
    ),
    newest_articles: z.array(Cited),
  }),
  requests: ({ entity, type, as_of }) => [target(`/v1/entities/${encodeURIComponent(entity)}`, { type, as_of })],
  // by the id: a name would count the entities of all types that have it
  more: ([body], { time_range, as_of }) => [
    target(`/v1/entities/${encodeURIComponent(EntityBody.parse(body).id)}/timeline`, { time_range, as_of }),
  ],
  shape: ({ first, more }) => {
    const entity = EntityBody.parse(first[0])
    const { timeline } = TimelineBody.parse(more[0] ?? { timeline: [] })
    return {
      ...listed(entity),
      aliases: entity.aliases.filter((alias) => alias !== entity.name).slice(0, MAX_ALIASES),
      wikidata_id: entity.wikidata_id,
      sentiment: { average: entity.sentiment.avg, ...entity.sentiment.distribution },
      mentions_by_day: timeline
        .filter(({ mention_count }) => mention_count > 0)
        .slice(-MAX_DAYS)
        .map(({ date, mention_count, article_count }) => ({
          day: date.slice(0, 10),
          mentions: mention_count,
          articles: article_count,
        })),
      sentiment_by_day: entity.sentiment_timeline
        .filter(({ article_count }) => article_count > 0)
        .slice(-MAX_DAYS)
        .map(({ date, avg_sentiment, article_count }) => ({
          day: date.slice(0, 10),
          average: avg_sentiment,
          articles: article_count,
        })),
      related: entity.related_entities.slice(0, MAX_RELATED).map(({ id, name, type, co_mentions }) => ({
        ...{ entity_id: id, name, type },
        articles_with_both: co_mentions,
      })),
      newest_articles: entity.articles.slice(0, MAX_ARTICLES).map(cited),
    }
  },
  text: (entity) => [
    `[${entity.entity_id}] ${entity.name} (${entity.type}): ${counted(entity.mentions, 'mention')} in ` +
      `${counted(entity.articles, 'article')}, ${minute(entity.first_seen)} to ${minute(entity.last_seen)}`,
    ...(entity.aliases.length === 0 ? [] : [`Also: ${entity.aliases.join(', ')}`]),
    `Sentiment ${rounded(entity.sentiment.average)} (-1 to 1): ${entity.sentiment.positive} positive, ` +
      `${entity.sentiment.neutral} neutral, ${entity.sentiment.negative} negative articles`,
    ...section(
      'Mentions per day:',
      entity.mentions_by_day.map(({ day, mentions, articles }) => `- ${day}: ${mentions} in ${articles} articles`),
    ),
    ...section(
      'Sentiment per day:',
      entity.sentiment_by_day.map(({ day, average, articles }) => `- ${day}: ${rounded(average)} (${articles})`),
    ),
    ...section(
      'Mentioned together with:',
      entity.related.map(
        ({ entity_id, name, type, articles_with_both }) => `- ${name} (${type}) [${entity_id}]: ${articles_with_both}`,
      ),
    ),
    ...section(
      'Newest articles:',
      entity.newest_articles.map((article) => `- ${citation(article)}`),
    ),
  ],
})
