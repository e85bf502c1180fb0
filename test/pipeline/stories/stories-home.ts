import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { articlesClustered, type ArticleClustered } from '../../../src/events/ledger.ts'
import { storiesEnriched, type StoryEnriched } from '../../../src/events/discourse.ts'
import type { Dependencies } from '../../../src/api/http/dependencies.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../../src/events/lifecycle.ts'
import type { Store } from '../../../src/ports/store.ts'
import { anApi, type TestApi } from '../../builders/api.ts'
import type { ViewWriter } from '../../builders/views.ts'
import { aNamespace, type ViewsDatabaseAnswer } from '../views-database.ts'

const STEP_MS = 10

export interface StoriesHome {
  readonly namespace: string
  /** Writes events of this namespace into the views. */
  articles(...events: readonly ArticleClustered[]): Promise<void>
  receptions(...events: readonly StoryEnriched[]): Promise<void>
  get(path: string): Promise<ViewsDatabaseAnswer>
  /** While the caller waits, the API's events in `stories.transitioned` reach the view, as in production. */
  post(path: string): Promise<ViewsDatabaseAnswer>
  /** The same while the view does not run; time passes. */
  postUnseen(path: string): Promise<ViewsDatabaseAnswer>
  /** The events that the API appended. */
  appended(): Promise<readonly StoryTransitioned[]>
}

/** An API over the database at noon of `A_DAY`; each home is a new namespace with a key. */
export function storiesHomes(
  store: Store,
  writer: ViewWriter,
  over: Partial<Dependencies> = {},
): () => Promise<StoriesHome> {
  let api: TestApi
  beforeAll(async () => {
    api = await anApi({ store, ...over })
  })
  afterAll(async () => {
    await api.stop()
  })

  const events = async (): Promise<readonly StoryTransitioned[]> => {
    const decoded = await Promise.all(
      api.log
        .records(storiesTransitioned.name)
        .map(({ value }) => api.codec.decode(storiesTransitioned, value ?? Buffer.alloc(0))),
    )
    return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  }
  let shown = 0
  const show = async (): Promise<void> => {
    const all = await events()
    const fresh = all.slice(shown)
    shown = all.length
    if (fresh.length > 0) await writer.write(storiesTransitioned, fresh)
  }
  const answerOf = async (response: Response): Promise<ViewsDatabaseAnswer> => ({
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    link: response.headers.get('link'),
  })

  return async () => {
    const namespace = aNamespace()
    const key = await api.key({ namespace, tier: 'starter' })
    /** The API's clock runs in real time, which the store needs, or `faster`. */
    const post = async (path: string, faster: number, meanwhile: () => Promise<void>): Promise<ViewsDatabaseAnswer> => {
      let answer: Response | null = null
      const pending = api.post(path, '', key).then((response) => (answer = response))
      const isWaiting = () => answer === null
      while (isWaiting()) {
        await setTimeout(STEP_MS)
        await meanwhile()
        await api.clock.advance(STEP_MS * faster)
      }
      return answerOf(await pending)
    }
    return {
      namespace,
      articles: (...given) =>
        writer.write(
          articlesClustered,
          given.map((event) => ({ ...event, namespace })),
        ),
      receptions: (...given) =>
        writer.write(
          storiesEnriched,
          given.map((event) => ({ ...event, namespace })),
        ),
      get: async (path) => answerOf(await api.get(path, key)),
      post: (path) => post(path, 1, show),
      postUnseen: (path) => post(path, 10, () => Promise.resolve()),
      appended: async () => (await events()).filter((event) => event.namespace === namespace),
    }
  }
}
