import { describe, expect, it } from 'vitest'
import { aHandMovedClock } from '../../../test/builders/api.ts'
import { ForbiddenAddress, type FetchedDocument } from '../../ports/http.ts'
import { HostPace } from './host-pace.ts'
import { politeWeb } from './web.ts'

const HOUR_MS = 3_600_000
const signal = new AbortController().signal

type Answer = Partial<Omit<FetchedDocument, 'body'>> & { readonly body?: string }

/** A web that answers by address; what it does not know is 404. An answer that is an error is thrown. */
function aWeb(answers: Readonly<Record<string, Answer | Error>>) {
  const clock = aHandMovedClock()
  const requested: string[] = []
  const known = new Map(Object.entries(answers))
  const web = politeWeb({
    get: async (url) => {
      requested.push(url)
      const answer = known.get(url) ?? { status: 404 }
      if (answer instanceof Error) throw answer
      const { body = '', ...rest } = answer
      return { url, redirects: [], status: 200, headers: {}, body: Buffer.from(body), ...rest }
    },
    clock,
    pace: new HostPace(clock, 0),
    reasonOf: () => 'reset',
  })
  const read = async (url: string) => {
    const answer = await web.getAllowed({ url, headers: {}, signal })
    return answer.kind === 'answer' ? `${answer.document.status} ${answer.document.url}` : answer.detail
  }
  const poll = (url: string) => web.get({ url, headers: {}, signal })
  return { clock, requested, known, read, poll }
}

const movedTo = (location: string, status = 301): Answer => ({ status, headers: { location } })
const forbidding = (path: string): Answer => ({ body: `User-agent: *\nDisallow: ${path}` })

describe('robots.txt', () => {
  it('is requested for once a day', async () => {
    const { clock, requested, read } = aWeb({ 'http://a.example/1': {}, 'http://a.example/2': {} })

    await read('http://a.example/1')
    await clock.advance(23 * HOUR_MS)
    await read('http://a.example/2')
    await clock.advance(HOUR_MS)
    await read('http://a.example/2')

    expect(requested.filter((url) => url.endsWith('robots.txt'))).toHaveLength(2)
  })

  it('forbids pages, but no feeds', async () => {
    const { requested, read, poll } = aWeb({
      'http://a.example/robots.txt': forbidding('/'),
      'http://a.example/feed': {},
    })

    expect(await read('http://a.example/1')).toBe('robots')
    expect(await poll('http://a.example/feed')).toMatchObject({ kind: 'answer' })
    expect(requested).toEqual(['http://a.example/robots.txt', 'http://a.example/feed'])
  })

  it('is requested for again after ten minutes where it could not be read, which forbids nothing for good', async () => {
    const { clock, known, read } = aWeb({ 'http://a.example/robots.txt': { status: 503 }, 'http://a.example/1': {} })

    expect(await read('http://a.example/1')).toBe('robots_unreachable')
    known.set('http://a.example/robots.txt', {})
    await clock.advance(HOUR_MS / 6 - 1)
    expect(await read('http://a.example/1')).toBe('robots_unreachable')
    await clock.advance(1)

    expect(await read('http://a.example/1')).toBe('200 http://a.example/1')
  })

  it('answered with 429 allows nothing, and is requested again soon', async () => {
    const limited = { status: 429, headers: { 'retry-after': '60' } }
    const { clock, known, read } = aWeb({ 'http://a.example/robots.txt': limited, 'http://a.example/1': {} })

    expect(await read('http://a.example/1')).toBe('robots_unreachable')
    known.set('http://a.example/robots.txt', forbidding('/1'))
    await clock.advance(HOUR_MS / 6)

    expect(await read('http://a.example/1')).toBe('robots')
  })

  it('of a host that must not be requested is no reason to try again', async () => {
    const { read } = aWeb({ 'http://a.example/robots.txt': new ForbiddenAddress('private') })

    expect(await read('http://a.example/1')).toBe('address')
  })
})

describe('a redirect', () => {
  it('is followed, and told', async () => {
    const { poll } = aWeb({ 'http://a.example/feed': movedTo('/new', 308), 'http://a.example/new': {} })

    expect(await poll('http://a.example/feed')).toMatchObject({
      document: { url: 'http://a.example/new', redirects: [308], status: 200 },
    })
  })

  it('is not followed to where the robots.txt of that host forbids it', async () => {
    const { requested, read } = aWeb({
      ...{ 'http://a.example/1': movedTo('http://b.example/1'), 'http://b.example/robots.txt': forbidding('/1') },
    })

    expect(await read('http://a.example/1')).toBe('robots')
    expect(requested).not.toContain('http://b.example/1')
  })

  it.each(['file:///etc/passwd', 'http://10.0.0.1/'])('to %s ends there', async (location) => {
    const { known, read } = aWeb({ 'http://a.example/1': movedTo(location) })
    for (const url of [location, `${new URL(location).origin}/robots.txt`]) known.set(url, new ForbiddenAddress('no'))

    expect(await read('http://a.example/1')).toBe('address')
  })

  it('is followed five times', async () => {
    const hops = Array.from({ length: 7 }, (_, i) => [`http://a.example/${i}`, movedTo(`/${i + 1}`)] as const)
    const { requested, poll } = aWeb(Object.fromEntries(hops))

    expect(await poll('http://a.example/0')).toEqual({ kind: 'no_answer', detail: 'too_many_redirects' })
    expect(requested).toHaveLength(6)
  })
})

it('gives the reason why there is no answer', async () => {
  const { poll } = aWeb({ 'http://a.example/feed': new Error('reset') })

  expect(await poll('http://a.example/feed')).toEqual({ kind: 'no_answer', detail: 'reset' })
})

it('requests nothing of a host that limited a request until the time that it named', async () => {
  const { clock, requested, known, read, poll } = aWeb({
    'http://a.example/1': { status: 429, headers: { 'retry-after': '600' } },
    'http://b.example/1': {},
  })

  await read('http://a.example/1')
  const before = requested.length
  expect([await read('http://a.example/2'), await read('http://b.example/1')]).toEqual([
    'host_limited',
    '200 http://b.example/1',
  ])
  expect(await poll('http://a.example/feed')).toMatchObject({ kind: 'held', waitMs: 600_000 })
  expect(requested.slice(before).filter((url) => url.startsWith('http://a.'))).toEqual([])

  await clock.advance(600_000)
  known.set('http://a.example/1', {})
  expect(await read('http://a.example/1')).toBe('200 http://a.example/1')
})
