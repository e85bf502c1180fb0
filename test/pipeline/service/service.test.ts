import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KafkaLog } from '../../../src/adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../../src/adapters/registry/codec.ts'
import { articlesIngested } from '../../../src/events/articles.ts'
import type { LogRecord } from '../../../src/ports/log.ts'
import { A_REPORT, anIngestedArticle } from '../../builders/articles.ts'
import { asJsonl, datedSample, sampleArticles } from '../dated-sample.ts'
import { importAll, titlePartition } from '../imports.ts'
import { sharedStory } from './shared-story.ts'
import { privateKey, type StoryService } from '../story.ts'
import { until } from '../until.ts'

/** Several imports, or several starts. */
const SLOW = { timeout: 400_000 }

const Clusters = z.object({
  clusters: z.array(z.object({ id: z.string(), articles: z.array(z.string()) })),
  total: z.number(),
})

async function partition(story: StoryService, key: string): Promise<string[]> {
  const stories: string[] = []
  for (let cursor = ''; ;) {
    const page = await fetch(`${story.url}/v1/clusters?min_articles=1&time_range=30d&limit=100${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const body = Clusters.extend({ next_cursor: z.string().nullable() }).parse(await page.json())
    stories.push(...body.clusters.map(({ articles }) => [...articles].sort().join(' ')))
    if (body.next_cursor === null) return stories.sort()
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

let story: StoryService
beforeAll(async () => {
  story = await sharedStory('one-article')
})

describe('the whole service', () => {
  it('processes an article from HTTP through every topic to a story with its recorded decision', async () => {
    const submitted = await story.post('/layer0/v1/process', {
      text: A_REPORT,
      metadata: {
        title: 'Harbour bridge to close',
        url: 'https://www.example.com/bridge?utm_source=x',
        source: 'Example Times',
      },
    })
    expect(submitted).toMatchObject({ status: 202, body: { status: 'queued' } })
    const { job_id, article_id } = z.object({ job_id: z.string(), article_id: z.string() }).parse(submitted.body)

    const job = await until('the job is completed', async () => {
      const { body } = await story.get(`/layer0/v1/status/${job_id}`)
      return body['status'] === 'completed' ? body : null
    })
    expect(job).toEqual({ job_id, article_id, status: 'completed', forwarded: true, gate_reason: 'private_bypass' })

    const found = await until('the story is listed', async () => {
      const { body } = await story.get('/v1/clusters?min_articles=1')
      return Clusters.parse(body).clusters.find(({ articles }) => articles.includes(article_id)) ?? null
    })
    const why = await story.get(`/v1/clusters/${found.id}/members/${article_id}/why`)
    expect(why).toMatchObject({ status: 200, body: { action: 'opened', cluster_id: found.id, article_id } })
  })

  it('shows every imported article once in the topic, the views and REST', async () => {
    const articles = sampleArticles(60)
    const text = asJsonl([...articles, { text: 'too short' }, ...articles.slice(0, 3)]) + '\nnot json'

    const imported = await importAll(story, 'sample.jsonl', text, '--namespace', 'counts')
    expect(imported).toMatchObject({ accepted: 63, refused: 2 })

    const key = await privateKey(story, 'counts')
    const members = (await partition(story, key)).flatMap((one) => one.split(' '))
    expect(members.length).toBe(new Set(members).size)
    expect(members.length).toBeLessThanOrEqual(60)
  })

  it('returns the same stories in either order of a dated and an undated corpus', SLOW, async () => {
    const dated = asJsonl(datedSample(60).slice(30))
    const undated = asJsonl(sampleArticles(30))

    await importAll(story, 'a1.jsonl', dated, '--namespace', 'first-dated')
    await importAll(story, 'a2.jsonl', undated, '--namespace', 'first-dated')
    await importAll(story, 'b1.jsonl', undated, '--namespace', 'first-undated')
    await importAll(story, 'b2.jsonl', dated, '--namespace', 'first-undated')

    expect(await titlePartition(story, 'first-dated')).toEqual(await titlePartition(story, 'first-undated'))
  })
})

describe('malformed records on articles.ingested', () => {
  it('become dead letters with their bytes, and other articles are processed', async () => {
    const { KAFKA_BROKERS = '', REGISTRY_URL = '' } = await story.running()
    const log = new KafkaLog({ brokers: KAFKA_BROKERS.split(','), clientId: 'careless-producer' })
    const codec = new RegistryCodec({ url: REGISTRY_URL })
    const good = (name: string, text: string) =>
      anIngestedArticle({
        event_id: name,
        namespace: 'careless',
        published_date: null,
        url: `https://example.com/${name}`,
        text,
      })
    const articles = [
      good('first', A_REPORT),
      good('emoji', `${A_REPORT} 🎉👩‍👩‍👧‍👦 \u202Eright to left\u202C مرحبا بالعالم`),
      good('long', `${A_REPORT} `.repeat(600)), // some 400,000 characters
      good('empty', '  '),
      { ...good('lost', A_REPORT), namespace: 'No Such Namespace' },
      good('last', A_REPORT),
    ]
    const avro = await Promise.all(articles.map((article) => codec.encode(articlesIngested, article)))
    const unknownSchema = Buffer.from(avro[0] ?? '')
    unknownSchema.writeUInt32BE(4_000_000, 1)
    const malformed = [Buffer.from('no avro at all'), Buffer.alloc(0), unknownSchema, avro[0]?.subarray(0, 40)]

    const [firsts, rest] = [avro.slice(0, 5), avro.slice(5)]
    const values = [...firsts, ...malformed.flatMap((value) => value ?? []), ...rest]
    const headers = { 'sent-by': 'careless' }
    await log.produce(values.map((value) => ({ topic: articlesIngested.name, key: null, value, headers })))

    const key = await privateKey(story, 'careless')
    await until('the good ones are stories', async () => {
      const members = (await partition(story, key)).flatMap((one) => one.split(' '))
      return members.length === 3 ? members : null
    })
    const dead = await readAll(log, `${articlesIngested.name}.dead`)
    const letters = dead.filter(({ headers: { 'sent-by': sender } }) => sender === 'careless')
    expect(letters.map(({ headers }) => headers['reason']).sort()).toEqual([
      'malformed_avro',
      'malformed_avro',
      'malformed_avro',
      'namespace_invalid',
      'text_too_long',
      'text_too_short',
      'unknown_schema',
    ])
    expect(letters.some(({ value }) => value?.equals(Buffer.from('no avro at all')))).toBe(true)
    await log.close()
  })
})

async function readAll(log: KafkaLog, topic: string): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  for await (const chunk of log.read(topic, 0, 0)) records.push(...chunk)
  return records
}
