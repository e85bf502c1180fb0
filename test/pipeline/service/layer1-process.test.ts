import { beforeAll, describe, expect, it } from 'vitest'
import { A_REPORT } from '../../builders/articles.ts'
import { caller, type AskCaller } from '../ask.ts'
import { sharedStory } from './shared-story.ts'
import { until } from '../until.ts'

/** `POST /layer1/v1/process` through HTTP only, on one service with its own models. */

let elsewhere: AskCaller
let own: AskCaller

const callerOf = async (namespace: string): Promise<AskCaller> => {
  const { url, key } = await sharedStory(namespace)
  return caller(url, key)
}

beforeAll(async () => {
  elsewhere = await callerOf('layer1-elsewhere')
  own = await callerOf('layer1-own')
})

const ONE = '/layer1/v1/process'
const MANY = '/layer1/v1/process/batch'
const KEYS = ['DATE', 'EVENT', 'GPE', 'LOC', 'MONEY', 'ORG', 'PERSON']

interface Layer1ProcessResult {
  readonly processed_at: string
  readonly stats: Readonly<Record<string, number>>
  readonly entities: Readonly<Record<string, readonly string[]>>
  readonly locations: readonly string[]
  readonly article_embedding: readonly number[]
  readonly sentences?: readonly { readonly text: string; readonly embedding: readonly number[] }[]
  readonly truncated: boolean
  readonly analyzed_chars: number
}

const process = async (who: AskCaller, body: unknown): Promise<Layer1ProcessResult> => {
  const answer = await who.post(ONE, body)
  expect(answer, JSON.stringify(answer.body).slice(0, 500)).toMatchObject({ status: 200, body: { success: true } })
  return answer.body as unknown as Layer1ProcessResult
}

const kept = (result: Layer1ProcessResult) => ({
  ...result,
  sentences: undefined,
  stats: { ...result.stats, processing_time_ms: 0 },
})

/** All mentions of a name. */
const mentions = async (who: AskCaller, name: string): Promise<number> => {
  const { body } = await who.get(`/layer1/v1/entities?query=${encodeURIComponent(name)}`)
  const { entities } = body as { entities: { name: string; mention_count: number }[] }
  return entities.find((entity) => entity.name === name)?.mention_count ?? 0
}

const inStories = async (who: AskCaller, article_id: string): Promise<boolean> => {
  const { body } = await who.get('/v1/clusters?min_articles=1&time_range=30d&limit=100')
  return JSON.stringify(body['clusters']).includes(article_id)
}

const NAMED = `Angela Merkel spoke in Berlin. ${A_REPORT} Angela Merkel left for Paris.`

describe('POST /layer1/v1/process', () => {
  it('returns the stored result for a repeated article at once', async () => {
    const article = { article_id: 'art_same', title: 'Bridge', content: NAMED, published_date: '2016-05-03' }
    const first = await process(elsewhere, article)
    const again = await process(elsewhere, article)
    await until('the view has it', async () => ((await mentions(elsewhere, 'Angela Merkel')) === 2 ? true : null))

    expect(again).toEqual(kept(first))
    expect(again).not.toHaveProperty('sentences')
    expect(Object.keys(first.entities).toSorted()).toEqual(KEYS)
    expect(first.stats['entity_count']).toBe(Object.values(first.entities).flat().length)
    expect(first.stats['location_count']).toBe(first.locations.length)
    expect(first.locations).toEqual(expect.arrayContaining(['Berlin', 'Paris']))
    expect(await mentions(elsewhere, 'Angela Merkel')).toBe(2)
  })

  it('feeds the entities, but only an article of Layer 0 joins a story; then it counts once', async () => {
    const content = NAMED.replaceAll('Angela Merkel', 'Barack Obama')
    const url = 'https://www.example.com/direct'
    await process(own, { article_id: 'art_elsewhere', content: content.replaceAll('Barack Obama', 'Theresa May') })
    const { body } = await own.post('/layer0/v1/process', { text: `${content} x`, metadata: { url } })
    const article_id = String(body['article_id'])
    const direct = await process(own, { article_id, content })
    await until('the article is in a story', async () => ((await inStories(own, article_id)) ? true : null))
    await until('the names are counted', async () => ((await mentions(own, 'Barack Obama')) > 0 ? true : null))
    const last = await own.submit(`${A_REPORT} And one more.`, { url: `${url}/2` })
    await until('what came later is in a story', async () => ((await inStories(own, last)) ? true : null))

    expect(direct.stats['entity_count']).toBeGreaterThan(0)
    expect(await inStories(own, 'art_elsewhere')).toBe(false)
    expect(await mentions(own, 'Theresa May')).toBe(2)
    expect(await mentions(own, 'Barack Obama')).toBe(2)
    expect((await process(own, { article_id, content })).stats['processing_time_ms']).toBe(0)
  })

  it('stores results per namespace', async () => {
    const article = { article_id: 'art_whose', content: NAMED }
    await process(elsewhere, article)

    expect(await process(own, article)).toHaveProperty('sentences')
  })

  it('returns a batch of 50 in order', async () => {
    const articles = Array.from({ length: 50 }, (_, i) => ({
      article_id: `batch_${i}`,
      content: i === 7 ? ' ' : `Angela Merkel spoke ${i} times in Berlin.`,
    }))
    const { status, body } = await own.post(MANY, { articles })
    const { success, total, results } = body as { success: boolean; total: number; results: Record<string, unknown>[] }

    expect(status).toBe(200)
    expect([success, total, results.length]).toEqual([false, 50, 50])
    expect(results.map(({ article_id }) => article_id)).toEqual(articles.map(({ article_id }) => article_id))
    expect(results.flatMap((result, i) => (result['success'] === true ? [] : [[i, result['error']]]))).toEqual([
      [7, 'content: must not be blank'],
    ])
  })
})

