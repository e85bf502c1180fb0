import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectPath } from '../../../src/config/project-path.ts'
import { A_REPORT } from '../../builders/articles.ts'
import { caller, type AskAnswer, type AskCaller } from '../ask.ts'
import { serviceStory } from './shared-story.ts'
import { privateKey, type StoryService } from '../story.ts'
import { until } from '../until.ts'

/** Layer 0 as specified, through HTTP only. The only file that writes into `shared` of the shared service. */

let story: StoryService
let shared: AskCaller
let own: AskCaller
let nobody: AskCaller

beforeAll(async () => {
  story = await serviceStory()
  shared = caller(story.url, story.key)
  own = caller(story.url, await privateKey(story, 'my-space'))
  nobody = caller(story.url, null)
})

const ONE = '/layer0/v1/process'
const MANY = '/layer0/v1/process/batch'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** 48 characters of text: a little more than two of them are long enough. */
const PHRASE = 'The harbour bridge closes for repairs on Monday '
const long = (characters: number): string =>
  PHRASE.repeat(Math.ceil(characters / PHRASE.length)).slice(0, characters - 1) + '.'

/** On a separate connection: the service closes a connection whose body it rejected unread, which would affect others. */
async function postedApart(body: string): Promise<Pick<AskAnswer, 'status' | 'body'>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${story.key}`, 'content-type': 'application/json' }
    const sent = request(story.url + ONE, { method: 'POST', agent: false, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as AskAnswer['body'] }),
      )
    })
    sent.on('error', reject).end(body)
  })
}

let counter = 0
/** A new URL. */
const aUrl = (): string => `https://www.example.com/news/${(counter += 1)}`

const article = (over: { text?: unknown; metadata?: unknown } = {}) => ({
  text: A_REPORT,
  metadata: { url: aUrl() },
  ...over,
})

