import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { caller, type AskCaller } from '../ask.ts'
import { sharedStory } from './shared-story.ts'
import { until } from '../until.ts'

/** The same URL with changed text, through every view. */

const url = 'https://www.example.com/news/summit'
const before = {
  published_date: '2016-05-03T08:00:00Z',
  title: 'Leaders to meet in Geneva',
  text: 'Angela Merkel will travel to Geneva on Wednesday for talks on the steel dispute. Angela Merkel said the meeting in Geneva was overdue, and officials in Berlin expect it to last two days.',
}
const after = {
  published_date: '2016-05-03T20:00:00Z',
  title: 'Leaders to meet in Oslo instead',
  text: 'Emmanuel Macron will now host the talks on the steel dispute in Oslo after the first venue was dropped. Emmanuel Macron said that Oslo had offered to help, and delegates will arrive on Thursday morning.',
}
const BETWEEN = '2016-05-03T12:00:00Z'

let who: AskCaller
let article_id: string

const submit = ({ text, ...metadata }: typeof before) => who.submit(text, { ...metadata, url, source: 'Example Times' })

const Entities = z.object({
  entities: z.array(z.object({ name: z.string(), mention_count: z.number(), article_ids: z.array(z.string()) })),
})
const names = async (as_of: string): Promise<readonly string[]> => {
  const { body } = await who.get(`/v1/entities?time_range=30d&as_of=${as_of}&limit=100`)
  return Entities.parse(body).entities.map(({ name, mention_count }) => `${name} ${mention_count}`)
}
const NOW = '2016-05-04T00:00:00Z'

const read = async (query = '') => (await who.get(`/layer0/v1/article/${article_id}${query}`)).body

beforeAll(async () => {
  const story = await sharedStory('revised')
  who = caller(story.url, story.key)
  article_id = await submit(before)
  await until('the first text is in a story', async () => {
    const { body } = await who.get(`/v1/clusters?min_articles=1&time_range=30d&as_of=${NOW}`)
    return JSON.stringify(body).includes(before.title) ? body : null
  })
  expect(await submit(after)).toBe(article_id)
  await until('the second text is in a story', async () => {
    const { body } = await who.get(`/v1/clusters?min_articles=1&time_range=30d&as_of=${NOW}`)
    return JSON.stringify(body).includes(after.title) ? body : null
  })
  await until('and its names are counted', async () => ((await names(NOW)).includes('Emmanuel Macron 2') ? true : null))
})

describe('the same URL with changed text', () => {
  it('becomes revision 2 of the article, which is returned from then on', async () => {
    expect(await read()).toMatchObject({ article_id, revision: 2, title: after.title, url })
  })

  it('is revision 1 at an earlier `as_of`', async () => {
    expect(await read(`?as_of=${BETWEEN}`)).toMatchObject({ article_id, revision: 1, title: before.title })
  })

  it('counts the names of the newest text only', async () => {
    const now = await names(NOW)

    expect(now).toContain('Emmanuel Macron 2')
    expect(now.filter((name) => name.startsWith('Angela Merkel'))).toEqual([])
    expect(await names(BETWEEN)).toContain('Angela Merkel 2')
  })

  it('stays one member of its story, with its newest title', async () => {
    const Clusters = z.object({ clusters: z.array(z.object({ id: z.string(), articles: z.array(z.string()) })) })
    const list = Clusters.parse((await who.get(`/v1/clusters?min_articles=1&time_range=30d&as_of=${NOW}`)).body)
    const detail = await who.get(`/v1/clusters/${list.clusters[0]?.id ?? ''}?as_of=${NOW}`)

    expect(list.clusters.flatMap(({ articles }) => articles)).toEqual([article_id])
    expect(detail.body).toMatchObject({ article_count: 1, members: [{ article_id, title: after.title }] })
  })

  it.each(['article', 'token'])('is found by its newest text only: level=%s', async (level) => {
    const search = async (query: string, as_of: string) =>
      JSON.stringify((await who.get(`/layer0/v1/search?level=${level}&query=${query}&as_of=${as_of}&limit=100`)).body)
    const now = await search('Oslo', NOW)

    expect(now).toContain(after.title)
    expect(now).not.toContain(before.title)
    expect(await search('Geneva', NOW)).not.toContain(before.title)
    expect(await search('Geneva', BETWEEN)).toContain(before.title)
  })

  it('is a no-op if submitted again with the old text', async () => {
    expect(await submit(before)).toBe(article_id)
    expect(await read()).toMatchObject({ revision: 2, title: after.title })
    expect(await names(NOW)).toContain('Emmanuel Macron 2')
  })
})
