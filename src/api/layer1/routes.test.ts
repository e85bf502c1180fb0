import { EventEmitter, once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { aReading, anEncoderDouble } from '../../../test/builders/analyzed.ts'
import { A_NOON, aLog, anApi, FakeStore, settled, type TestApi } from '../../../test/builders/api.ts'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import { articleId, contentHash } from '../../events/ids.ts'
import { semanticHash } from '../../language/body-text.ts'
import type { Reader } from '../../ports/reader.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asStored, type Layer1Result } from './result.ts'

const ONE = '/layer1/v1/process'
const MANY = '/layer1/v1/process/batch'

const CALLERS = new Map(
  ['shared', 'acme'].map((namespace) => [
    `key_${namespace}`,
    { key_id: namespace, namespace, tier: 'enterprise', scopes: ['read', 'write'], owner: 'me' } as const,
  ]),
)
const keys: Dependencies['keys'] = { find: (key) => CALLERS.get(key) ?? null, notReady: () => null }

let log: ReturnType<typeof aLog>
let store: FakeStore
let api: TestApi

const instance = (over: Partial<Dependencies> = {}) => anApi({ keys, log, store, ...over })

beforeEach(async () => {
  log = aLog({ now: () => A_NOON + 5 })
  store = new FakeStore()
  store.rows.set('entities.analyses', [])
  store.rows.set('entities.of_analyses', [])
  api = await instance()
})

const events = (): Promise<readonly ArticleAnalyzed[]> =>
  Promise.all(
    log.records(articlesAnalyzed.name).map(async ({ value }) => {
      const decoded = await api.codec.decode(articlesAnalyzed, value ?? Buffer.alloc(0))
      if (decoded.kind === 'malformed') throw new Error(decoded.reason)
      return decoded.event
    }),
  )

/** Lets the view catch up with the log. Vectors have the fewest digits, as the store returns them. */
async function viewCatchesUp(change: (event: ArticleAnalyzed) => ArticleAnalyzed = (event) => event): Promise<void> {
  const all = (await events()).map(change)
  const of = ({ namespace, article_ids }: Readonly<Record<string, unknown>>) =>
    all.filter((event) => event.namespace === namespace && (article_ids as string[]).includes(event.article_id))
  store.rows.set('entities.analyses', (params) =>
    of(params).map((event) => {
      const stored = asStored(event, A_NOON + 5)
      const article_embedding = stored.article_embedding.map((value) => Number(value.toPrecision(9)))
      return { ...stored, article_embedding, content_hash: event.content_hash, direct: event.direct }
    }),
  )
  store.rows.set('entities.of_analyses', (params) =>
    of(params).flatMap(({ article_id, content_hash, direct, entities }) =>
      entities.map(({ entity_id, name, type, wikidata_id, place, time, money }) => ({
        ...{ article_id, content_hash, direct, entity_id, name, type, wikidata_id },
        ...(place ?? { country: null, latitude: null, longitude: null, within: [] }),
        ...{ time_start: time?.start ?? null, time_end: time?.end ?? null },
        ...{ money_amount: money?.amount ?? null, money_currency: money?.currency ?? null },
      })),
    ),
  )
}

async function send(path: string, body: unknown, { to = api, namespace = 'shared' } = {}) {
  const response = await to.post(path, body, `key_${namespace}`)
  const answer: unknown = await response.json()
  return { status: response.status, headers: response.headers, body: answer as Layer1Result }
}

const CONTENT =
  'President Donald Trump met Angela Merkel in Paris on Tuesday, 3 May 2016. They praised a deal worth $5 million.\n\n' +
  'Mr. Trump flew home.'
const article = {
  article_id: 'art_x',
  title: 'A meeting in Paris',
  content: CONTENT,
  published_date: '2016-05-03T08:00:00Z',
}

/** The response for a known article. */
const known = (result: Layer1Result) => ({
  ...result,
  sentences: undefined,
  stats: { ...result.stats, processing_time_ms: 0 },
})

describe('an unknown article', () => {
  it('is analysed now, and told as the specification has it', async () => {
    const { status, body } = await send(ONE, { ...article, namespace: 'other', section: 1 })

    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      article_id: 'art_x',
      processed_at: new Date(A_NOON + 5).toISOString(),
      stats: {
        sentence_count: 3,
        entity_count: Object.values(body.entities).flat().length,
        location_count: 1,
        embedding_dim: 384,
        processing_time_ms: expect.any(Number) as unknown,
      },
      entities: {
        PERSON: ['Donald Trump', 'Angela Merkel'],
        ORG: [],
        GPE: ['Paris'],
        LOC: [],
        EVENT: [],
        DATE: expect.any(Array) as unknown,
        MONEY: expect.any(Array) as unknown,
      },
      locations: ['Paris'],
      sentiment_score: expect.any(Number) as unknown,
      sentiment_label: expect.stringMatching(/^(positive|neutral|negative)$/) as unknown,
      article_embedding: expect.any(Array) as unknown,
      semantic_hash: semanticHash(CONTENT),
      places: expect.any(Array) as unknown,
      times: [expect.objectContaining({ start: '2016-05-03', end: '2016-05-03' })],
      money: [expect.objectContaining({ amount: 5_000_000, currency: 'USD' })],
      truncated: false,
      analyzed_chars: CONTENT.length,
      models: expect.objectContaining({ encoder: 'encoder-double' }) as unknown,
      sentences: expect.any(Array) as unknown,
    })
    expect(body.stats.processing_time_ms).toBeGreaterThan(0)
    expect(body.sentences?.map(({ text }) => text).join(' ')).toBe(CONTENT.replace('\n\n', ' '))
    for (const vector of [body.article_embedding, ...(body.sentences ?? []).map(({ embedding }) => embedding)]) {
      expect(vector).toHaveLength(384)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 2)
    }
  })

  it('is in the log as a direct analysis, with the facts Layer 0 would tell', async () => {
    await send(ONE, { ...article, url: 'https://www.example.com/a?utm_source=x' })
    const [event] = await events()

    expect(event).toMatchObject({
      namespace: 'shared',
      article_id: 'art_x',
      direct: true,
      caused_by: null,
      content_hash: contentHash(article.title, CONTENT),
      url: 'https://www.example.com/a?utm_source=x',
      title: article.title,
      source: null,
      published_date: Date.UTC(2016, 4, 3, 8),
      occurred_at: Date.UTC(2016, 4, 3, 8),
      dated: true,
      language: 'en',
      text: CONTENT,
      title_vector: { model: 'encoder-double:title', dim: 384, dtype: 'i8' },
      lead_vector: { model: 'encoder-double:lead', dim: 384, dtype: 'i8' },
    })
    expect(event?.quality_score).toBeGreaterThan(0)
    expect(log.records(articlesAnalyzed.name).map(({ key }) => key)).toEqual(['shared'])
  })

  it('without a date, or with one to come, counts from its arrival', async () => {
    await send(ONE, { article_id: 'undated', content: CONTENT })
    await send(ONE, { ...article, published_date: '2099-01-01' })

    expect((await events()).map(({ occurred_at, dated }) => [occurred_at, dated])).toEqual([
      [A_NOON, false],
      [A_NOON, true],
    ])
  })

  it('is the same with and without mark-up', async () => {
    const html = `<html><body><nav>Home</nav><p>${CONTENT.replace('\n\n', '</p><p>')}</p><script>x()</script></body></html>`
    const plain = await send(ONE, article)
    const marked = await send(ONE, { ...article, article_id: 'art_y', content: html })

    expect({ ...known(marked.body), article_id: 'art_x' }).toEqual(known(plain.body))
    const [one, other] = await events()
    expect(other?.content_hash).toBe(one?.content_hash)
  })

  it('of one word is analysed too', async () => {
    expect(await send(ONE, { article_id: 'short', content: 'Rain' })).toMatchObject({
      status: 200,
      body: { stats: { sentence_count: 1, entity_count: 0, location_count: 0 }, sentences: [{ text: 'Rain' }] },
    })
  })

  it('tells the sentences that have a vector, and counts all', async () => {
    const content = Array.from({ length: 40 }, (_, i) => `Angela Merkel spoke ${i} times.`).join(' ')
    const { body } = await send(ONE, { article_id: 'long', content })

    expect(body.stats.sentence_count).toBe(40)
    expect(body.sentences).toHaveLength(32)
    expect(body.truncated).toBe(true)
  })
})