const problem = (status: number, code: string, path?: string) => ({
  status,
  body: {
    type: 'about:blank',
    status,
    code,
    detail: expect.stringMatching(/./) as unknown,
    instance: expect.stringMatching(/^\/layer0\//) as unknown,
    ...(path === undefined ? {} : { errors: [{ path, message: expect.stringMatching(/./) as unknown }] }),
  },
})

/** By the published formula, not by the service's code. */
function idOf(namespace: string, what: string): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  const bits = [...createHash('sha256').update(`${namespace}\n${what}`).digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return `art_${(bits.slice(0, 130).match(/.{5}/g) ?? []).map((five) => alphabet[parseInt(five, 2)] ?? '').join('')}`
}

describe('POST /layer0/v1/process', () => {
  it('returns 202 with job_id, article_id and status queued', async () => {
    const { status, headers, body } = await shared.post(ONE, article())

    expect(status).toBe(202)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual({
      job_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{42}$/) as unknown,
      article_id: expect.stringMatching(/^art_[a-z2-7]{26}$/) as unknown,
      status: 'queued',
    })
  })

  it.each([
    ['99 characters', long(99), 422],
    ['100 characters', long(100), 202],
    ['99 characters and white space', ` \n\t${long(99)}\u00a0\n `, 422],
    ['100 characters and white space', ` \n\t${long(100)}\u00a0\n `, 202],
    ['100 characters of two code units', '𝔅'.repeat(100), 202],
    ['99 characters of two code units', '𝔅'.repeat(99), 422],
    ['200,000 characters', long(200_000), 202],
    ['200,001 characters', long(200_001), 422],
    ['white space only', ' '.repeat(300), 422],
    ['nothing', '', 422],
  ])('a text of %s', async (_, text, status) => {
    const answer = await own.post(ONE, { text })

    if (status === 422) expect(answer).toMatchObject(problem(422, 'validation_failed', 'text'))
    else expect(answer.status).toBe(202)
  })

  it.each<[string, unknown, string]>([
    ['no text', {}, 'text'],
    ['a null text', { text: null }, 'text'],
    ['a text that is a number', { text: 7 }, 'text'],
    ['a list', [article()], 'body'],
    ['null', 'null', 'body'],
    ['malformed JSON', '{"text":', 'body'],
    ['an empty body', '', 'body'],
    ['metadata that is a string', article({ metadata: 'x' }), 'metadata'],
    ['a title that is a number', article({ metadata: { title: 7 } }), 'metadata.title'],
    ['a title of 10,001 characters', article({ metadata: { title: 'x'.repeat(10_001) } }), 'metadata.title'],
    ['a source of 10,001 characters', article({ metadata: { source: 'x'.repeat(10_001) } }), 'metadata.source'],
    ['an author of 10,001 characters', article({ metadata: { author: 'x'.repeat(10_001) } }), 'metadata.author'],
    [
      'a url of 8,193 characters',
      article({ metadata: { url: `https://example.com/${'x'.repeat(8_173)}` } }),
      'metadata.url',
    ],
    ['a url of another scheme', article({ metadata: { url: 'ftp://example.com/a' } }), 'metadata.url'],
    ['an invalid url', article({ metadata: { url: 'nowhere' } }), 'metadata.url'],
    ['30 February', article({ metadata: { published_date: '2016-02-30' } }), 'metadata.published_date'],
    ['a date in words', article({ metadata: { published_date: '3 May 2016' } }), 'metadata.published_date'],
    ['a date that is a number', article({ metadata: { published_date: 1462276800000 } }), 'metadata.published_date'],
    ['the year 2300', article({ metadata: { published_date: '2300-01-01' } }), 'metadata.published_date'],
  ])('rejects %s: 422 with the right path', async (_, body, path) => {
    expect(await shared.post(ONE, body)).toMatchObject(problem(422, 'validation_failed', path))
  })

  it.each<[string, unknown]>([
    ['no metadata', { text: `${A_REPORT} One.` }],
    ['null metadata', { text: `${A_REPORT} Two.`, metadata: null }],
    [
      'fields that are null',
      { text: `${A_REPORT} Three.`, metadata: { title: null, url: null, published_date: null } },
    ],
    ['empty fields', { text: `${A_REPORT} Four.`, metadata: { title: '', url: ' ', published_date: '' } }],
    ['unknown fields', { ...article(), namespace: 'other', job_id: 'mine', metadata: { url: aUrl(), section: 1 } }],
    ['a url of 8,192 characters', article({ metadata: { url: `https://example.com/${'x'.repeat(8_172)}` } })],
    ['a date with Z', article({ metadata: { published_date: '2016-05-03T10:00:00Z' } })],
    ['a date without Z', article({ metadata: { published_date: '2016-05-03T10:00:00' } })],
    ['a date with an offset', article({ metadata: { published_date: '2016-05-03T10:00:00.5+02:00' } })],
    ['a plain date', article({ metadata: { published_date: '2016-05-03' } })],
  ])('accepts %s', async (_, body) => {
    expect((await shared.post(ONE, body)).status).toBe(202)
  })

  it('parses JSON whatever the content type', async () => {
    expect((await shared.post(ONE, article(), { 'content-type': 'text/plain' })).status).toBe(202)
  })

  it('accepts a body of 2 MiB; one byte more returns 413', async () => {
    const padded = (bytes: number): string => JSON.stringify(article()).padEnd(bytes, ' ')

    expect((await shared.post(ONE, padded(2 * 1024 * 1024))).status).toBe(202)
    expect(await postedApart(padded(2 * 1024 * 1024 + 1))).toMatchObject(problem(413, 'body_too_large'))
  })
})

