import { beforeAll, expect, it } from 'vitest'
import { pages, storyClient, type StoryClient } from '../../../sdk/src/index.ts'
import { sharedStory } from './shared-story.ts'
import { until } from '../until.ts'

let client: StoryClient

/** The whole service, through the TypeScript client only. */
beforeAll(async () => {
  const { url, key } = await sharedStory('client-test')
  client = storyClient({ baseUrl: url, apiKey: key })
}, 900_000)

const article = (n: number) => ({
  text: `The river Elbe rose again on day ${n} of the flood. `.repeat(4),
  metadata: { title: `Elbe flood, day ${n}`, url: `https://example.com/flood/${n}`, published_date: '2018-12-31' },
})

it('submits, waits, searches, pages, and receives each change once across reconnects', async () => {
  const jobs = await Promise.all([1, 2, 3].map((n) => client.process(article(n))))
  const ids = jobs.map(({ article_id }) => article_id)
  expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])

  const hits = await until('tokens are found', async () => {
    const found = await client.searchTokens({ query: 'flooded river', limit: 100, as_of: '2019-01-01' })
    return found.length === 3 ? found : null
  })
  expect(hits.map(({ metadata }) => metadata.source_id).sort()).toEqual([...ids].sort())

  const events: string[] = []
  for await (const { changes, has_more } of pages(async (cursor) => {
    const query = { limit: 1, types: 'article.scored', wait: 20, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await client.api.GET('/v1/changes', { params: { query } })
    if (data === undefined) throw new Error('no page')
    return data
  })) {
    for (const change of changes) if (change.type === 'article.scored') events.push(change.data.article_id)
    if (events.length === 3 && !has_more) break
  }
  expect(events.sort()).toEqual([...ids].sort())
})

it('follows the feed from before the first article', async () => {
  const stop = new AbortController()
  const { data } = await client.api.GET('/v1/changes', { params: { query: { limit: 1 } } })
  const heard: string[] = []
  const following = (async () => {
    const options = { types: ['article.scored'], signal: stop.signal, cursor: data?.next_cursor ?? '' }
    for await (const { data } of client.events(options)) heard.push(String(data['title']))
  })()

  await client.process(article(4))
  await until('the fourth article is told', async () => (heard.includes('Elbe flood, day 4') ? true : null))
  stop.abort()
  await following

  expect(new Set(heard).size).toBe(heard.length)
})
