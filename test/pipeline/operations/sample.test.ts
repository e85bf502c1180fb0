import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startStory, stopAllStories, type StoryService } from '../story.ts'
import { until } from '../until.ts'

const AT = new Date(Date.now() - 60_000).toISOString()

let story: StoryService

beforeAll(async () => {
  process.env['SAMPLE_AT'] = AT // as `story up` sets it for a sample that it imports
  story = await startStory()
  await story.cli('import', 'sample', '--at', AT, '--wait', '--no-stream')
}, 900_000)
afterAll(async () => {
  delete process.env['SAMPLE_AT']
  await stopAllStories()
})

const Trends = z.object({
  trends: z.array(z.object({ growth_rate: z.number(), article_count: z.number(), low_support: z.boolean() })),
})

it('shows growing stories, and trends with support', async () => {
  const { trends } = Trends.parse((await story.get('/v1/trends?time_range=24h&limit=50')).body)

  expect(
    trends.filter(({ growth_rate, article_count }) => growth_rate > 0 && article_count >= 4).length,
  ).toBeGreaterThan(2)
  expect(trends.filter(({ low_support }) => !low_support)).not.toEqual([])
})

it('shows a thread of stories that are related', async () => {
  const Threads = z.object({ threads: z.array(z.object({ cluster_ids: z.array(z.string()) })) })
  const thread = await until('a thread', async () => {
    const { threads } = Threads.parse((await story.get('/layer3/v1/graph/threads')).body)
    return threads[0] ?? null
  })

  const [id] = thread.cluster_ids
  const { body } = await story.get(`/layer3/v1/graph/cluster/${id ?? ''}/relationships`)
  expect(thread.cluster_ids.length).toBeGreaterThanOrEqual(3)
  expect(JSON.stringify(body)).toContain(thread.cluster_ids[1])
})

it('shows stories in several languages, and a public response', async () => {
  const Stories = z.object({ stories: z.array(z.object({ languages: z.array(z.string()) })) })
  const { stories } = Stories.parse((await story.get('/v1/stories?time_range=30d&limit=100')).body)

  expect(new Set(stories.flatMap(({ languages }) => languages)).size).toBeGreaterThan(10)
  expect(stories.filter(({ languages }) => languages.length > 3)).not.toEqual([])
  await until('a public response', async () => {
    const { results } = z
      .object({ results: z.array(z.unknown()) })
      .parse((await story.get('/echo/v1/echo/search')).body)
    return results.length > 0 ? true : null
  })
})

it('states the time that its dates are relative to', async () => {
  expect((await story.get('/health')).body).toMatchObject({ sample_at: AT })
})
