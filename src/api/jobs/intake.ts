import { z } from '@hono/zod-openapi'
import { articlesIngested, type ArticleIngested } from '../../events/articles.ts'
import { derivedId } from '../../events/ids.ts'
import {
  MAX_FIELD_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  MIN_TEXT_CHARACTERS,
  intake,
  refusals,
  type Fields,
} from '../../domain/intake/articles.ts'
import type { Codec, Log } from '../../ports/log.ts'

const text = z
  .string()
  .describe(`${MIN_TEXT_CHARACTERS} to ${MAX_TEXT_CHARACTERS} characters after trimming; plain text or HTML.`)

const atMost = (field: keyof typeof MAX_FIELD_CHARACTERS): string =>
  `At most ${MAX_FIELD_CHARACTERS[field].toLocaleString('en')} characters.`

const optional = (description: string) => z.string().nullish().describe(description)

/** An article as a caller submits it. An empty or null field counts as missing; unknown ones are ignored. */
export const SubmittedArticle = z
  .object({
    text,
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

/** By the rules that hold at every entrance. */
export const checked = ({ text, metadata }: SubmittedArticle) => intake({ ...metadata, text })

/** Every field that intake refuses, each with its reason: a caller mends them all at once. */
export const refusedFields = ({ text, metadata }: SubmittedArticle) => refusals({ ...metadata, text })

const PRODUCER = { stage: 'intake', version: '1' }

/** The event of a submitted article: its id follows from the job's, so that a repeated append is the same event. */
export const ingested = (
  fields: Fields,
  job: Pick<ArticleIngested, 'namespace' | 'job_id' | 'request'>,
): ArticleIngested => ({
  ...fields,
  ...job,
  event_id: derivedId(PRODUCER, job.job_id ?? ''),
  producer: 'api',
})

/** Resolves when the log has them all: only then may a caller get an answer. */
export async function append(
  events: readonly ArticleIngested[],
  { log, codec }: { readonly log: Pick<Log, 'produce'>; readonly codec: Codec },
): Promise<void> {
  const records = await Promise.all(
    events.map(async (event) => ({
      topic: articlesIngested.name,
      key: articlesIngested.key(event),
      value: await codec.encode(articlesIngested, event),
    })),
  )
  await log.produce(records)
}