describe('POST /layer0/v1/process/batch', () => {
  const batch = (count: number) => ({ articles: Array.from({ length: count }, () => article()) })

  it.each([
    [0, 422],
    [1, 202],
    [50, 202],
    [51, 422],
  ])('of %i articles: %i', async (count, status) => {
    const answer = await own.post(MANY, batch(count))

    if (status === 422) expect(answer).toMatchObject(problem(422, 'validation_failed', 'articles'))
    else expect(answer).toMatchObject({ status, body: { total: count, jobs: { length: count } } })
  })

  it('rejects an item in its place, and its job stays failed; the others are processed', async () => {
    const answer = await own.post(MANY, {
      articles: [{ text: long(99) }, article(), article({ metadata: { url: 'x' } })],
    })
    const { jobs } = answer.body as { jobs: { job_id: string; status: string; error?: string }[] }
    const [short, good, bad] = jobs

    expect(answer.status).toBe(202)
    expect(short).toEqual({
      job_id: short?.job_id,
      status: 'failed',
      error: expect.stringMatching(/^text_too_short: /) as unknown,
    })
    expect(bad).toMatchObject({ status: 'failed', error: expect.stringMatching(/^url_invalid: /) as unknown })
    expect((await own.get(`/layer0/v1/status/${short?.job_id ?? ''}`)).body).toEqual(short)
    expect(await own.ended(good?.job_id ?? '')).toMatchObject({ status: 'completed' })
  })

  it('counts as one request', async () => {
    const left = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    const starter = caller(story.url, await privateKey(story, 'my-space', { tier: 'starter' }))
    const before = await starter.get('/layer0/v1/article/none')
    const after = await starter.post(MANY, batch(50))

    expect(after.headers.get('ratelimit-policy')).toBe('"default";q=120;w=60')
    expect(left(before) - left(after)).toBeLessThanOrEqual(1)
  })

  it('accepts a body of 16 MiB; one byte more returns 413', async () => {
    const padded = (bytes: number): string => JSON.stringify(batch(1)).padEnd(bytes, ' ')

    expect((await own.post(MANY, padded(16 * 1024 * 1024))).status).toBe(202)
    expect(await own.post(MANY, padded(16 * 1024 * 1024 + 1))).toMatchObject(problem(413, 'body_too_large'))
  })

  it('with a wrong type anywhere returns 422 at that item', async () => {
    expect(await own.post(MANY, { articles: [article(), { text: 7 }] })).toMatchObject(
      problem(422, 'validation_failed', 'articles[1].text'),
    )
  })
})

describe('GET /layer0/v1/status/{job_id}', () => {
  it('never returns 404 for a new job, which goes from queued through processing to completed', async () => {
    const { body } = await shared.post(ONE, article())
    const order = ['queued', 'processing', 'completed']
    const seen: number[] = []
    const last = await until('the job is completed', async () => {
      const answer = await shared.get(`/layer0/v1/status/${String(body['job_id'])}`)
      expect(answer.status).toBe(200)
      seen.push(order.indexOf(String(answer.body['status'])))
      return answer.body['status'] === 'completed' ? answer.body : null
    })

    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen[0]).toBeGreaterThanOrEqual(0)
    expect(last).toEqual({ ...body, status: 'completed', forwarded: true, gate_reason: 'passed' })
  })

  it('returns failed with the error if the markup has too little text', async () => {
    const { status, body } = await shared.post(ONE, { text: `<p>${long(99)}</p><script>${long(400)}</script>` })
    const job = await shared.ended(String(body['job_id']))

    expect(status).toBe(202)
    expect(job).toEqual({
      job_id: body['job_id'],
      status: 'failed',
      error: 'text_too_short: the text has fewer than 100 characters',
    })
  })

  it('returns 404 in another namespace, and for an id that was never issued', async () => {
    const { body } = await shared.post(ONE, article())
    const job_id = String(body['job_id'])

    expect(await own.get(`/layer0/v1/status/${job_id}`)).toMatchObject(problem(404, 'job_not_found'))
    const forged = `${job_id.slice(0, -1)}${job_id.endsWith('0') ? '1' : '0'}`
    expect(await shared.get(`/layer0/v1/status/${forged}`)).toMatchObject(problem(404, 'job_not_found'))
    expect(await shared.get('/layer0/v1/status/x')).toMatchObject(problem(404, 'job_not_found'))
  })

  it('consumes the poll bucket, not requests', async () => {
    const { body } = await shared.post(ONE, article())
    const { headers } = await shared.get(`/layer0/v1/status/${String(body['job_id'])}`)

    expect(headers.get('ratelimit-policy')).toBe('"poll";q=600;w=60')
  })
})

