import { z } from '@hono/zod-openapi'
import type { ArticleIngested } from '../../events/articles.ts'
import { derivedId } from '../../events/ids.ts'
import {
  MAX_FIELD_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  MIN_TEXT_CHARACTERS,
  intake,
  refusals,
  type Fields,
} from '../../domain/intake/articles.ts'

const atMost = (field: keyof typeof MAX_FIELD_CHARACTERS): string =>
  `At most ${MAX_FIELD_CHARACTERS[field].toLocaleString('en')} characters.`

const optional = (description: string) => z.string().nullish().describe(description)

/** An article as a caller submits it. Empty and null fields count as missing; unknown fields are ignored. */
export const SubmittedArticle = z
  .object({
    text: z.string().openapi({
      description: `${MIN_TEXT_CHARACTERS} to ${MAX_TEXT_CHARACTERS} characters after trimming; plain text or HTML.`,
    }),
    metadata: z
      .object({
        title: optional(`Headline. ${atMost('title')}`),
        url: optional(`http(s) URL; used for deduplication. ${atMost('url')}`),
        source: optional(`Name or domain of the outlet. ${atMost('source')}`),
        author: optional(`Byline. ${atMost('author')}`),
        published_date: optional('ISO 8601 timestamp, with or without `Z`, or a date.'),
      })
      .nullish(),
  })
  .openapi('SubmittedArticle')

export type SubmittedArticle = z.output<typeof SubmittedArticle>

/** Validates an article by the intake rules, which are the same for every source. */
export const checked = ({ text, metadata }: SubmittedArticle) => intake({ ...metadata, text })

/** Every field that intake refuses, with the reason, so that a caller can fix all of them at once. */
export const refusedFields = ({ text, metadata }: SubmittedArticle) => refusals({ ...metadata, text })

const PRODUCER = { stage: 'intake', version: '1' }

/** The event of a submitted article. Its id is derived from the job id, so that a repeated append is the same event. */
export const ingested = (
  fields: Fields,
  job: Pick<ArticleIngested, 'namespace' | 'job_id' | 'request'>,
): ArticleIngested => ({
  ...fields,
  ...job,
  event_id: derivedId(PRODUCER, job.job_id ?? ''),
  producer: 'api',
  text_source: null,
})

export const SubmittedJob = z
  .object({
    job_id: z.string(),
    article_id: z.string().optional().describe('Present in the submit response and once the job has completed.'),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    forwarded: z
      .boolean()
      .optional()
      .describe(
        'Present once completed. Whether the article proceeds to Layer 1; `false` if its quality is below ' +
          'the gate.',
      ),
    gate_reason: z
      .string()
      .optional()
      .describe('`passed`; `below_gate`: quality too low; `private_bypass`: private namespaces have no quality gate.'),
    error: z.string().optional().describe('Present if the job failed.'),
  })
  .openapi('Job')

export type SubmittedJob = z.output<typeof SubmittedJob>

export const Jobs = z.object({ jobs: z.array(SubmittedJob), total: z.int() }).openapi('Jobs')

/** Why a single item of a batch is refused while the other items are accepted. */
export const REFUSALS = [
  'text_too_short',
  'text_too_long',
  'url_too_long',
  'title_too_long',
  'source_too_long',
  'author_too_long',
  'url_invalid',
  'published_date_invalid',
] as const
export type ItemRefusal = (typeof REFUSALS)[number]

const longer = (field: keyof typeof MAX_FIELD_CHARACTERS): string =>
  `the ${field} has more than ${MAX_FIELD_CHARACTERS[field].toLocaleString('en')} characters`

const SENTENCES: Readonly<Record<string, string>> = {
  text_missing: 'there is no text',
  text_too_short: `the text has fewer than ${MIN_TEXT_CHARACTERS} characters`,
  text_too_long: `the text has more than ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters`,
  url_too_long: longer('url'),
  title_too_long: longer('title'),
  source_too_long: longer('source'),
  author_too_long: longer('author'),
  url_invalid: 'the url is no http(s) address',
  published_date_invalid: 'the published_date is no ISO 8601 timestamp or date',
}

/** The reason as shown to callers: the constant, with its meaning if it is known. */
export const refusalText = (reason: string): string => {
  const sentence = SENTENCES[reason]
  return sentence === undefined ? reason : `${reason}: ${sentence}`
}
