import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, it } from 'vitest'
import { aTemporaryFolder } from '../../builders/temporary-folder.ts'
import { KafkaLog } from '../../../src/adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../../src/adapters/registry/codec.ts'
import { generatedPage, gzipMembers, writtenPage, writtenRequest } from '../../../src/bench/warc/archive-records.ts'
import { articlesIngested, type ArticleIngested } from '../../../src/events/articles.ts'
import { A_REPORT } from '../../builders/articles.ts'
import { until } from '../until.ts'

const MAIN = new URL('../../../dist/main.js', import.meta.url).pathname
const PAGES = 200
/** Articles a second, and so articles a batch. */
const RATE = 20
const KILL_AT = [30, 90]

const { brokers, registryUrl } = inject('engines')
const log = new KafkaLog({ brokers, clientId: 'archives-test' })
const codec = new RegistryCodec({ url: registryUrl })
afterAll(() => log.close())

const namespace = `archives-${Date.now()}`

async function published(): Promise<readonly ArticleIngested[]> {
  const events: ArticleIngested[] = []
  const ends = await log.ends(articlesIngested.name)
  for (const [partition, end] of ends.entries()) {
    if (end === 0) continue
    for await (const records of log.read(articlesIngested.name, partition, 0)) {
      for (const { value } of records) {
        const decoded = await codec.decode(articlesIngested, value ?? Buffer.alloc(0))
        if (decoded.kind === 'event' && decoded.event.namespace === namespace) events.push(decoded.event)
      }
    }
  }
  return events
}

function archive(): Buffer {
  const at = '2026-05-03T12:00:00Z'
  const page = (number: number): Buffer[] => {
    const url = `https://news.example/${number}`
    const article = { number, title: `Report ${number}`, text: A_REPORT, publishedAt: at }
    return [writtenRequest(url, at), writtenPage({ url, crawledAt: at, body: generatedPage(article) })]
  }
  return gzipMembers(Array.from({ length: PAGES }, (_, number) => page(number)).flat())
}

it(
  'an import of an archive that is killed and run again publishes each article once',
  { timeout: 300_000 },
  async () => {
    const home = aTemporaryFolder()
    const file = join(home, 'news.warc.gz')
    await writeFile(file, archive())
    const env = { ...process.env, STORY_HOME: home, KAFKA_BROKERS: brokers.join(','), REGISTRY_URL: registryUrl }
    const cli = async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, [MAIN, ...args], { env })).stdout
    await cli('topics', 'apply')
    await cli('schemas', 'register')
    const args = ['import', 'warc', file, '--namespace', namespace, '--json']

    for (const at of KILL_AT) {
      const child = spawn(process.execPath, [MAIN, ...args, '--rate', String(RATE)], { env, stdio: 'ignore' })
      await until(`${at} articles are published`, async () => ((await published()).length >= at ? true : null))
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const report = JSON.parse(await cli(...args)) as unknown

    expect(report).toMatchObject({ records: 2 * PAGES, accepted: PAGES, skipped: { not_response: PAGES }, failed: [] })
    const events = await published()
    const ids = events.map(({ event_id }) => event_id)
    expect(new Set(events.map(({ url }) => url)).size).toBe(PAGES)
    expect(new Set(ids).size).toBe(PAGES)
    // a batch that the log accepted, but whose position was not saved, is published again with the same ids
    expect(ids.length).toBeLessThanOrEqual(PAGES + KILL_AT.length * RATE)
  },
)
