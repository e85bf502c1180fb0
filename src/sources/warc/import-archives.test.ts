import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aTemporaryFolder } from '../../../test/builders/temporary-folder.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import {
  gzipMembers,
  writtenPage,
  writtenRecord,
  writtenRequest,
  type WrittenPage,
} from '../../bench/warc/archive-records.ts'
import { articlesIngested, type ArticleIngested } from '../../events/articles.ts'
import type { OutRecord } from '../../ports/log.ts'
import { extractPage, type PageExtractor } from '../pages/extract-page.ts'
import { MAX_PAGE_BYTES } from '../pages/page-bytes.ts'
import { progressOn } from '../progress.ts'
import { importArchives, tryArchives, type ArchivesImport } from './import-archives.ts'

const AT = '2026-05-03T12:00:00Z'
const pageOf = (n: number, { date = '2026-05-02T08:00:00Z', head = '' } = {}): string =>
  `<!doctype html><html lang="en"><head><title>Bridge ${n}</title>${head}
  <meta property="article:published_time" content="${date}"><meta property="og:site_name" content="Example Times"></head>
  <body><article><h1>Bridge ${n}</h1>
  <p>The council of town ${n} voted on Tuesday to close the old harbour bridge for two years of costly repairs.</p>
  <p>Engineers found cracks in ${n} of its pillars, they said, and traffic will be led over the northern road until then.</p>
  </article></body></html>`

const aPage = (n: number, over: Partial<WrittenPage> = {}): Buffer =>
  writtenPage({ url: `https://www.times.example/bridge-${n}`, crawledAt: AT, body: pageOf(n), ...over })

const inThisThread: PageExtractor = {
  workers: 2,
  extract: async (page) => extractPage(page),
  close: async () => undefined,
}

function aSetting({ log = new MemoryLog(), extractor = inThisThread } = {}) {
  const home = aTemporaryFolder()
  const clock = { now: () => 0, sleep: async () => undefined }
  const ports = {
    log: async () => log,
    codec: async () => new PlainCodec(),
    store: () => Promise.reject(new Error('not used here')),
    ...{ clock, home, extractor, stdin: process.stdin },
    progress: progressOn({ live: false, say: () => undefined }, clock),
  }
  const file = (name: string, bytes: Buffer): string => {
    const path = join(home, name)
    writeFileSync(path, bytes)
    return path
  }
  return { log, ports, file }
}

const what = (files: readonly string[], filter: Partial<ArchivesImport['filter']> = {}): ArchivesImport => ({
  ...{ files, namespace: 'shared', rate: null, restart: false, wait: false },
  filter: { since: null, until: null, domains: [], ...filter },
})

async function eventsOf(log: MemoryLog): Promise<ArticleIngested[]> {
  const events: ArticleIngested[] = []
  for await (const records of log.read('articles.ingested', 0, 0)) {
    for (const { value } of records) {
      const decoded = await new PlainCodec().decode(articlesIngested, value ?? Buffer.alloc(0))
      if (decoded.kind === 'event') events.push(decoded.event)
    }
  }
  return events
}

