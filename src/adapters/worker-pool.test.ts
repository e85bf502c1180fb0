import { afterEach, describe, expect, it } from 'vitest'
import { extractPage, type CrawledPage } from '../sources/pages/extract-page.ts'
import { pageWorkers } from './page-workers.ts'
import { WorkerPool } from './worker-pool.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()))
})

const aPool = (file = '../../test/builders/job-thread.ts') => {
  const thread = new URL(file, import.meta.url)
  const pool = new WorkerPool<string, string>({ thread, workers: 2, timeoutMs: 3_000, memoryMb: 32 })
  closing.push(pool)
  return pool
}

describe('a worker pool', () => {
  it('replaces threads that hang, end or need too much memory: each costs its own job only', async () => {
    const pool = aPool()
    const jobs = ['one', 'hang', 'exit', 'two', 'throw', 'memory', 'three', 'exit', 'four']

    const outcomes = await Promise.all(jobs.map((job) => pool.run(job)))

    const kinds = outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.result : outcome.kind))
    expect(kinds).toEqual(['one', 'timeout', 'failed', 'two', 'failed', 'failed', 'three', 'failed', 'four'])
  })

  it('rejects jobs if its threads cannot start', async () => {
    await expect(aPool('./no-such-thread.ts').run('one')).rejects.toThrow('a worker thread did not start')
  })
})

const aPage = (html: string): CrawledPage => ({
  ...{ url: 'https://a.example/1', crawledAt: Date.UTC(2026, 4, 3), contentType: 'text/html' },
  ...{ transferEncoding: null, contentEncoding: null, body: Buffer.from(html) },
})
const TEXT = `<p>${'The council voted on Tuesday to close the old harbour bridge for repairs. '.repeat(5)}</p>`

describe('page workers', () => {
  it('extract what one thread extracts, hostile pages between the others', async () => {
    const pages = [
      `<title>Bridge</title><article>${TEXT}</article>`,
      '<div>'.repeat(2_000_000),
      `<p>${'<a href="/x">a link to a page</a> '.repeat(100_000)}`,
      '<table><tr><td>'.repeat(500_000),
      `<title>Road</title><article>${TEXT.replaceAll('bridge', 'road')}</article>`,
    ].map(aPage)
    const workers = pageWorkers({ workers: 2 })
    closing.push(workers)

    const found = await Promise.all(pages.map((page) => workers.extract(page)))

    expect(found).toEqual(pages.map(extractPage))
    expect(found[4]).toMatchObject({ kind: 'article', article: { title: 'Road' } })
  })

  it('count a page that takes too long', async () => {
    const workers = pageWorkers({ workers: 1, timeoutMs: 1 })
    closing.push(workers)

    const slow = await workers.extract(aPage('<table><tr><td>'.repeat(500_000)))

    expect(slow).toEqual({ kind: 'skipped', reason: 'extraction_timeout' })
  })
})
