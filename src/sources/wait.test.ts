import { expect, it } from 'vitest'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import type { BoundQuery, Store } from '../ports/store.ts'
import { followRefusals, waitUntilCaughtUp, waitUntilReadable } from './wait.ts'

/** A clock whose waiting moves it, and lets `then` happen meanwhile. */
function handClock(then: () => void) {
  let now = 0
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
      then()
    },
  }
}

/** A store double that has these contents of each article; throws when away. */
function storeWith(found: Map<string, string[]>, away: () => boolean): Store {
  const query = async <Out>({ params, parse }: BoundQuery<Out>): Promise<readonly Out[]> => {
    if (away()) throw new Error('away')
    const ids = params['article_ids']
    if (!Array.isArray(ids)) throw new Error('the query asks for article_ids')
    return [...found]
      .filter(([id]) => ids.includes(id))
      .map(([article_id, content_hashes]) => parse({ article_id, content_hashes }))
  }
  const unused = () => Promise.reject(new Error('not used here'))
  return { query, insert: unused, command: unused, ping: unused, close: unused }
}

it('waits until every content of the import is readable, whatever else was, through a store that is away', async () => {
  const found = new Map([
    ['a', ['a1']],
    ['b', ['known before this import']],
  ])
  const seen: number[] = []
  let polls = 0
  const clock = handClock(() => {
    if (++polls === 2) found.get('b')?.push('b1')
    if (polls === 4) found.get('b')?.push('b2')
  })

  const refused = await waitUntilReadable(
    {
      namespace: 'shared',
      contents: new Map([
        ['a', new Set(['a1'])],
        ['b', new Set(['b1', 'b2'])],
      ]),
    },
    {
      store: storeWith(found, () => polls === 1),
      clock,
      refusals: async () => new Map(),
      onProgress: (p) => seen.push(p.readable),
    },
  )

  expect(refused.size).toBe(0)
  expect(seen).toEqual([1, 1, 1, 1, 2])
})

it('does not wait for an article that a stage refused, and names the reason', async () => {
  const log = new MemoryLog()
  const letter = (key: string, reason: string) => ({
    topic: 'articles.ingested.dead',
    key,
    value: Buffer.from('x'),
    headers: { reason },
  })
  await log.produce([letter('a', 'an old story')])
  const refusals = await followRefusals(log, new PlainCodec())
  await log.produce([letter('a', 'text_too_short'), letter('z', 'of another import')])

  const refused = await waitUntilReadable(
    { namespace: 'shared', contents: new Map([['a', new Set(['a1'])]]) },
    {
      store: storeWith(new Map(), () => false),
      clock: handClock(() => undefined),
      refusals,
      onProgress: () => undefined,
    },
  )

  expect([...refused]).toEqual([['a', 'text_too_short']])
})

it('waits for a reader to have read what is there, and knows the marker at the end of a transaction', async () => {
  const log = new MemoryLog()
  await log.produce([{ topic: 't', key: 'k', value: Buffer.from('1') }])
  const writer = await log.writer('w')
  await writer.write([{ topic: 'tx', key: 'k', value: Buffer.from('1') }], { group: 'g', next: [] })
  log.commit('g', { topic: 'tx', partition: 0, offset: 1 }, null)
  const clock = handClock(() => log.commit('g', { topic: 't', partition: 0, offset: 1 }, null))

  const readers = [
    { group: 'g', topic: 't', transactional: false },
    { group: 'g', topic: 'tx', transactional: true },
  ]
  await waitUntilCaughtUp(readers, { log, clock, onUnavailable: () => undefined })

  expect(clock.now()).toBeGreaterThanOrEqual(3000)
})

it('retries while the log is away', async () => {
  let requests = 0
  const away: unknown[] = []
  const answer = async <Answer>(given: Answer): Promise<Answer> => {
    requests += 1
    if (requests % 3 !== 0) throw new Error(`away ${requests}`)
    return given
  }
  const log = { ends: () => answer([4]), committed: () => answer([4]) }
  const onAway = (cause: unknown) => void away.push(cause)

  await waitUntilCaughtUp([{ group: 'g', topic: 't', transactional: false }], {
    ...{ log, onUnavailable: onAway },
    clock: handClock(() => undefined),
  })

  expect(away.map(String)).toEqual([1, 2, 4, 5].map((one) => `Error: away ${one}`))
})

it('takes an outage for no quiet time: the last record of a transactional topic may be one that the reader was cut off from', async () => {
  let [requests, offset] = [0, 3]
  const clock = handClock(() => (offset = clock.now() > 8_000 ? 4 : 3))
  const committed = async () => {
    requests += 1
    if (requests > 2 && clock.now() < 6_000) throw new Error('away')
    return [offset]
  }
  const log = { ends: async () => [4], committed }

  await waitUntilCaughtUp([{ group: 'g', topic: 'tx', transactional: true }], {
    log,
    clock,
    onUnavailable: () => undefined,
  })

  expect(offset).toBe(4)
})