const ORIGIN_UNSAID = { is_duplicate_of: null, syndication_group: null }

describe('the article', () => {
  it('has an id that any producer can compute', async () => {
    const plain = `${A_REPORT} An address it has not.`
    const spaced = `  ${plain.replaceAll(' ', ' \n ')} `
    const addressed = await shared.post(
      ONE,
      article({ metadata: { url: 'http://m.Example.com:80/Id/?b=2&utm_source=x&a=1#top' } }),
    )
    const [one, other] = [await shared.post(ONE, { text: plain }), await shared.post(ONE, { text: spaced })]
    const private_ = await own.post(ONE, { text: plain })

    expect(addressed.body['article_id']).toBe(idOf('shared', 'https://example.com/Id?a=1&b=2'))
    expect(one.body['article_id']).toBe(idOf('shared', `text:${plain.replace(/\s+/g, ' ')}`))
    expect(other.body['article_id']).toBe(one.body['article_id'])
    expect(private_.body['article_id']).toBe(idOf('my-space', `text:${plain.replace(/\s+/g, ' ')}`))
  })

  it('is returned with all fields', async () => {
    const url = aUrl()
    const metadata = {
      title: 'Bridge to close',
      url,
      source: 'Example Times',
      author: 'A. Writer',
      published_date: '2016-05-03T10:00:00',
    }
    const article_id = await shared.submit(A_REPORT, metadata)
    const { status, body } = await shared.get(`/layer0/v1/article/${article_id}`)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      article_id,
      title: 'Bridge to close',
      url,
      source: 'Example Times',
      author: 'A. Writer',
      published_date: '2016-05-03T10:00:00.000Z',
      language: 'en',
      revision: 1,
      forwarded: true,
      gate_reason: 'passed',
      semantic_hash: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
      embedding_id: expect.stringMatching(/^emb_[a-z2-7]{26}$/) as unknown,
      created_at: expect.stringMatching(ISO) as unknown,
      quality: { rating: expect.stringMatching(/^(Excellent|Good|Medium)$/) as unknown },
    })
    expect(body['processed_at']).toBe(body['created_at'])
    expect(body['quality_score']).toBeGreaterThanOrEqual(0.53)
    expect(body['token_count']).toBeGreaterThan(80)
    expect(body).not.toHaveProperty('embedding')
    for (const part of ['depth', 'coherence', 'credibility', 'spam']) {
      expect((body['quality'] as Record<string, number>)[part]).toBeGreaterThanOrEqual(0)
      expect((body['quality'] as Record<string, number>)[part]).toBeLessThanOrEqual(1)
    }
  })

  it('has its vector instead of embedding_id if requested, the same each time', async () => {
    const article_id = await shared.submit(A_REPORT, { url: aUrl() })
    const path = `/layer0/v1/article/${article_id}?include_embedding=true`
    const [first, again] = [await shared.get(path), await shared.get(path)]
    const vector = first.body['embedding'] as number[]

    expect(vector).toHaveLength(384)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 3)
    expect(first.body).not.toHaveProperty('embedding_id')
    expect(again.body['embedding']).toEqual(vector)
  })

  it('is the same article with or without markup, and character references are decoded', async () => {
    const plain = `${A_REPORT}\n\n"Smith & Söhne" <builders> said it would take years.`
    const html = `<html><head><style>p { color: red }</style></head><body><nav>Home | News</nav>${plain
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('ö', '&ouml;')
      .split('\n\n')
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join('\n')}<script>track()</script></body></html>`
    const [marked, unmarked] = await Promise.all(
      [html, plain].map(
        async (text) => (await own.get(`/layer0/v1/article/${await own.submit(text, { url: aUrl() })}`)).body,
      ),
    )

    expect(marked?.['semantic_hash']).toBe(unmarked?.['semantic_hash'])
    expect(marked?.['token_count']).toBe(unmarked?.['token_count'])
  })

  it.each([
    [
      'de',
      'Der Stadtrat hat am Dienstag beschlossen, die alte Brücke am Hafen für zwei Jahre zu sperren. Gutachter hatten im Herbst Risse in vier der zwölf Bögen gefunden, sagte die Bürgermeisterin.',
    ],
    [
      'fr',
      'Le conseil municipal a décidé mardi de fermer le vieux pont du port pendant deux ans. Des ingénieurs avaient trouvé des fissures dans quatre des douze arches, a déclaré le maire.',
    ],
  ])('has its language: %s', async (language, text) => {
    const { body } = await own.get(`/layer0/v1/article/${await own.submit(text, { url: aUrl() })}`)

    expect(body['language']).toBe(language)
  })

  it('submitted again is a no-op whose job completes with the same article_id', async () => {
    const metadata = { url: aUrl(), title: 'Sent twice' }
    const first = await shared.submit(A_REPORT, metadata)
    /** The original of a text may change later, since it depends on all articles of the namespace. */
    const read = async () => ({ ...(await shared.get(`/layer0/v1/article/${first}`)).body, ...ORIGIN_UNSAID })
    const before = await read()
    const again = await shared.submit(A_REPORT, metadata)

    expect(again).toBe(first)
    expect(before).toMatchObject({ article_id: first, revision: 1, title: 'Sent twice' })
    expect(await read()).toEqual(before)
  })

  it('returns 404 if unknown or of another namespace', async () => {
    const mine = await own.submit(A_REPORT, { url: aUrl() })

    expect(await shared.get('/layer0/v1/article/art_none')).toMatchObject(problem(404, 'article_not_found'))
    expect(await shared.get(`/layer0/v1/article/${mine}`)).toMatchObject(problem(404, 'article_not_found'))
  })
})

