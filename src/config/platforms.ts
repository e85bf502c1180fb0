import { z } from 'zod'
import type { Platform } from '../events/discourse.ts'

/** What a variable means, for `docs/configuration.md`. */
export interface Meaning {
  readonly meaning: string
  readonly unit?: string
  /** Describes a default that is not a single value. */
  readonly default?: string
}

/** The configuration of one platform's connector. `src/sources/connectors/README.md` describes how to add a platform. */
interface PlatformConfig<Shape extends z.ZodRawShape, Settings> {
  readonly variables: Shape
  readonly meanings: Readonly<Record<keyof Shape, Meaning>>
  /** `null` unless all credentials are set. */
  readonly settings: (value: z.output<z.ZodObject<Shape>>) => Settings | null
}

const platform = <Shape extends z.ZodRawShape, Settings>(config: PlatformConfig<Shape, Settings>) => config

const reddit = platform({
  variables: {
    REDDIT_CLIENT_ID: z.string().optional(),
    REDDIT_CLIENT_SECRET: z.string().optional(),
    REDDIT_USER_AGENT: z.string().optional(),
    REDDIT_AUTH_URL: z.url().default('https://www.reddit.com'),
    REDDIT_API_URL: z.url().default('https://oauth.reddit.com'),
  },
  meanings: {
    REDDIT_CLIENT_ID: {
      meaning:
        'Id of the Reddit application. The connector is on if all three `REDDIT_CLIENT_ID`, `REDDIT_CLIENT_SECRET` and `REDDIT_USER_AGENT` are set.',
    },
    REDDIT_CLIENT_SECRET: { meaning: 'Secret of the Reddit application.' },
    REDDIT_USER_AGENT: { meaning: 'User agent that Reddit requires.' },
    REDDIT_AUTH_URL: { meaning: "Reddit's address for tokens." },
    REDDIT_API_URL: { meaning: "Reddit's API." },
  },
  settings: (value) => {
    const { REDDIT_CLIENT_ID: clientId, REDDIT_CLIENT_SECRET: clientSecret, REDDIT_USER_AGENT: userAgent } = value
    if (clientId === undefined || clientSecret === undefined || userAgent === undefined) return null
    return { clientId, clientSecret, userAgent, authUrl: value.REDDIT_AUTH_URL, apiUrl: value.REDDIT_API_URL }
  },
})

const bluesky = platform({
  variables: {
    BLUESKY_IDENTIFIER: z.string().optional(),
    BLUESKY_APP_PASSWORD: z.string().optional(),
    BLUESKY_URL: z.url().default('https://bsky.social'),
    BLUESKY_JETSTREAM_URL: z.url().optional(),
  },
  meanings: {
    BLUESKY_IDENTIFIER: {
      meaning: 'Bluesky account. The connector is on if both `BLUESKY_IDENTIFIER` and `BLUESKY_APP_PASSWORD` are set.',
    },
    BLUESKY_APP_PASSWORD: { meaning: 'App password of the Bluesky account.' },
    BLUESKY_URL: { meaning: "Bluesky's API." },
    BLUESKY_JETSTREAM_URL: { meaning: 'Jetstream to follow in addition to the search.' },
  },
  settings: (value) => {
    const { BLUESKY_IDENTIFIER: identifier, BLUESKY_APP_PASSWORD: password, BLUESKY_URL: url } = value
    if (identifier === undefined || password === undefined) return null
    return { identifier, password, url, jetstreamUrl: value.BLUESKY_JETSTREAM_URL ?? null }
  },
})

const twitter = platform({
  variables: {
    TWITTER_BEARER_TOKEN: z.string().optional(),
    TWITTER_API_URL: z.url().default('https://api.x.com'),
    TWITTER_POSTS_PER_MONTH: z.coerce.number().int().min(0).default(10_000),
  },
  meanings: {
    TWITTER_BEARER_TOKEN: { meaning: "X's bearer token. The connector is on if it is set." },
    TWITTER_API_URL: { meaning: "X's API." },
    TWITTER_POSTS_PER_MONTH: { meaning: 'Maximum number of posts to read from X per month.', unit: 'posts' },
  },
  settings: ({ TWITTER_BEARER_TOKEN: token, TWITTER_API_URL: url, ...value }) =>
    token === undefined ? null : { token, url, postsPerMonth: value.TWITTER_POSTS_PER_MONTH },
})

export const platformVariables = { ...reddit.variables, ...bluesky.variables, ...twitter.variables }

type Variables = z.output<z.ZodObject<typeof platformVariables>>

export const platformMeanings = { ...reddit.meanings, ...bluesky.meanings, ...twitter.meanings }

export const platformSettings = (value: Variables) =>
  ({
    reddit: reddit.settings(value),
    bluesky: bluesky.settings(value),
    twitter: twitter.settings(value),
  }) satisfies Record<Platform, unknown>
