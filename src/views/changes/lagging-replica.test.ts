import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aCodec, aHandMovedClock, aLog } from '../../../test/builders/api.ts'
import { aPublished, FeedStore, publish, viewReads } from '../../../test/builders/feed.ts'
import { Broadcaster } from '../../api/changes/broadcaster.ts'
import { FeedReader } from '../../api/changes/reader.ts'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { StoreUnavailable, type BoundQuery } from '../../ports/store.ts'
import { changesPage } from './page.ts'
import { fromNow, goOn } from './position.ts'

/** A proxy in front of two replicas: one has all rows, the other lacks some until it has fetched them. */
class TwoReplicas extends FeedStore {
  readonly lacking = new Set<number>()
  servedByLagging = false

  override async query<Out>(query: BoundQuery<Out>): Promise<readonly Out[]> {
    if (!this.servedByLagging || this.lacking.size === 0) return super.query(query)
    if (query.sequential === true) throw new StoreUnavailable('Replica is not in quorum (289)')
    const all = [...this.kept]
    this.kept.splice(0, all.length, ...all.filter(({ offset }) => !this.lacking.has(offset)))
    try {
      return await super.query(query)
    } finally {
      this.kept.splice(0, this.kept.length, ...all)
    }
  }
}

const step = fc.record({
  lagging: fc.boolean(),
  lacks: fc.array(fc.integer({ min: 0, max: 29 }), { maxLength: 10 }),
})
const ALL = Array.from({ length: 30 }, (_, n) => `shared a ${n}`)

it('polling gives every change once and in order, whichever replica answers and whatever it lacks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const [log, store, clock] = [aLog(), new TwoReplicas(), aHandMovedClock()]
      await publish(
        log,
        ALL.map((_, n) => aPublished('a', n)),
      )
      await viewReads(log, store)
      const got: string[] = []
      let begin = fromNow(clock.now())
      const poll = async (): Promise<void> => {
        const params = { ...begin, namespace: 'shared', owner: 'me', types: CHANGE_TYPES, limit: 4, now: clock.now() }
        const page = await changesPage(store, params).catch((cause: unknown) => {
          expect(cause).toBeInstanceOf(StoreUnavailable)
          return null
        })
        if (page === null) return
        got.push(...page.changes.map(({ id }) => id))
        begin = goOn(page.position)
      }

      for (const { lagging, lacks } of steps) {
        store.servedByLagging = lagging
        store.lacking.clear()
        for (const offset of lacks) store.lacking.add(offset)
        await poll()
      }
      store.lacking.clear()
      for (let i = 0; i < 10; i++) await poll()

      expect(got).toEqual(ALL)
    }),
    { numRuns: 50 },
  )
})

it('a stream waits for a replica that lacks rows, and goes on without a gap', async () => {
  const [log, store, clock, stopping] = [aLog(), new TwoReplicas(), aHandMovedClock(), new AbortController()]
  const ports = { log, codec: aCodec(), clock, logger: { warn: () => undefined, error: () => undefined } }
  await publish(
    log,
    ALL.map((_, n) => aPublished('a', n)),
  )
  await viewReads(log, store)
  const broadcaster = new Broadcaster({ ...ports, stopping: stopping.signal }, { maxChanges: 5, maxBytes: 1_000_000 })
  await broadcaster.join('shared', () => undefined)
  const reader = new FeedReader(
    { broadcaster, store },
    { ...fromNow(clock.now()), namespace: 'shared', owner: 'me', types: CHANGE_TYPES, page: 10 },
  )
  store.servedByLagging = true
  store.lacking.add(3)

  await expect(reader.read()).rejects.toBeInstanceOf(StoreUnavailable)
  store.lacking.clear()
  const got: string[] = []
  for (let i = 0; i < 10; i++) got.push(...(await reader.read()).changes.map(({ id }) => id))

  expect(got).toEqual(ALL)
  stopping.abort()
})