describe('the 0.53 gate', () => {
  const junk = readFileSync(projectPath('src/language/quality/junk/keyword-stuffing.txt'), 'utf8')
  const inStories = async (who: AskCaller, article_id: string): Promise<boolean> => {
    const { body } = await who.get('/v1/clusters?min_articles=1&time_range=30d&limit=100')
    return JSON.stringify(body['clusters']).includes(article_id)
  }

  it('stores low-quality articles of the shared namespace, but keeps them out of stories', async () => {
    const article_id = await shared.submit(junk, { url: aUrl() })
    const { body } = await shared.get(`/layer0/v1/article/${article_id}`)
    const later = await shared.submit(A_REPORT, { url: aUrl(), title: 'The bridge again' })
    await until('what came after it is in a story', async () => ((await inStories(shared, later)) ? true : null))

    expect(body).toMatchObject({ forwarded: false, gate_reason: 'below_gate' })
    expect(body['quality_score']).toBeLessThan(0.53)
    expect(await inStories(shared, article_id)).toBe(false)
  })

  it('is bypassed in a private namespace', async () => {
    const article_id = await own.submit(junk, { url: aUrl() })
    const { body } = await own.get(`/layer0/v1/article/${article_id}`)

    expect(body).toMatchObject({ forwarded: true, gate_reason: 'private_bypass' })
    expect(body['quality_score']).toBeLessThan(0.53)
    await until('the junk is in a story', async () => ((await inStories(own, article_id)) ? true : null))
  })
})

