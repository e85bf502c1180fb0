import { expect, it } from 'vitest'
import { settled } from '../../../test/builders/api.ts'
import { prepareAnswer, type PreparedAnswer } from './answer.ts'
import { problem, type Problem } from './problem.ts'
import { ResponseCache, type CacheLookup } from './response-cache.ts'

const FRESH_MS = 1_000

const aQuestion = (over: Partial<CacheLookup['caller']> & { target?: string; now?: number } = {}): CacheLookup => {
  const { target = '/v1/clusters?limit=5', now = 0, ...caller } = over
  return { target, now, caller: { namespace: 'acme', tier: 'starter', key_id: 'key_1', ...caller } }
}

const anAnswer = (text = 'news'): PreparedAnswer =>
  prepareAnswer({ text }, '/v1/clusters', { tagged: true, ignored: null })

/** Sends requests through the cache and counts how often the response was made. */
function asker(kept: ResponseCache) {
  const work = { times: 0 }
  const ask = async (
    question: CacheLookup,
    make: () => PreparedAnswer | Problem | Promise<PreparedAnswer | Problem> = anAnswer,
  ) =>
    kept.find(question) ??
    (await kept.getOrMake(question, FRESH_MS, async () => {
      work.times++
      return make()
    }))
  return { ask, work }
}

const aCache = (bytes = 1_000_000) => {
  const kept = new ResponseCache(bytes)
  return { kept, ...asker(kept) }
}

it('gives the next who ask the same what the first was given, until it is no longer fresh', async () => {
  const { ask, work } = aCache()
  const first = await ask(aQuestion())

  expect(await ask(aQuestion({ now: FRESH_MS - 1, key_id: 'key_2' }))).toBe(first)
  expect(work.times).toBe(1)
  expect(await ask(aQuestion({ now: FRESH_MS }))).not.toBe(first)
})

it.each([{ namespace: 'other' }, { tier: 'professional' as const }, { target: '/v1/clusters?limit=6' }])(
  'never gives it to who asks with %o',
  async (over) => {
    const { ask, work } = aCache()
    await ask(aQuestion())
    await ask(aQuestion(over))

    expect(work.times).toBe(2)
  },
)

it('makes it once for all who ask while it is being made', async () => {
  const { ask, work } = aCache()
  let done: (answer: PreparedAnswer) => void = () => undefined
  const slow = () => new Promise<PreparedAnswer>((resolve) => (done = resolve))
  const pending = [ask(aQuestion(), slow), ask(aQuestion(), slow), ask(aQuestion({ key_id: 'key_2' }), slow)]
  await settled()
  const answer = anAnswer()
  done(answer)

  expect(await Promise.all(pending)).toEqual([answer, answer, answer])
  expect(work.times).toBe(1)
})

it('lets everybody know of a failure, and keeps none', async () => {
  const { ask, work } = aCache()
  const failing = () => Promise.reject(new Error('no'))
  const pending = [ask(aQuestion(), failing), ask(aQuestion(), failing)]

  expect((await Promise.allSettled(pending)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await ask(aQuestion())
  expect(work.times).toBe(2)
})

it('keeps no refusal', async () => {
  const { ask, work } = aCache()
  await ask(aQuestion(), () => problem('cluster_not_found', 'no'))
  await ask(aQuestion())

  expect(work.times).toBe(2)
})

it('tells nobody of a namespace what was read before a write to it, one that was on its way included', async () => {
  const { ask, work, kept } = aCache()
  await ask(aQuestion())
  let done: (answer: PreparedAnswer) => void = () => undefined
  const begunBefore = ask(aQuestion({ target: '/v1/trends' }), () => new Promise((r) => (done = r)))
  await settled()
  kept.written('acme')
  const after = ask(aQuestion({ target: '/v1/trends' }))
  done(anAnswer('old'))

  expect(await begunBefore).not.toBe(await after)
  await ask(aQuestion({ key_id: 'key_2' }))
  expect(work.times).toBe(4)
  await ask(aQuestion({ target: '/v1/trends' }))
  expect(work.times).toBe(4)
})

it('tells one key nothing older than what it was told last, and others still', async () => {
  const { ask, work, kept } = aCache()
  await ask(aQuestion())
  kept.written('key_1')

  await ask(aQuestion({ key_id: 'key_2' }))
  expect(work.times).toBe(1)
  await ask(aQuestion())
  expect(work.times).toBe(2)
})

it('stays within its bytes: the oldest leave first', async () => {
  const { ask, work } = aCache(4_000)
  const targets = Array.from({ length: 10 }, (_, i) => `/v1/clusters?page=${i}`)
  for (const target of targets) await ask(aQuestion({ target }), () => anAnswer('x'.repeat(200)))
  await ask(aQuestion({ target: '/v1/clusters?page=9' }))
  expect(work.times).toBe(10)
  await ask(aQuestion({ target: '/v1/clusters?page=0' }))

  expect(work.times).toBe(11)
})

it('keeps and shares nothing with no bytes', async () => {
  const { ask, work } = aCache(0)
  await Promise.all([ask(aQuestion()), ask(aQuestion())])

  expect(work.times).toBe(2)
})
