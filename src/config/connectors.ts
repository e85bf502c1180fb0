/** The variables of the connectors, parsed. */
interface Variables {
  readonly CONNECTOR_NAMESPACES: readonly string[]
  readonly CONNECTOR_STORIES: number
  readonly REDDIT_CLIENT_ID?: string | undefined
  readonly REDDIT_CLIENT_SECRET?: string | undefined
  readonly REDDIT_USER_AGENT?: string | undefined
  readonly REDDIT_AUTH_URL: string
  readonly REDDIT_API_URL: string
  readonly BLUESKY_IDENTIFIER?: string | undefined
  readonly BLUESKY_APP_PASSWORD?: string | undefined
  readonly BLUESKY_URL: string
  readonly BLUESKY_JETSTREAM_URL?: string | undefined
  readonly TWITTER_BEARER_TOKEN?: string | undefined
  readonly TWITTER_API_URL: string
  readonly TWITTER_POSTS_PER_MONTH: number
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
