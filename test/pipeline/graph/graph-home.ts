import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import type { Dependencies } from '../../../src/api/http/dependencies.ts'
import { storiesLinked, type StoryLinked } from '../../../src/events/graph.ts'
import { articlesClustered, type ArticleClustered } from '../../../src/events/ledger.ts'
import { GRAPH } from '../../../src/domain/graph/rules.ts'
import { viewGroup } from '../../../src/ports/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { anApi, type TestApi } from '../../builders/api.ts'
import { aLinker } from '../../builders/linked.ts'
import type { ViewWriter } from '../../builders/views.ts'
import { aNamespace, type ViewsDatabaseAnswer } from '../views-database.ts'

const STEP_MS = 10
/** Beyond the end of any ledger: the stage and the views have read all of it. */
const ALL = 1_000_000

export interface GraphHome {
  readonly namespace: string
  readonly api: TestApi
  readonly key: string
  /** Writes ledger events and the real stage's events into the views. */
  live(...events: readonly ArticleClustered[]): Promise<readonly StoryLinked[]>
  /** The same without the stage's events; returns them instead. */
  unlinked(...events: readonly ArticleClustered[]): Promise<readonly StoryLinked[]>
  /** Writes events of the stage into the view. */
  say(...words: readonly StoryLinked[]): Promise<void>
  /** Writes wrong graph events at the stage's last ledger offset. */
  plant(...words: readonly StoryLinked[]): Promise<void>
  get(path: string): Promise<ViewsDatabaseAnswer>
  /** While callers wait, events of the API reach the view, as in production; the clock may run faster. */
  build(times?: number, faster?: number): Promise<readonly ViewsDatabaseAnswer[]>
}

/** An API over the database at noon of `A_DAY`; each home is a new namespace with a key. */
export function graphHomes(
  store: Store,
  writer: ViewWriter,
  { unread, ...over }: Partial<Dependencies> & { readonly unread?: true } = {},
): (tier?: 'starter' | 'professional') => Promise<GraphHome> {
  let api: TestApi
  beforeAll(async () => {
    api = await anApi({ store, ...over })
    if (unread === undefined) {
      for (const group of ['linked', viewGroup('clusters')]) {
        api.log.commit(group, { topic: articlesClustered.name, partition: 0, offset: ALL }, null)
      }
    }
  })
  afterAll(async () => {
    await api.stop()
  })

  let shown = 0
  const show = async (): Promise<void> => {
    const records = api.log.records(storiesLinked.name).slice(shown)
    shown += records.length
    const decoded = await Promise.all(
      records.map(({ value }) => api.codec.decode(storiesLinked, value ?? Buffer.alloc(0))),
    )
    const words = decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
    if (words.length > 0) await writer.write(storiesLinked, words)
    api.log.commit(viewGroup('graph'), { topic: storiesLinked.name, partition: 0, offset: shown }, null)
  }

  return async (tier = 'professional') => {
    const namespace = aNamespace()
    const key = await api.key({ namespace, tier })
    const linker = aLinker({ rules: GRAPH })
    let end = 0
    const unlinked = async (...events: readonly ArticleClustered[]): Promise<readonly StoryLinked[]> => {
      const own = events.map((event) => ({ ...event, namespace }))
      await writer.write(articlesClustered, own, end)
      end += own.length
      return own.flatMap((event) => {
        const heard = linker.hear(event)
        return typeof heard === 'string' ? [] : heard
      })
    }
    const say = (...words: readonly StoryLinked[]): Promise<void> =>
      writer.write(
        storiesLinked,
        words.map((word) => ({ ...word, namespace })),
      )
    return {
      ...{ namespace, api, key, unlinked, say },
      live: async (...events) => {
        const emitted = await unlinked(...events)
        await say(...emitted)
        return emitted
      },
      plant: (...words) =>
        writer.write(
          storiesLinked,
          words.map((word) => ({
            ...word,
            namespace,
            caused_by: { topic: articlesClustered.name, partition: 0, offset: end - 1 },
          })),
        ),
      get: async (path) => answerOf(await api.get(path, key)),
      build: async (times = 1, faster = 1) => {
        const answers: ViewsDatabaseAnswer[] = []
        const pending = Array.from({ length: times }, async () => {
          answers.push(await answerOf(await api.post('/layer3/v1/graph/build', '', key)))
        })
        const isWaiting = () => answers.length < times
        while (isWaiting()) {
          await setTimeout(STEP_MS)
          await show()
          await api.clock.advance(STEP_MS * faster)
        }
        await Promise.all(pending)
        return answers
      },
    }
  }
}

const answerOf = async (response: Response): Promise<ViewsDatabaseAnswer> => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
  link: response.headers.get('link'),
})
