import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aCodec, aHandMovedClock, aLog } from '../../../test/builders/api.ts'
import { aPublished, FeedStore, publish, viewReads } from '../../../test/builders/feed.ts'
import { CHANGE_TYPES, changesPublished, type ChangeType } from '../../events/changes.ts'
import { fromNow, goOn, past, readCursor, writeCursor, type Begin } from '../../views/changes/position.ts'
import { Broadcaster } from './broadcaster.ts'
import { FeedReader } from './reader.ts'

const silent = { warn: () => undefined, error: () => undefined }

/** A ring of five changes and pages of three, so that missed changes are soon only in the view. */
function aHome(partitions = 1) {
  const log = aLog({ partitions: () => partitions })
  const [store, clock] = [new FeedStore(), aHandMovedClock()]
  const stopping = new AbortController()
  const broadcaster = () =>
    new Broadcaster(
      { log, codec: aCodec(), clock, logger: silent, stopping: stopping.signal },
      { maxChanges: 5, maxBytes: 1_000_000 },
    )
  const reader = (of: Broadcaster, begin: Begin, types: readonly ChangeType[] = CHANGE_TYPES) =>
    new FeedReader({ broadcaster: of, store }, { ...begin, namespace: 'shared', owner: 'me', types, page: 3 })
  return { log, store, clock, broadcaster, reader, stop: () => stopping.abort() }
}

/** Changes for all keys of `shared`, for those of one owner, and of another namespace. */
const WHOSE = {
  all: { given: true, over: {} },
  mine: { given: true, over: { owner: 'me' } },
  hidden: { given: false, over: { owner: 'somebody' } },
  theirs: { given: false, over: { namespace: 'theirs' } },
}

type ReaderStep =
  | { readonly do: 'publish'; readonly whose: keyof typeof WHOSE; readonly many: number }
  | { readonly do: 'view'; readonly share: number }
  | { readonly do: 'read' | 'restart' }
  | { readonly do: 'cut'; readonly given: number }

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('publish' as const),
      whose: fc.constantFrom('all' as const, 'mine', 'hidden', 'theirs'),
      many: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({ do: fc.constant('view' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ do: fc.constantFrom('read' as const, 'restart' as const) }),
    fc.record({ do: fc.constant('cut' as const), given: fc.integer({ min: 0, max: 3 }) }),
  ),
  { maxLength: 25 },
)

/** Runs the steps as a client that disconnects and reconnects. Returns the published and the received changes. */
async function live(story: readonly ReaderStep[]) {
  const { log, store, clock, broadcaster: aHub, reader: aReader, stop } = aHome()
  const received: string[] = []
  const got: string[] = []
  let n = 0
  let broadcaster = aHub()
  await broadcaster.join('shared', () => undefined)
  let reader = aReader(broadcaster, fromNow(clock.now()))
  await reader.skipToNow()

  const read = async (given = Infinity): Promise<string> => {
    let place = reader.position
    const { changes, again } = await reader.read()
    for (const change of changes.slice(0, given)) {
      place = past(place, change)
      got.push(change.id)
    }
    if (given !== Infinity) {
      const cursor = writeCursor(changes.length === 0 ? reader.position : place, 'shared')
      reader = aReader(broadcaster, goOn(readCursor(cursor, 'shared', clock.now())))
    }
    return again
  }
  for (const step of story) {
    if (step.do === 'publish') {
      const { given, over } = WHOSE[step.whose]
      const events = Array.from({ length: step.many }, () => aPublished('a', ++n, over))
      if (given) received.push(...events.map(({ event_id }) => event_id))
      await publish(log, events)
      await clock.advance(250)
    }
    if (step.do === 'view') await viewReads(log, store, Math.ceil(step.share * n))
    if (step.do === 'read') await read()
    if (step.do === 'cut') await read(step.given)
    if (step.do === 'restart') {
      const begin = goOn(readCursor(writeCursor(reader.position, 'shared'), 'shared', clock.now()))
      broadcaster = aHub()
      await broadcaster.join('shared', () => undefined)
      reader = aReader(broadcaster, begin)
    }
  }
  await viewReads(log, store)
  await clock.advance(250)
  for (let turns = 0; turns < 500 && (await read()) !== 'woken'; turns++) await clock.advance(250)
  stop()
  return { received, got }
}

it('gives a reader that is cut off anywhere every change it may read once and in order, however far the view is behind', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const { received, got } = await live(story)

      expect(got).toEqual(received)
    }),
    { numRuns: 150 },
  )
}, 60_000)

