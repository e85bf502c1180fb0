import { z } from 'zod'
import { clipTitle, shortUrl, type CitedArticle } from './text.ts'

/** Parameters of several tools. The REST API validates them again. */
export const timeRange = (byDefault: '24h' | '7d' | '30d') =>
  z
    .enum(['1h', '6h', '24h', '7d', '30d'])
    .default(byDefault)
    .describe(`Window that ends now, or at as_of. Default: ${byDefault}.`)

export const asOf = z
  .string()
  .max(40)
  .optional()
  .describe('ISO 8601 time or date: answer as of that past moment. Default: now.')

export const languages = z
  .string()
  .max(100)
  .optional()
  .describe('ISO 639-1 codes, comma-separated, such as de,fr. Default: all languages.')

export const cursor = z
  .string()
  .max(2_000)
  .optional()
  .describe('next_cursor of the previous answer, sent with the same parameters. Omit at first.')

export const limit = (byDefault: number, max: number) => z.int().min(1).max(max).default(byDefault)

export const storyId = z
  .string()
  .min(1)
  .max(100)
  .describe('Id of a story (sto_...), from search_stories or search_articles.')

export const entityType = z
  .enum(['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT'])
  .optional()
  .describe('GPE: countries and cities; LOC: other places. Default: all types.')

export const nextCursor = z.string().nullable().describe('Send it as cursor for the next page; null: no more.')

/** A cited article in an answer. */
export const Cited = z.object({
  article_id: z.string(),
  title: z.string(),
  outlet: z.string().nullable(),
  url: z.string().nullable(),
  published: z.string().nullable(),
})

/** An article as the REST API returns it, in lists and stories. */
export const ArticleRow = z.object({
  article_id: z.string(),
  title: z.string().nullable(),
  source: z.string().nullable(),
  url: z.string().nullable().default(null),
  published_date: z.string().nullable(),
})

export const cited = ({ article_id, title, source, url, published_date }: z.output<typeof ArticleRow>) =>
  ({
    article_id,
    title: clipTitle(title),
    outlet: source,
    url: shortUrl(url),
    published: published_date,
  }) satisfies CitedArticle
