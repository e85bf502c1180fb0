import { afterEach, beforeEach, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'

let api: TestApi
let reader: string
let writer: string
let readings: () => number

beforeEach(async () => {
  api = await anApi({ cacheBytes: 1_000_000 })
  const shown = {
    article_id: 'art_x',
    url: null,
    source: null,
    published_date: null,
    quality_score: 0.7,
    language: 'en',
  }
  api.store.rows.set('articles.nearest', [{ article_id: 'art_x', offset: 7, distance: 0.25 }])
  api.store.rows.set('articles.standing', [
    { ...shown, content_hash: 'c', offset: 7, title: 'A bridge of long standing' },
  ])
  api.store.rows.set('articles.story_of', [])
  ;[reader, writer] = [await api.key(), await api.key()]
  readings = () => api.store.queries.filter(({ name }) => name === 'articles.nearest').length
})
afterEach(() => api.stop())

const search = async (key: string): Promise<void> => {
  expect((await api.get('/layer0/v1/search?query=bridge', key)).status).toBe(200)
}
const AN_ARTICLE = { text: 'The harbour bridge was closed on Monday after an inspection. '.repeat(5) }

it('refused writes of any key leave kept answers in use', async () => {
  await search(reader)

  for (let i = 0; i < 20; i++)
    expect((await api.post('/layer0/v1/process', { text: 'short' }, writer)).status).toBe(422)

  await search(reader)
  await search(writer)
  expect(readings()).toBe(1)
})

it('a write ends the use of kept answers for its own key, and not for others', async () => {
  await search(reader)

  expect((await api.post('/layer0/v1/process', AN_ARTICLE, writer)).status).toBe(202)

  await search(reader)
  expect(readings()).toBe(1)
  await search(writer)
  expect(readings()).toBe(2)
})
