import { NO_BUDGET } from '../budget.ts'
import {
  isTrouble,
  type FoundPosts,
  type KnownPost,
  type PlatformConnector,
  type PlatformRounds,
  type PlatformSource,
} from '../platform.ts'
import type { StoryTarget } from '../targets.ts'
import { RedditClient, type RedditPorts } from './client.ts'
import { goneAmong, type PresenceAnswer } from '../still-there.ts'
import { RedditLook, type RedditMemory } from './look.ts'
import { isGone, RedditListing } from './shapes.ts'

const IDS_AT_ONCE = 100

export const redditRounds: PlatformRounds = { lookUpsPerRound: 500, searches: () => true }

export const reddit: PlatformConnector = {
  variables: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT'],
  open: ({ reddit: access }, ports) =>
    access === null
      ? null
      : {
          addresses: { REDDIT_AUTH_URL: access.authUrl, REDDIT_API_URL: access.apiUrl },
          budget: NO_BUDGET,
          source: () => redditSource({ ...access, ...ports }),
          stream: null,
        },
}

/** Reddit: threads that link to a story's articles, threads that its words find, and what is said in them. */
export function redditSource(ports: RedditPorts): PlatformSource {
  const client = new RedditClient(ports)
  const memory: RedditMemory = { lookedUp: new Map(), threads: new Map() }

  const search = async (target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts> => {
    const look = new RedditLook(target, { client, memory, signal, now: ports.clock.now() })
    try {
      await look.byArticles()
      await look.byWords()
      await look.followUp()
      await look.readThreads()
    } catch (cause) {
      if (!isTrouble(cause) || look.found().read === 0) throw cause
      return { ...look.found(), cursor, stopped: cause }
    }
    return { ...look.found(), cursor: null }
  }

  const gone = async (posts: readonly KnownPost[], signal: AbortSignal) => {
    const ask = async (ids: readonly string[]): Promise<PresenceAnswer> => {
      const { children } = await client.ask(
        { path: '/api/info', query: { id: ids.join(',') }, shape: RedditListing },
        signal,
      )
      const held = children.flatMap((thing) => (thing.kind === 't1' || thing.kind === 't3' ? [thing.data] : []))
      return { held: held.map(nameOf), there: held.filter((data) => !isGone(data)).map(nameOf) }
    }
    return goneAmong(
      posts.map(({ post_id }) => post_id),
      { atOnce: IDS_AT_ONCE, ask },
    )
  }

  return { platform: 'reddit', ...redditRounds, search, gone }
}

const nameOf = ({ name }: { readonly name: string }): string => name