describe('a known article', () => {
  it('is answered from memory until the view has it: no sentences, no time, no second event', async () => {
    const first = await send(ONE, article)
    const again = await send(ONE, { ...article, content: 'Something else.' })

    expect(again.body).toEqual(known(first.body))
    expect(again.body).not.toHaveProperty('sentences')
    expect(await events()).toHaveLength(1)
  })

  it('is the same answer once the view has it, on every instance', async () => {
    const first = await send(ONE, article)
    await viewCatchesUp()

    expect((await send(ONE, article, { to: await instance() })).body).toEqual(known(first.body))
    expect(await events()).toHaveLength(1)
  })

  it("is what the pipeline says, once it has said it: the view's word counts before the memory's", async () => {
    await send(ONE, article)
    await viewCatchesUp((event) => ({ ...event, direct: false, sentiment_score: 0.99, sentiment_label: 'positive' }))

    expect((await send(ONE, article)).body).toMatchObject({ sentiment_score: 0.99, stats: { processing_time_ms: 0 } })
  })

  it('is known in its own namespace only', async () => {
    await send(ONE, article)
    const { body } = await send(ONE, article, { namespace: 'acme' })

    expect(body.sentences).toHaveLength(3)
    const [one, other] = await events()
    expect([one?.namespace, other?.namespace]).toEqual(['shared', 'acme'])
    expect(one?.event_id).not.toBe(other?.event_id)
  })

  it('is one event, whoever made it twice', async () => {
    await send(ONE, article)
    await send(ONE, article, { to: await instance() })

    const [one, other] = await events()
    expect(other).toEqual(one)
  })
})