describe('an import of archives', () => {
  it('publishes the articles with the fields of watched pages', async () => {
    const { log, ports, file } = aSetting()

    const tally = await importArchives(what([file('a.warc.gz', gzipMembers([aPage(1)]))]), ports)

    expect(tally).toMatchObject({ records: 1, accepted: 1, articles: 1, failed: [] })
    expect(await eventsOf(log)).toMatchObject([
      {
        url: 'https://www.times.example/bridge-1',
        title: 'Bridge 1',
        source: 'Example Times',
        published_date: Date.UTC(2026, 4, 2, 8),
        producer: 'import-warc',
        text_source: 'page',
      },
    ])
  })

  it('counts by reason what becomes no article', async () => {
    const { ports, file } = aSetting()
    const resource = writtenRecord({
      type: 'resource',
      headers: { 'WARC-Target-URI': 'https://www.times.example/r', 'WARC-Date': AT, 'Content-Type': 'text/html' },
      block: pageOf(9),
    })
    const short = '<title>Short</title><article><p>Only a few words.</p></article>'
    const archive = Buffer.concat([
      ...[writtenRequest('https://www.times.example/1', AT), aPage(1), resource],
      ...[aPage(2, { status: 404 }), aPage(3, { http: { 'Content-Type': 'image/png' } })],
      aPage(4, { url: 'dns:times.example' }),
      aPage(5, { warc: { 'WARC-Truncated': 'length' } }),
      aPage(6, { body: Buffer.alloc(MAX_PAGE_BYTES + 1024 * 1024, 0x20) }),
      aPage(7, { body: gzipSync(Buffer.alloc(MAX_PAGE_BYTES + 1)), http: { 'Content-Encoding': 'gzip' } }),
      aPage(8, { crawledAt: 'yesterday' }),
      Buffer.from('no record\r\n\r\n'),
      aPage(10, { body: '<html><body><nav>Home</nav></body></html>' }),
      aPage(11, { body: short }),
      aPage(1, { url: 'https://m.times.example/bridge-1?utm_source=x', body: pageOf(12) }), // the same address
      aPage(13, { body: pageOf(1) }), // the same text
    ])

    const tally = await importArchives(what([file('a.warc', archive)]), ports)

    expect(tally.accepted).toBe(2)
    expect(Object.fromEntries(tally.skipped)).toEqual({
      not_response: 1,
      http_status: 1,
      not_html: 1,
      not_http: 1,
      truncated: 1,
      too_large: 2,
      malformed_record: 2,
      no_article: 1,
      text_too_short: 1,
      duplicate: 2,
    })
    expect(tally.records).toBe(15)
  })

  it('takes articles within a half-open range of time, by the crawl if the page has no date, and of domains', async () => {
    const { log, ports, file } = aSetting()
    const undated = (n: number): string => pageOf(n).replace(/<meta property="article[^>]+>/, '')
    const archive = gzipMembers([
      aPage(1, { body: pageOf(1, { date: '2026-05-02T00:00:00Z' }) }),
      aPage(2, { body: pageOf(2, { date: '2026-05-01T23:59:59Z' }) }),
      aPage(3, { body: pageOf(3, { date: '2026-05-03T00:00:00Z' }) }),
      aPage(4, { body: undated(4), crawledAt: '2026-05-02T10:00:00Z' }),
      aPage(5, { body: undated(5), crawledAt: '2026-04-20T10:00:00Z' }),
      aPage(6, { url: 'https://nottimes.example/6', body: pageOf(6) }),
      aPage(7, { url: 'https://times.example/7', body: pageOf(7) }),
    ])
    const range = { since: Date.UTC(2026, 4, 2), until: Date.UTC(2026, 4, 3), domains: ['times.example'] }

    const tally = await importArchives(what([file('a.warc.gz', archive)], range), ports)

    expect((await eventsOf(log)).map(({ title }) => title)).toEqual(['Bridge 1', 'Bridge 4', 'Bridge 7'])
    expect(Object.fromEntries(tally.skipped)).toEqual({ out_of_range: 3, other_domain: 1 })
  })

  it('imports a damaged file up to its damage, and then the others; a dry run counts the same', async () => {
    const { log, ports, file } = aSetting()
    const whole = gzipMembers([aPage(1), aPage(2), aPage(3)])
    const files = [
      file('cut.warc.gz', whole.subarray(0, whole.length - 20)),
      file('b.warc.gz', gzipMembers([aPage(4)])),
    ]

    const [dry, tally] = [await tryArchives(what(files), ports), await importArchives(what(files), ports)]

    const failed = [
      { file: files[0], error: expect.stringMatching(/^damaged gzip data after byte \d+ \(unexpected end/) as string },
    ]
    expect(dry).toMatchObject({ accepted: 3, failed })
    expect(tally).toMatchObject({ accepted: 3, failed })
    expect((await eventsOf(log)).map(({ title }) => title)).toEqual(['Bridge 1', 'Bridge 2', 'Bridge 4'])
  })
})

function aRejection() {
  let reject: (cause: Error) => void = () => undefined
  const promise = new Promise<never>((_, no) => (reject = no))
  return { promise, reject }
}

describe('a killed import of archives', () => {
  const PAGES = 40
  const first = Array.from({ length: PAGES }, (_, n) => [aPage(n), writtenRequest('https://a.example/', AT)]).flat()
  const second = [aPage(3), ...Array.from({ length: 20 }, (_, n) => aPage(100 + n))] // with a duplicate of the first

  it('resumes after any batch: no article is lost or repeated, the report is the same, and nothing is extracted twice', async () => {
    const expected = aSetting()
    const files = (setting: typeof expected) => [
      setting.file('a.warc.gz', gzipMembers(first)),
      setting.file('b.warc.gz', gzipMembers(second)),
    ]
    const undisturbed = await importArchives({ ...what(files(expected)), rate: 8 }, expected.ports)
    const titles = (await eventsOf(expected.log)).map(({ title }) => title)
    expect(titles).toHaveLength(PAGES + 20)

    for (let batches = 0; batches < 8; batches++) {
      const extracted: string[] = []
      const counting: PageExtractor = {
        ...inThisThread,
        extract: async (page) => {
          extracted.push(page.url)
          return extractPage(page)
        },
      }
      const setting = aSetting()
      const { log, ports } = setting
      let left = batches
      const killed = aRejection()
      const produce = async (records: readonly OutRecord[]): Promise<number> =>
        left-- > 0 ? log.produce(records) : (killed.reject(new Error('killed')), new Promise<never>(() => undefined))
      const dying = { ...ports, log: async () => Object.assign(Object.create(log) as MemoryLog, { produce }) }
      const ended = Promise.race([importArchives({ ...what(files(setting)), rate: 8 }, dying), killed.promise])
      await expect(ended).rejects.toThrow('killed')
      const before = (await eventsOf(log)).length
      expect(before).toBe(Math.min(batches * 8, PAGES + 20))

      const tally = await importArchives({ ...what(files(setting)), rate: 8 }, { ...ports, extractor: counting })

      expect((await eventsOf(log)).map(({ title }) => title)).toEqual(titles)
      expect(tally).toMatchObject({ accepted: undisturbed.accepted, records: undisturbed.records })
      expect(tally.skipped).toEqual(undisturbed.skipped)
      expect(extracted.length).toBe(PAGES + 21 - before - (before > PAGES ? 1 : 0))
    }
  })

  it('starts again with --restart, with another filter, or if the log is another', async () => {
    const { ports, file } = aSetting()
    const files = [file('a.warc.gz', gzipMembers(first))]
    await importArchives(what(files), ports)

    expect((await importArchives({ ...what(files), restart: true }, ports)).accepted).toBe(PAGES)
    expect((await importArchives(what(files, { domains: ['a.example'] }), ports)).accepted).toBe(0)
    const fresh = { ...ports, log: async () => new MemoryLog() }
    expect((await importArchives(what(files), fresh)).accepted).toBe(PAGES)
  })
})
