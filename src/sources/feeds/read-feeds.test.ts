import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../../test/builders/temporary-folder.ts'
import { guardedGet } from '../../adapters/guarded-get.ts'
import type { FetchedDocument, GetDocument } from '../../ports/http.ts'
import { MAX_FEED_BYTES, readFeeds, type ReadFeed } from './read-feeds.ts'

const feed = '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>'
const outlines = (entries: readonly string[]) => entries.map((one) => `<outline xmlUrl="${one}"/>`).join('')
const listOf = (...entries: readonly string[]) => `<opml><body>${outlines(entries)}</body></opml>`
const state = { of: () => ({}), save: () => undefined }

const answer = (url: string, body: string): FetchedDocument => ({
  url,
  status: 200,
  redirects: [],
  headers: {},
  body: Buffer.from(body),
})

/** A double of the web that has these documents; anything else goes to the real guard, as the command does. */
const webOf =
  (documents: Readonly<Record<string, string>>): GetDocument =>
  async (url, headers) => {
    const body = documents[url]
    return body === undefined ? guard(url, headers) : answer(url, body)
  }
const guard = guardedGet({ allowPrivate: false, timeoutMs: 1000, maxBytes: 1000 })

async function read(source: string, get: GetDocument = webOf({})): Promise<readonly ReadFeed[]> {
  const found: ReadFeed[] = []
  for await (const one of readFeeds([source], { get, state })) found.push(one)
  return found
}

/** What came of each entry: the kind, or the error. */
const said = (found: readonly ReadFeed[]) => found.map((one) => (one.kind === 'failed' ? one.error : one.kind))

/** A folder with a file of a feed, a pipe that nobody writes to, and a folder. */
function aFolder(): string {
  const folder = aTemporaryFolder()
  writeFileSync(join(folder, 'feed.xml'), feed)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  mkdirSync(join(folder, 'below'))
  writeFileSync(join(folder, 'below', 'feed.xml'), feed)
  return folder
}

it('reads no file that a list from the web names, whatever kind of file it is, and says so for each', async () => {
  const folder = aFolder()
  const entries = [
    ...['/etc/hostname', '/dev/zero', join(folder, 'pipe'), join(folder, 'feed.xml'), folder, 'feed.xml'],
    ...['//host/x', `file://${folder}/feed.xml`, 'FILE:///etc/hostname'],
  ]
  const list = `<opml><body><outline text="a"><outline text="b">${outlines(entries)}</outline></outline></body></opml>`

  const found = await read('https://lists.example/list.opml', webOf({ 'https://lists.example/list.opml': list }))

  expect(said(found)).toEqual(entries.map(() => 'refused: a list from the web may name http(s) addresses only'))
})

it('sends what a list from the web names through the guard, and follows no list in a list', async () => {
  const get = webOf({
    'https://lists.example/list.opml': listOf('http://169.254.169.254/x', 'https://lists.example/other.opml'),
    'https://lists.example/other.opml': listOf('/etc/hostname'),
  })

  expect(said(await read('https://lists.example/list.opml', get))).toEqual([
    expect.stringContaining('not a public address'),
    'a list in a list is not followed',
  ])
})

it('reads the files beside a local list and below it, wherever the command runs', async () => {
  const folder = aFolder()
  symlinkSync(join(folder, 'below', 'feed.xml'), join(folder, 'link.xml'))
  writeFileSync(join(folder, 'list.opml'), listOf('feed.xml', './below/feed.xml', join(folder, 'feed.xml'), 'link.xml'))

  expect(said(await read(join(folder, 'list.opml')))).toEqual(['feed', 'feed', 'feed', 'feed'])
})

it('refuses what a local list names elsewhere, and what is no regular file', async () => {
  const [folder, elsewhere] = [aFolder(), aFolder()]
  symlinkSync(join(elsewhere, 'feed.xml'), join(folder, 'away.xml'))
  symlinkSync('/dev/zero', join(folder, 'zero.xml'))
  const socket = createServer()
  await new Promise<void>((resolve) => socket.listen(join(folder, 'socket'), resolve))
  const outside = ['../', join(elsewhere, 'feed.xml'), 'away.xml', 'zero.xml', '/dev/zero', '//etc/hostname']
  const irregular = ['pipe', 'socket', 'below', 'file:///etc/hostname']
  writeFileSync(join(folder, 'list.opml'), listOf(...outside, ...irregular))

  const errors = said(await read(join(folder, 'list.opml')))
  socket.close()

  expect(errors.slice(0, outside.length)).toEqual(
    outside.map((): unknown => expect.stringContaining('outside the folder')),
  )
  expect(errors.slice(outside.length)).toEqual([
    'refused: not a regular file',
    expect.stringMatching(/not a regular file|ENXIO/),
    expect.stringContaining('is a folder; give files'),
    'refused: neither an http(s) address nor a path',
  ])
})

it('says so where a file is missing', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'list.opml'), listOf('none.xml'))

  const found = [...(await read(join(folder, 'list.opml'))), ...(await read(join(folder, 'none.opml')))]

  expect(said(found)).toEqual(['no such file', 'no such file'])
})

it('stops a file that is too large, and a device that the user names', async () => {
  const folder = aFolder()
  truncateSync(join(folder, 'feed.xml'), MAX_FEED_BYTES + 1)
  writeFileSync(join(folder, 'list.opml'), listOf('feed.xml'))

  const found = [...(await read(join(folder, 'list.opml'))), ...(await read('/dev/zero')), ...(await read(folder))]

  const tooLarge = `more than ${MAX_FEED_BYTES} bytes`
  expect(said(found)).toEqual([tooLarge, tooLarge, `${folder} is a folder; give files: ${folder}/*.xml`])
})

it('reads JSON Feed and gzip files of sitemaps, but follows no index of sitemaps', async () => {
  const folder = aFolder()
  const sitemap = '<urlset><url><loc>https://a.example/1</loc></url></urlset>'
  writeFileSync(join(folder, 'sitemap.xml.gz'), gzipSync(sitemap))
  const get = webOf({
    'https://a.example/feed.json': '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
    'https://a.example/sitemap.xml': '<sitemapindex><sitemap><loc>/1.xml</loc></sitemap></sitemapindex>',
    'https://a.example/': '<!doctype html><html></html>',
  })
  const sources = [
    join(folder, 'sitemap.xml.gz'),
    ...['feed.json', 'sitemap.xml', ''].map((path) => `https://a.example/${path}`),
  ]

  const found = await Promise.all(sources.map((source) => read(source, get)))

  expect(said(found.flat())).toEqual([
    'feed',
    'feed',
    'an index of sitemaps is not followed',
    'no RSS, Atom, JSON Feed, sitemap or OPML',
  ])
})