describe('requests for one unknown article', () => {
  it('share one analysis', async () => {
    const encoder = anEncoderDouble()
    const shared = await instance({ reading: () => Promise.resolve(aReading(encoder)) })
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => (await send(ONE, article, { to: shared })).body),
    )

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await events()).toHaveLength(1)
  })

  it('begin anew after one that failed, of which nothing is remembered', async () => {
    const produce = log.produce.bind(log)
    log.produce = () => Promise.reject(new Error('no broker'))
    const refused = await send(ONE, article)
    log.produce = produce
    const { body } = await send(ONE, article)

    expect(refused.status).toBe(503)
    expect(body.sentences).toHaveLength(3)
    expect(await events()).toHaveLength(1)
  })
})

describe('what may not come in', () => {
  const long = (characters: number): string => 'Rain. '.repeat(characters / 6 + 1).slice(0, characters - 1) + '.'

  it.each<[string, unknown, string]>([
    ['no article_id', { content: CONTENT }, 'article_id'],
    ['a blank article_id', { ...article, article_id: ' \n' }, 'article_id'],
    ['an article_id that is a number', { ...article, article_id: 7 }, 'article_id'],
    ['an article_id of 201 characters', { ...article, article_id: 'x'.repeat(201) }, 'article_id'],
    ['an article_id with a control character', { ...article, article_id: 'a\u0000b' }, 'article_id'],
    ['half a character', { ...article, article_id: 'a\ud83d' }, 'article_id'],
    ['no content', { article_id: 'a' }, 'content'],
    ['content that is null', { ...article, content: null }, 'content'],
    ['a blank content', { ...article, content: ' \n\t ' }, 'content'],
    ['nothing but mark-up', { ...article, content: '<p> </p><script>x()</script>' }, 'content'],
    ['200,001 characters', { ...article, content: long(200_001) }, 'content'],
    ['a title that is a list', { ...article, title: ['x'] }, 'title'],
    ['a title of 10,001 characters', { ...article, title: 'x'.repeat(10_001) }, 'title'],
    ['a url that is none', { ...article, url: 'nowhere' }, 'url'],
    ['a date in words', { ...article, published_date: '3 May 2016' }, 'published_date'],
    ['30 February', { ...article, published_date: '2016-02-30' }, 'published_date'],
    ['a list', [article], 'body'],
    ['malformed JSON', '{"content":', 'body'],
  ])('%s is 422 at the right place', async (_, body, path) => {
    expect(await send(ONE, body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ path }] },
    })
    expect(await events()).toEqual([])
  })

  it.each<[string, unknown]>([
    ['fields that are null', { ...article, title: null, url: null, published_date: null }],
    ['fields that are empty', { ...article, title: '', url: ' ', published_date: '' }],
    ['an article_id of 200 characters', { ...article, article_id: '𝔅'.repeat(200) }],
    ['the id of Layer 0', { ...article, article_id: articleId('shared', null, A_REPORT) }],
  ])('%s may', async (_, body) => {
    expect((await send(ONE, body)).status).toBe(200)
  })

  it('a body beyond 2 MiB is 413', async () => {
    const padded = JSON.stringify(article).padEnd(2 * 1024 * 1024 + 1, ' ')

    expect(await send(ONE, padded)).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })
})

