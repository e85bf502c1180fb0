import { z } from 'zod'

const count = z.number().nullish()

/** A post of X's API v2. Source of the names: the types of twitter-api-v2. */
const Tweet = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  text: z.string(),
  created_at: z.string(),
  author_id: z.string().nullish(),
  note_tweet: z.object({ text: z.string() }).nullish(),
  public_metrics: z
    .object({ retweet_count: count, reply_count: count, like_count: count, quote_count: count })
    .nullish(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).nullish(),
  entities: z
    .object({
      urls: z.array(z.object({ expanded_url: z.string().nullish(), unwound_url: z.string().nullish() })).nullish(),
    })
    .nullish(),
})

export type Tweet = z.infer<typeof Tweet>

/** Parts that were not answered, beside those that were. */
const PartialErrors = z.array(z.object({ value: z.string().nullish(), resource_id: z.string().nullish() })).nullish()

/** Without posts `data` is absent. An answer of errors alone is none, so one of both has to be there. */
export const FoundTweets = z
  .object({
    data: z.array(Tweet).nullish(),
    includes: z.object({ users: z.array(z.object({ id: z.string(), username: z.string() })).nullish() }).nullish(),
    meta: z.object({ newest_id: z.string().nullish(), next_token: z.string().nullish() }).nullish(),
    errors: PartialErrors,
  })
  .refine(
    ({ data, meta }) => Array.isArray(data) || (meta !== null && meta !== undefined),
    'neither posts nor a summary',
  )
export type FoundTweets = z.infer<typeof FoundTweets>

export const Looked = z
  .object({ data: z.array(z.object({ id: z.string() })).nullish(), errors: PartialErrors })
  .refine(({ data, errors }) => Array.isArray(data) || Array.isArray(errors), 'neither posts nor errors')

/** What X says with a status that is none of 2xx: a problem, or errors in the manner of v1. */
export const TwitterProblem = z.object({
  type: z.string().nullish(),
  title: z.string().nullish(),
  detail: z.string().nullish(),
  period: z.string().nullish(),
  errors: z.array(z.looseObject({ parameters: z.record(z.string(), z.unknown()).nullish() })).nullish(),
})
export type TwitterProblem = z.infer<typeof TwitterProblem>
