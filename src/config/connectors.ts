import { z } from 'zod'

/** Credentials, addresses and limits of the platforms. */
export const PLATFORM_VARIABLES = {
  REDDIT_CLIENT_ID: z.string().optional(),
  REDDIT_CLIENT_SECRET: z.string().optional(),
  REDDIT_USER_AGENT: z.string().optional(),
  REDDIT_AUTH_URL: z.url().default('https://www.reddit.com'),
  REDDIT_API_URL: z.url().default('https://oauth.reddit.com'),
  BLUESKY_IDENTIFIER: z.string().optional(),
  BLUESKY_APP_PASSWORD: z.string().optional(),
  BLUESKY_URL: z.url().default('https://bsky.social'),
  BLUESKY_JETSTREAM_URL: z.url().optional(),
  TWITTER_BEARER_TOKEN: z.string().optional(),
  TWITTER_API_URL: z.url().default('https://api.x.com'),
  TWITTER_POSTS_PER_MONTH: z.coerce.number().int().min(0).default(10_000),
} as const

interface Variables extends z.output<z.ZodObject<typeof PLATFORM_VARIABLES>> {
  readonly CONNECTOR_NAMESPACES: readonly string[]
  readonly CONNECTOR_STORIES: number
}

/** Null: not all credentials are set, so the connector is off. */
export const connectors = (value: Variables) => ({
  namespaces: value.CONNECTOR_NAMESPACES,
  stories: value.CONNECTOR_STORIES,
  reddit: redditOf(value),
  bluesky: blueskyOf(value),
  twitter: twitterOf(value),
})

export type ConnectorSettings = ReturnType<typeof connectors>

const redditOf = (value: Variables) => {
  const { REDDIT_CLIENT_ID: clientId, REDDIT_CLIENT_SECRET: clientSecret, REDDIT_USER_AGENT: userAgent } = value
  if (clientId === undefined || clientSecret === undefined || userAgent === undefined) return null
  return { clientId, clientSecret, userAgent, authUrl: value.REDDIT_AUTH_URL, apiUrl: value.REDDIT_API_URL }
}

const blueskyOf = (value: Variables) => {
  const { BLUESKY_IDENTIFIER: identifier, BLUESKY_APP_PASSWORD: password, BLUESKY_URL: url } = value
  if (identifier === undefined || password === undefined) return null
  return { identifier, password, url, jetstreamUrl: value.BLUESKY_JETSTREAM_URL ?? null }
}

const twitterOf = ({ TWITTER_BEARER_TOKEN: token, TWITTER_API_URL: url, ...value }: Variables) =>
  token === undefined ? null : { token, url, postsPerMonth: value.TWITTER_POSTS_PER_MONTH }
