import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../test/builders/temporary-folder.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { articlesIngested } from '../events/articles.ts'
import { fileFeedState } from './import-state.ts'
import type { GetDocument } from '../ports/http.ts'
import { importFeeds, tryFeeds } from './import-feeds.ts'
import { progressOn } from './progress.ts'
import { SourceTally } from './tally.ts'

const long =
  'The council voted on Tuesday to close the old harbour bridge for two years of costly repairs, engineers said.'
const feed = `<rss version="2.0"><channel><title>Example Times</title>
<item><title>One</title><link>/1?utm_source=rss</link><description>&lt;p&gt;${long}&lt;/p&gt;</description></item>
<item><title>Two</title><link>/2</link><description>&lt;p class="${'x'.repeat(200)}"&gt;Short&lt;/p&gt;</description></item>
</channel></rss>`
const opml = `<opml><body><outline xmlUrl="https://a.example/feed"/><outline xmlUrl="https://gone.example/feed"/></body></opml>`

/** A double of the web: one feed with an etag, one list, nothing else. */
const web: GetDocument = async (url, headers) => {
  const answer = (status: number, body = '') => ({
    url,
    redirects: [],
    status,
    headers: { etag: '"7"' },
    body: Buffer.from(body),
  })
  if (url === 'https://a.example/feed') return headers['if-none-match'] === '"7"' ? answer(304) : answer(200, feed)
  if (url === 'https://a.example/opml') return answer(200, opml)
  return answer(404)
}

function aHome(log = new MemoryLog()) {
  const home = aTemporaryFolder()
  const clock = { now: () => 0, sleep: async () => undefined }
  const ports = {
    log: async () => log,
    codec: async () => new PlainCodec(),
    store: () => Promise.reject(new Error('not used here')),
    clock,
    home,
    stdin: process.stdin,
    progress: progressOn({ live: false, say: () => undefined }, clock),
    get: web,
    state: fileFeedState(home, 'shared'),
  }
  return { log, home, ports }
}

const what = (...sources: readonly string[]) => ({ sources, namespace: 'shared', rate: null, wait: false })

it('imports what the feeds of a list carry, refuses what is too short to a reader, and says what failed', async () => {
  const { log, ports } = aHome()
  const tally = new SourceTally()

  const report = await importFeeds(what('https://a.example/opml'), ports, tally)

  expect(report).toEqual({ feeds: 2, unchanged: 0, failed: [{ feed: 'https://gone.example/feed', error: 'HTTP 404' }] })
  expect(tally).toMatchObject({
    accepted: 1,
    refusals: [{ line: 2, reason: 'text_too_short', file: 'https://a.example/feed' }],
  })
  const [record] = log.records(articlesIngested.name)
  const decoded = await new PlainCodec().decode(articlesIngested, record?.value ?? Buffer.alloc(0))
  expect(decoded).toMatchObject({
    event: { url: 'https://a.example/1?utm_source=rss', source: 'Example Times', text: long, producer: 'import-rss' },
  })
})

it('asks only for what is newer, once everything is in the log', async () => {
  const { log, ports } = aHome()
  await importFeeds(what('https://a.example/feed'), ports, new SourceTally())

  const again = await importFeeds(what('https://a.example/feed'), ports, new SourceTally())

  expect(again).toEqual({ feeds: 1, unchanged: 1, failed: [] })
  // a record without a value only compares the clocks
  const published = log.records(articlesIngested.name).filter(({ value }) => value !== null)
  expect(published).toHaveLength(1)
})

it('reads files of feeds, and a dry run writes nothing and remembers nothing', async () => {
  const { log, home, ports } = aHome()
  const file = join(home, 'feed.xml')
  writeFileSync(file, feed.replaceAll('<link>/', '<link>https://a.example/'))
  const tally = new SourceTally()

  const report = await tryFeeds(what(file, 'https://a.example/feed', join(home, 'none.xml')), ports, tally)

  expect(tally).toMatchObject({ accepted: 2 })
  expect(report).toMatchObject({ feeds: 3, failed: [{ feed: join(home, 'none.xml') }] })
  expect(log.records(articlesIngested.name)).toHaveLength(0)
  expect(ports.state.of('https://a.example/feed')).toEqual({})
})