describe('an unusual article has a result', () => {
  const people = ['Angela Merkel', 'Barack Obama', 'Theresa May', 'Emmanuel Macron', 'Matteo Renzi']
  const fill = (unit: string, characters: number): string =>
    unit
      .repeat(Math.ceil(characters / unit.length))
      .slice(0, characters)
      .trim()

  it.each<[string, string, { readonly truncated: boolean }]>([
    ['of 200,000 characters', fill(`${A_REPORT}\n\n`, 200_000), { truncated: true }],
    [
      'with 5,000 names',
      Array.from({ length: 1_000 }, (_, i) => people.map((name) => `${name} ${i}`).join(' met ')).join('. '),
      { truncated: true },
    ],
    [
      'without any sentence end',
      fill('the mayor of Springfield spoke to Angela Merkel and ', 200_000),
      { truncated: true },
    ],
    ['in one word', 'x'.repeat(200_000), { truncated: true }],
    ['in Chinese', fill('默克尔星期二在柏林会见了奥巴马。他们讨论了贸易协定。', 20_000), { truncated: true }],
    ['in a little Chinese', '默克尔星期二在柏林会见了奥巴马。', { truncated: false }],
    ['of punctuation only', fill('<p>!?.,;', 20_000).replaceAll('<p>', ''), { truncated: true }],
    ['of digits', fill('1234567890 ', 20_000), { truncated: true }],
    ['in Arabic and emoji', fill('صوت مجلس المدينة يوم الثلاثاء 🎉👩‍👩‍👧. ', 2_000), { truncated: true }],
    ['of deeply nested markup', `${'<div>'.repeat(20_000)}Angela Merkel spoke.`, { truncated: false }],
  ])('%s', async (name, content, { truncated }) => {
    const result = await process(own, { article_id: name, content })

    expect(Object.keys(result.entities).toSorted()).toEqual(KEYS)
    expect(result.article_embedding).toHaveLength(384)
    expect(Math.hypot(...result.article_embedding)).toBeCloseTo(1, 3)
    expect(result.sentences?.length).toBe(Math.min(32, result.stats['sentence_count'] ?? 0))
    expect(result.sentences?.every(({ text, embedding }) => text !== '' && embedding.length === 384)).toBe(true)
    expect(result.stats['processing_time_ms']).toBeGreaterThan(0)
    expect(result.truncated).toBe(truncated)
    expect(result.analyzed_chars).toBeGreaterThan(0)
    expect(result.analyzed_chars).toBeLessThanOrEqual(content.length)
    if (content.length > 100_000) expect(result.analyzed_chars).toBeLessThan(20_000)
  })
})
