import { LRUCache } from 'lru-cache'
import { NO_BUDGET } from '../budget.ts'
import { isTrouble, type FoundPosts, type KnownPost, type PlatformConnector, type PlatformSource } from '../platform.ts'
import { goneAmong, type PresenceAnswer } from '../still-there.ts'
import type { StoryTarget } from '../targets.ts'
import { BlueskyLook, questionsOf, REMEMBERED_THREADS } from './look.ts'
import { postsIn } from './post.ts'
import { blueskyQuery, type BlueskyPorts } from './session.ts'

const FIRST_LOOK_MS = 7 * 86_400_000
/** A post may be indexed late, and its thread grows for about a day: that much is looked at again each time. */
const AGAIN_MS = 86_400_000
const URIS_AT_ONCE = 25

export const bluesky: PlatformConnector = {
  variables: ['BLUESKY_IDENTIFIER', 'BLUESKY_APP_PASSWORD'],
  open: ({ bluesky: access }, ports) =>
    access === null
      ? null
      : {
          addresses: { BLUESKY_URL: access.url },
          budget: NO_BUDGET,
          source: () => blueskySource({ access, ...ports }),
          stream: access.jetstreamUrl === null ? null : { variable: 'BLUESKY_JETSTREAM_URL', url: access.jetstreamUrl },
        },
}

/** Bluesky's search, and the threads below what it finds. No budget: its rates are far above what is asked here. */
export function blueskySource(ports: BlueskyPorts): PlatformSource {
  const query = blueskyQuery(ports)
  /** Post to the answers it had when its thread was read. */
  const threads = new LRUCache<string, number>({ max: REMEMBERED_THREADS })

  const search = async (target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts> => {
    const now = ports.clock.now()
    const look = new BlueskyLook(target, { query, threads, signal, since: sinceOf(cursor, now) })
    try {
      for (const question of questionsOf(target)) await look.ask(question)
      await look.readThreads()
    } catch (cause) {
      if (!isTrouble(cause) || look.found().read === 0) throw cause
      return { ...look.found(), cursor, stopped: cause }
    }
    return { ...look.found(), cursor: new Date(now).toISOString() }
  }

  const gone = async (posts: readonly KnownPost[], signal: AbortSignal) => {
    const ask = async (uris: readonly string[]): Promise<PresenceAnswer> => {
      const params = uris.map((uri) => ['uris', uri] as const)
      const there = postsIn(await query({ method: 'app.bsky.feed.getPosts', params }, signal)).posts.map(
        ({ uri }) => uri,
      )
      return { held: there, there }
    }
    return goneAmong(
      posts.map(({ post_id }) => post_id),
      { atOnce: URIS_AT_ONCE, ask },
    )
  }

  return { platform: 'bluesky', lookUpsPerRound: 250, searches: () => true, search, gone }
}

const sinceOf = (cursor: string | null, now: number): string => {
  const last = Date.parse(cursor ?? '')
  return new Date(Number.isNaN(last) ? now - FIRST_LOOK_MS : last - AGAIN_MS).toISOString()
}