describe('GET /layer0/v1/search', () => {
  const SEARCH = '/layer0/v1/search?query=harbour%20bridge'

  it.each([
    ['no query', '/layer0/v1/search', 'query'],
    ['a blank query', '/layer0/v1/search?query=%20', 'query'],
    ['limit 0', `${SEARCH}&limit=0`, 'limit'],
    ['limit 101', `${SEARCH}&limit=101`, 'limit'],
    ['limit in words', `${SEARCH}&limit=ten`, 'limit'],
    ['min_quality below 0', `${SEARCH}&min_quality=-0.1`, 'min_quality'],
    ['min_quality above 1', `${SEARCH}&min_quality=1.1`, 'min_quality'],
    ['another level', `${SEARCH}&level=word`, 'level'],
  ])('with %s returns 422', async (_, path, at) => {
    expect(await shared.get(path)).toMatchObject(problem(422, 'validation_failed', at))
  })

  it.each(['limit=1', 'limit=100', 'min_quality=0', 'min_quality=1', 'level=article', 'level=token', 'unknown=1'])(
    'with %s returns 200',
    async (parameter) => {
      expect((await shared.get(`${SEARCH}&${parameter}`)).status).toBe(200)
    },
  )

  it('finds an article by its meaning, in its own namespace only', async () => {
    const text =
      'Astronomers said a comet nobody had seen before will pass the moon in June. Its tail of ice and dust will be visible without a telescope, the observatory told reporters on Friday.'
    const article_id = await own.submit(text, { url: aUrl(), title: 'New comet to pass the moon', source: 'Sky Post' })
    const path = '/layer0/v1/search?query=a%20comet%20in%20the%20night%20sky&limit=1'
    const found = await own.get(path)

    expect(found).toMatchObject({
      status: 200,
      body: {
        query: 'a comet in the night sky',
        results: [{ article_id, title: 'New comet to pass the moon', source: 'Sky Post' }],
        total: expect.any(Number) as unknown,
      },
    })
    expect(JSON.stringify((await shared.get(path)).body)).not.toContain(article_id)
  })
})

describe('Idempotency-Key', () => {
  const keyed = (key: string) => ({ 'idempotency-key': key })

  it('returns the same jobs for the same request, also once the view has the first', async () => {
    const body = { articles: [article(), { text: 'short' }] }
    const first = await shared.post(MANY, body, keyed('a'))
    const at_once = await shared.post(MANY, body, keyed('a'))
    await shared.ended((first.body['jobs'] as { job_id: string }[])[0]?.job_id ?? '')

    expect(first.status).toBe(202)
    expect(at_once.body).toEqual(first.body)
    expect((await shared.post(MANY, body, keyed('a'))).body).toEqual(first.body)
  })

  it('with another request returns 422', async () => {
    const body = article()
    await shared.post(ONE, body, keyed('b'))

    expect(await shared.post(ONE, article(), keyed('b'))).toMatchObject(problem(422, 'idempotency_key_reused'))
    expect(await shared.post(MANY, { articles: [body] }, keyed('b'))).toMatchObject(
      problem(422, 'idempotency_key_reused'),
    )
  })

  it('of 256 characters returns 422, and a rejected request does not use up a key', async () => {
    expect(await shared.post(ONE, article(), keyed('x'.repeat(256)))).toMatchObject(
      problem(422, 'validation_failed', 'Idempotency-Key'),
    )
    expect((await shared.post(ONE, { text: 'short' }, keyed('c'))).status).toBe(422)
    expect((await shared.post(ONE, article(), keyed('c'))).status).toBe(202)
  })
})

describe('every response', () => {
  it('without a key is 401 with the problem and the challenge', async () => {
    const answer = await nobody.post(ONE, article())

    expect(answer).toMatchObject(problem(401, 'invalid_api_key'))
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  it('at an unknown path is 404, with a wrong method 405 with the allowed ones', async () => {
    const wrong = await shared.get(ONE)

    expect(await shared.get('/layer0/v1/nothing')).toMatchObject(problem(404, 'not_found'))
    expect(wrong).toMatchObject(problem(405, 'method_not_allowed'))
    expect(wrong.headers.get('allow')).toBe('POST')
  })

  it('has a request id, echoed if sent, and the remaining rate limit', async () => {
    const made = await shared.post(ONE, article())
    const echoed = await shared.post(ONE, article(), { 'x-request-id': 'mine-1' })

    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(echoed.headers.get('x-request-id')).toBe('mine-1')
    expect(made.headers.get('ratelimit-policy')).toBe('"default";q=12000;w=60')
    expect(made.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
  })

  it('to a conditional read is 304 if nothing changed', async () => {
    const path = `/layer0/v1/article/${await shared.submit(A_REPORT, { url: aUrl() })}`
    const { headers } = await shared.get(path)

    expect((await shared.get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  })
})