describe('a batch', () => {
  const batch = (...articles: readonly unknown[]) => ({ articles })
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ ...article, article_id: `art_${i}` }))

  it.each([
    [0, 422],
    [1, 200],
    [50, 200],
    [51, 422],
  ])('of %i is %i', async (count, status) => {
    const answer = await send(MANY, batch(...numbered(count)))

    expect(answer.status).toBe(status)
    if (status === 200) {
      expect(answer.body).toMatchObject({ success: true, total: count, results: { length: count } })
      expect(await events()).toHaveLength(count)
    } else expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'articles' }] })
  })

  it('says of each item what came of it, in order; one that is wrong fails alone', async () => {
    await send(ONE, article)
    const { status, body } = await send(
      MANY,
      batch(
        { article_id: 'blank', content: ' ' },
        article,
        { content: CONTENT },
        { article_id: 'new', content: CONTENT },
        { article_id: 'empty', content: '<br>' },
        { article_id: 'number', content: 7 },
      ),
    )

    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: false,
      total: 6,
      results: [
        { success: false, article_id: 'blank', error: 'content: must not be blank' },
        { success: true, article_id: 'art_x', stats: { processing_time_ms: 0 } },
        { success: false, article_id: null, error: expect.stringMatching(/^article_id: /) as unknown },
        { success: true, article_id: 'new', sentences: { length: 3 } },
        { success: false, article_id: 'empty', error: 'content: the markup contains no text' },
        { success: false, article_id: 'number', error: expect.stringMatching(/^content: /) as unknown },
      ],
    })
    expect(await events()).toHaveLength(2)
  })

  it('analyses an article that it holds twice once', async () => {
    const { body } = await send(MANY, batch(article, article))

    expect(body).toMatchObject({ success: true, total: 2 })
    expect(await events()).toHaveLength(1)
  })

  it('whose items are no objects is 422', async () => {
    expect(await send(MANY, batch(article, 'x'))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'articles[1]' }] },
    })
  })

  it('may have 16 MiB, not more, and costs one request', async () => {
    const padded = (bytes: number): string => JSON.stringify(batch(article)).padEnd(bytes, ' ')
    const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    const small = await send(MANY, batch(...numbered(50)))
    const large = await send(MANY, padded(16 * 1024 * 1024))

    expect(large.status).toBe(200)
    expect(left(small.headers) - left(large.headers)).toBe(1)
    expect((await send(MANY, padded(16 * 1024 * 1024 + 1))).status).toBe(413)
  })
})

describe('when it cannot be done', () => {
  it.each<[string, () => Partial<Dependencies>]>([
    ['the models are away', () => ({ reading: () => Promise.reject(new Error('no model')) })],
    ['the store is away', () => ({ store: Object.assign(new FakeStore(), { away: true }) })],
  ])('because %s it is 503, to be tried again, and nothing is written', async (_, over) => {
    const answer = await send(ONE, article, { to: await instance(over()) })

    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await events()).toEqual([])
  })

  it('one article of a batch fails in its place, and the others are kept', async () => {
    const tools = aReading()
    const fragile: Reader = {
      ...tools.reader,
      read: async (sentences) => {
        if (sentences.some(({ text }) => text.includes('Unlucky'))) throw new RangeError('a defect of ours')
        return tools.reader.read(sentences)
      },
    }
    const to = await instance({ reading: () => Promise.resolve({ ...tools, reader: fragile }) })
    const unlucky = { article_id: 'unlucky', content: 'Unlucky words stand here, and a defect waits for them.' }

    expect(await send(MANY, { articles: [article, unlucky] }, { to })).toMatchObject({
      status: 200,
      body: {
        success: false,
        results: [
          { success: true },
          { success: false, article_id: 'unlucky', error: expect.stringContaining('could not be analysed') as unknown },
        ],
      },
    })
    expect((await send(ONE, unlucky, { to })).status).toBe(500)
  })

  it('because too many wait already it is 503 for who comes last; what is in hand goes on', async () => {
    const going = new EventEmitter({ captureRejections: false }).setMaxListeners(0)
    const encoder = anEncoderDouble()
    const slow = {
      ...encoder,
      passages: async (...passed: Parameters<typeof encoder.passages>) => {
        await once(going, 'go')
        return encoder.passages(...passed)
      },
    }
    const busy = await instance({ reading: () => Promise.resolve(aReading(slow)) })
    const ask = (i: number) => send(ONE, { ...article, article_id: `art_${i}` }, { to: busy })
    const taken = Array.from({ length: 103 }, (_, i) => ask(i))
    await settled()

    const refused = await ask(103)
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')

    const done = Promise.all(taken)
    const nudging = setInterval(() => going.emit('go'), 1)
    expect(new Set((await done).map(({ status }) => status))).toEqual(new Set([200]))
    clearInterval(nudging)
    expect(await events()).toHaveLength(103)
  })
})