it('waits for a view that has not what the ring has no more, and skips nothing', async () => {
  const { log, store, clock, broadcaster: aHub, reader: aReader, stop } = aHome()
  const broadcaster = aHub()
  await broadcaster.join('shared', () => undefined)
  const reader = aReader(broadcaster, fromNow(clock.now()))
  await reader.skipToNow()
  await publish(
    log,
    Array.from({ length: 4 }, (_, i) => aPublished('a', i)),
  )
  await clock.advance(250)
  await publish(
    log,
    Array.from({ length: 4 }, (_, i) => aPublished('a', i + 4)),
  )
  await clock.advance(250)

  expect(await reader.read()).toEqual({ changes: [], again: 'soon' })

  await viewReads(log, store, 3)
  const seen: string[] = []
  for (let again = 'now'; again !== 'woken';) {
    const read = await reader.read()
    seen.push(...read.changes.map(({ id }) => id))
    again = read.again
  }
  expect(seen).toEqual(Array.from({ length: 8 }, (_, i) => `shared a ${i}`))
  stop()
})

it('continues a cursor from before the partitions grew, without skipping or repeating', async () => {
  const partitions = [2, 3, 5].find((count) => aLog().partitionOf('shared', count) > 0) ?? 0
  const { log, store, clock, broadcaster: aHub, reader: aReader, stop } = aHome(partitions)
  const partition = log.partitionOf('shared', partitions)
  const broadcaster = aHub()
  await broadcaster.join('shared', () => undefined)
  const some = (from: number, many: number) => Array.from({ length: many }, (_, i) => aPublished('a', from + i))
  await publish(log, some(0, 4))
  await clock.advance(250)
  await viewReads(log, store)
  store.kept.forEach((row, i) => (store.kept[i] = { ...row, partition: 0 })) // as the view has moved records
  await publish(log, some(4, 9)) // more than the buffer holds
  await clock.advance(250)
  const cursor = writeCursor({ after: 1, partition: 0, had: clock.now() }, 'shared')
  const reader = aReader(broadcaster, goOn(readCursor(cursor, 'shared', clock.now())))

  const seen = (await reader.read()).changes.map(({ id }) => id)
  expect(await reader.read()).toEqual({ changes: [], again: 'soon' })
  await viewReads(log, store)
  log.commit('view:changes', { topic: changesPublished.name, partition, offset: 13 }, null)
  for (let again = 'now'; again !== 'woken';) {
    const read = await reader.read()
    seen.push(...read.changes.map(({ id }) => id))
    again = read.again
  }

  expect(seen).toEqual(some(2, 11).map(({ event_id }) => event_id))
  expect(reader.position).toMatchObject({ after: 12, partition })
  stop()
})

it('leaves out other types and goes on behind them', async () => {
  const { log, clock, broadcaster: aHub, reader: aReader, stop } = aHome()
  const broadcaster = aHub()
  await broadcaster.join('shared', () => undefined)
  const reader = aReader(broadcaster, fromNow(clock.now()), ['cluster.opened'])
  await reader.skipToNow()
  await publish(log, [aPublished('a', 1), aPublished('a', 2, { type: 'cluster.opened' }), aPublished('a', 3)])
  await clock.advance(250)

  expect((await reader.read()).changes.map(({ id }) => id)).toEqual(['shared a 2'])
  expect(await reader.read()).toEqual({ changes: [], again: 'woken' })
  expect(reader.position.after).toBe(2)
  stop()
})

it('leaves out changes of other owners, in the buffer and in the view, and goes on behind them', async () => {
  const { log, store, clock, broadcaster: aHub, reader: aReader, stop } = aHome()
  const hidden = { owner: 'somebody' }
  const broadcaster = aHub()
  await broadcaster.join('shared', () => undefined)
  const late = aReader(broadcaster, fromNow(clock.now()))
  const prompt = aReader(broadcaster, fromNow(clock.now()))
  await prompt.skipToNow()
  await publish(log, [aPublished('a', 0), aPublished('a', 1, hidden), aPublished('a', 2, { owner: 'me' })])
  await publish(log, [aPublished('a', 3, hidden)])
  await clock.advance(250)

  expect((await prompt.read()).changes.map(({ id }) => id)).toEqual(['shared a 0', 'shared a 2'])
  expect(await prompt.read()).toMatchObject({ changes: [], again: 'woken' })
  expect(prompt.hasMore()).toBe(false)
  expect(prompt.position.after).toBe(3)

  await publish(
    log,
    Array.from({ length: 5 }, (_, i) => aPublished('a', 4 + i, hidden)),
  )
  await clock.advance(250)
  await viewReads(log, store)
  expect((await late.read()).changes.map(({ id }) => id)).toEqual(['shared a 0', 'shared a 2'])
  while ((await late.read()).again !== 'woken') await clock.advance(250)
  expect(late.position.after).toBe(8)
  stop()
})
