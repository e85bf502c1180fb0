import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { canonicalUrl } from '../../src/events/canonical-url.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { parseFeedList, parseOpml } from '../../src/sources/feeds/parse-opml.ts'
import { tryArticles } from '../../src/sources/import-articles.ts'
import { tryPosts } from '../../src/sources/import-posts.ts'
import { jsonlRecords } from '../../src/sources/jsonl.ts'
import { openSource } from '../../src/sources/open-source.ts'
import { SourceTally } from '../../src/sources/tally.ts'

const recordsOf = async (path: string) => jsonlRecords((await openSource(projectPath(path), process.stdin)).bytes)
const Fields = z.object({ url: z.string(), source: z.string() })

it('contains at least 300 acceptable articles of many outlets, without labels', async () => {
  const tally = new SourceTally()
  const outlets = new Set<string>()
  const fields = new Set<string>()
  for await (const record of await recordsOf('samples/ecbplus.jsonl.gz')) {
    if (record.kind !== 'fields') continue
    outlets.add(Fields.parse(record.fields).source)
    Object.keys(record.fields).forEach((name) => fields.add(name))
  }

  await tryArticles(
    { records: await recordsOf('samples/ecbplus.jsonl.gz'), namespace: 'shared', producer: 'test', file: null },
    tally,
  )

  expect(tally).toMatchObject({ refusals: [], revisions: 0, repeats: 0 })
  expect(tally.articles).toBeGreaterThanOrEqual(300)
  expect(outlets.size).toBeGreaterThan(100)
  expect([...fields].sort()).toEqual(['source', 'text', 'title', 'url'])
})

it('contains posts that link to articles of the sample', async () => {
  const articles = new Set<string | null>()
  for await (const record of await recordsOf('samples/ecbplus.jsonl.gz')) {
    if (record.kind === 'fields') articles.add(canonicalUrl(Fields.parse(record.fields).url))
  }
  const path = 'samples/posts/demonstration.jsonl'

  const tally = await tryPosts(jsonlRecords(createReadStream(projectPath(path))))

  expect(tally.refusals).toEqual([])
  expect(tally.accepted).toBeGreaterThan(20)
  const links = readFileSync(projectPath(path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => z.object({ article_url: z.string() }).parse(JSON.parse(line)).article_url)
  expect(links.filter((url) => !articles.has(canonicalUrl(url)))).toEqual([])
})

it('contains a list of feeds from many hosts', () => {
  const feeds = parseOpml(readFileSync(projectPath('samples/feeds.opml'), 'utf8')) ?? []

  expect(feeds.length).toBeGreaterThanOrEqual(30)
  expect(feeds.every((url) => url.startsWith('https://'))).toBe(true)
  expect(new Set(feeds.map((url) => new URL(url).hostname)).size).toBe(feeds.length)
})

const REGIONS = readdirSync(projectPath('samples/feeds')).sort()
const regionOf = (file: string) => parseFeedList(readFileSync(projectPath(`samples/feeds/${file}`), 'utf8'))

it('contains a list of outlets for each region', () => {
  expect(REGIONS).toEqual(
    ['africa', 'asia', 'europe', 'latin-america', 'north-america', 'oceania', 'world'].map((name) => `${name}.opml`),
  )
})

it.each(REGIONS)('the list %s names its origin and 8 to 20 outlets with https addresses', (file) => {
  const { title, source, feeds } = regionOf(file) ?? { title: null, source: null, feeds: [] }

  expect(title).not.toBeNull()
  expect(source).toMatch(/https:\/\/github\.com\/\S+, (CC0 1\.0|MIT)\)/)
  expect(feeds.length).toBeGreaterThanOrEqual(8)
  expect(feeds.length).toBeLessThanOrEqual(20)
  expect(feeds.filter(({ url, name }) => !url.startsWith('https://') || name === null)).toEqual([])
})

it('lists no address twice, in one region or in two, and more than one language in each', () => {
  const texts = REGIONS.map((file) => readFileSync(projectPath(`samples/feeds/${file}`), 'utf8'))
  const addresses = texts.flatMap((text) => [...text.matchAll(/xmlUrl="([^"]+)"/g)].map(([, url]) => url))
  const languages = texts.map((text) => new Set([...text.matchAll(/language="([^"]+)"/g)].map(([, code]) => code)))

  expect(new Set(addresses).size).toBe(addresses.length)
  expect(languages.filter(({ size }) => size < 2)).toEqual([])
})
