import { afterEach, beforeEach, expect, it } from 'vitest'
import { anApi, settled, type TestApi } from '../../../test/builders/api.ts'
import { StoreUnreachable, type BoundQuery, type Store } from '../../ports/store.ts'
import { ProblemBody } from './problem.ts'
import { watchedStore } from './watched-store.ts'

const SEARCH = '/layer0/v1/search?query=bridge'
const never = (): Promise<never> => new Promise(() => undefined)

let api: TestApi
let key: string
beforeEach(async () => {
  api = await anApi()
  key = await api.key()
  api.store.rows.set('articles.nearest', [])
})
afterEach(() => api.stop())

/** Advances the clock in small steps until the response arrives. `ms` is the time it took. */
async function answered(request: Promise<Response>): Promise<{ readonly response: Response; readonly ms: number }> {
  const begun = api.clock.now()
  const arrived: Response[] = []
  void request.then((response) => arrived.push(response))
  await settled()
  while (arrived.length === 0 && api.clock.now() - begun < 15_000) await api.clock.advance(50)
  const ms = api.clock.now() - begun
  return { response: await request, ms }
}

it('answers the first requests of an outage within 3 s, later ones at once, and names the store', async () => {
  api.store.query = never
  api.store.ping = never

  const first = await answered(api.get(SEARCH, key))
  const second = await answered(api.get(SEARCH, key))

  expect([first.response.status, second.response.status]).toEqual([503, 503])
  expect(first.ms).toBeLessThan(3_000)
  expect(second.ms).toBe(0)
  expect(second.response.headers.get('retry-after')).toBe('5')
  expect(ProblemBody.parse(await second.response.json())).toMatchObject({
    code: 'unavailable',
    detail: 'The store (ClickHouse) does not respond; try again in 5 s',
  })
})

it('takes submissions while the store is away', async () => {
  api.store.query = never
  api.store.ping = never
  await answered(api.get(SEARCH, key))

  const { response, ms } = await answered(
    api.post('/layer0/v1/process', { text: 'The bridge is closed. '.repeat(9) }, key),
  )

  expect([response.status, ms]).toEqual([202, 0])
})

it('answers again by itself within a second or so after the store is back', async () => {
  const query = api.store.query.bind(api.store)
  api.store.query = never
  api.store.ping = never
  await answered(api.get(SEARCH, key))
  api.store.query = query
  api.store.ping = () => Promise.resolve(true)
  for (let i = 0; i < 64; i++) await api.clock.advance(50) // the running ping, the pause, and one more ping

  const { response } = await answered(api.get(SEARCH, key))

  expect(response.status).toBe(200)
})

it('leaves a slow query its whole budget while the store answers pings', async () => {
  api.store.query = async () => {
    await api.clock.sleep(9_000)
    return []
  }

  const { response, ms } = await answered(api.get(SEARCH, key))

  expect(response.status).toBe(200)
  expect(ms).toBeGreaterThanOrEqual(9_000)
})

it('lets a query wait while the store restarts, which takes a second or two', async () => {
  const back = api.clock.now() + 2_000
  const isBack = () => api.clock.now() >= back
  api.store.ping = () => (isBack() ? Promise.resolve(true) : Promise.reject(new Error('ECONNREFUSED')))
  api.store.query = async () => {
    while (!isBack()) await api.clock.sleep(100)
    return []
  }

  const { response } = await answered(api.get(SEARCH, key))

  expect(response.status).toBe(200)
})

it('gives a slow store up only while others can be read, and does not answer pings for it then', async () => {
  const { clock } = api
  const query: BoundQuery<string> = { name: 'test', sql: '', params: {}, parse: String }
  const answers = { pings: false, others: false }
  const slow: Store = {
    query: async <Out>({ parse }: BoundQuery<Out>) => {
      await clock.sleep(3_000)
      return [parse('late')]
    },
    ping: () => (answers.pings ? Promise.resolve(true) : never()),
    ...{ insert: never, command: never, close: () => Promise.resolve() },
  }
  const isReplaceable = () => Promise.resolve(answers.others)
  const watched = watchedStore(slow, clock, { slowMs: 250, probeMs: 400, isReplaceable })
  const read = async () => {
    const begun = clock.now()
    const outcome = watched.query(query).catch((cause: unknown) => cause)
    const ended = { is: false }
    void outcome.finally(() => (ended.is = true))
    while (!ended.is && clock.now() - begun < 15_000) await clock.advance(50)
    return { outcome: await outcome, ms: clock.now() - begun }
  }

  const overloaded = await read()
  answers.others = true
  const replaceable = await read()
  answers.pings = true
  const pingAfter = await watched.ping()

  expect(overloaded.outcome).toEqual(['late'])
  expect(replaceable.outcome).toBeInstanceOf(StoreUnreachable)
  expect(replaceable.ms).toBeLessThan(1_000)
  expect(pingAfter).toBe(false)
})
