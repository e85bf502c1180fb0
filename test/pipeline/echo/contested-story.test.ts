import { describe, expect, it } from 'vitest'
import type { StoryEnriched } from '../../../src/events/discourse.ts'
import { anArticle, aReception, at } from '../../builders/transitioned.ts'
import { storiesHomes, type StoriesHome } from '../stories/stories-home.ts'
import { viewsDatabase, type ViewsDatabaseAnswer } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = storiesHomes(store, writer)

const NOON = '2016-05-03T12:00:00.000Z'

/** A story whose last article is a hundred hours old at noon, with its public reception. */
async function quiet(...receptions: readonly StoryEnriched[]): Promise<StoriesHome> {
  const home = await aHome()
  await home.articles(anArticle('s', 's0', -101), anArticle('s', 's1', -100))
  await home.receptions(...receptions)
  return home
}

/** Not near any threshold: each case adds what makes it contested. */
const calm = (hours: number, over: Partial<StoryEnriched> = {}): StoryEnriched =>
  aReception('s', hours, { controversy_score: 0.1, counter_narrative_confidence: 0, ...over })

const sample = (posts: number, newestHours: number): StoryEnriched['sample'] => ({
  ...{ posts, authors: posts },
  ...{ window_start: at(newestHours - 1), window_end: at(newestHours) },
})

interface StoryShown {
  readonly lifecycle_state: string
  readonly lifecycle_reason: { readonly rule: string; readonly values: Record<string, number> }
}

/** The story as listed. */
async function listed(home: StoriesHome, as_of = NOON): Promise<StoryShown | undefined> {
  const { body } = await home.get(`/v1/stories?time_range=30d&as_of=${as_of}`)
  return (body['stories'] as StoryShown[])[0]
}

const state = async (home: StoriesHome, as_of = NOON): Promise<string | undefined> =>
  (await listed(home, as_of))?.lifecycle_state

const analyzed = (home: StoriesHome, as_of = NOON): Promise<ViewsDatabaseAnswer> =>
  home.post(`/v1/story/sto_s/analyze?as_of=${as_of}`)

describe('whether public discourse makes a story contested', () => {
  it.each([
    ['controversy of 0.6', calm(-1, { controversy_score: 0.6 }), 'contested'],
    ['controversy of 0.5999', calm(-1, { controversy_score: 0.5999 }), 'concluded'],
    ['a counter-narrative of 0.7', calm(-1, { counter_narrative_confidence: 0.7 }), 'contested'],
    ['a counter-narrative of 0.6999', calm(-1, { counter_narrative_confidence: 0.6999 }), 'concluded'],
    ['both below', calm(-1, { controversy_score: 0.5999, counter_narrative_confidence: 0.6999 }), 'concluded'],
    ['bluesky', calm(-1, { platform: 'bluesky', controversy_score: 0.6 }), 'contested'],
    [
      'twitter, never',
      calm(-1, { platform: 'twitter', controversy_score: 1, counter_narrative_confidence: 1 }),
      'concluded',
    ],
    ['five posts', calm(-1, { controversy_score: 0.6, sample: sample(5, -1) }), 'contested'],
    ['four posts', calm(-1, { controversy_score: 0.6, sample: sample(4, -1) }), 'concluded'],
    ['a newest post of 48 hours', calm(-48, { controversy_score: 0.6 }), 'contested'],
    ['a newest post of more than 48 hours', calm(-48 - 1 / 3_600, { controversy_score: 0.6 }), 'concluded'],
    ['no remaining post', calm(-1, { controversy_score: 0.6, comment_count_analyzed: 0 }), 'concluded'],
  ])('%s', async (_, reception, expected) => {
    const home = await quiet(reception)

    expect(await state(home)).toBe(expected)
    expect((await analyzed(home)).body).toMatchObject({ lifecycle_state: expected })
  })

  it('twitter records neither cause nor prevent contested', async () => {
    const hot = { platform: 'twitter', controversy_score: 1 } as const

    expect(await state(await quiet(calm(-1), calm(-1, hot)))).toBe('concluded')
    expect(
      await state(await quiet(calm(-1, { controversy_score: 0.6 }), calm(-1, { ...hot, controversy_score: 0 }))),
    ).toBe('contested')
  })

  it('not before coverage has ended, 72 hours after the last article', async () => {
    const home = await aHome()
    await home.articles(anArticle('s', 's0', -80), anArticle('s', 's1', -72))
    await home.receptions(calm(-1, { controversy_score: 0.9 }))

    expect(await state(home, '2016-05-03T11:59:59Z')).toBe('mature')
    expect(await state(home)).toBe('contested')
  })

  it('at a point in time, by the record that held then', async () => {
    const home = await quiet(
      calm(-10, { controversy_score: 0.9, sample: sample(12, -10) }),
      calm(-5, { controversy_score: 0.2, sample: sample(14, -5) }),
    )

    expect(await state(home, '2016-05-03T06:59:59Z')).toBe('contested')
    expect(await state(home, '2016-05-03T07:00:00Z')).toBe('concluded')
    expect(await state(home, '2016-05-03T01:59:59Z')).toBe('concluded')
  })
})

describe('a contested story', () => {
  const HOT = calm(-1, { controversy_score: 0.6, sample: sample(12, -1) })

  it('stays contested until 48 hours after its record was written', async () => {
    const home = await quiet(calm(0, { controversy_score: 0.6 }))
    const [{ lifecycle_reason }] = [(await listed(home)) ?? { lifecycle_reason: null }]

    expect(lifecycle_reason).toMatchObject({ rule: 'contested', values: { controversy_score: 0.6, posts: 12 } })
    expect(await state(home, '2016-05-05T12:00:00Z')).toBe('contested')
    expect(await state(home, '2016-05-05T12:10:00Z')).toBe('concluded')
  })

  it('is persisted by analyze, stays contested between the thresholds, and leaves below both', async () => {
    const home = await quiet(HOT)

    expect((await analyzed(home)).body).toMatchObject({
      lifecycle_state: 'contested',
      previous_state: null,
      changed: true,
    })
    expect((await analyzed(home)).body).toMatchObject({ previous_state: 'contested', changed: false })
    expect(await home.appended()).toMatchObject([{ lifecycle_state: 'contested', facts: { controversy_score: 0.6 } }])

    await home.receptions(calm(-0.9, { controversy_score: 0.5, counter_narrative_confidence: 0.1 }))
    expect(await listed(home)).toMatchObject({
      lifecycle_state: 'contested',
      lifecycle_reason: { rule: 'contested_still' },
    })
    await home.receptions(calm(-0.8, { controversy_score: 0.4999, counter_narrative_confidence: 0.6 }))
    expect(await state(home)).toBe('contested')
    await home.receptions(calm(-0.7, { controversy_score: 0.4999, counter_narrative_confidence: 0.5999 }))
    expect(await state(home)).toBe('concluded')
    expect((await analyzed(home)).body).toMatchObject({
      lifecycle_state: 'concluded',
      previous_state: 'contested',
      changed: true,
    })
  })

  it('leaves when coverage resumes', async () => {
    const home = await quiet(HOT)
    await analyzed(home)

    await home.articles(anArticle('s', 's2', -0.5))

    expect(await state(home)).not.toBe('contested')
  })

  it('leaves when its posts are deleted', async () => {
    const home = await quiet(HOT)
    await analyzed(home)

    await home.receptions({ ...HOT, event_id: 'evt_nothing_left', comment_count_analyzed: 0 })

    expect(await state(home)).toBe('concluded')
    expect((await analyzed(home)).body).toMatchObject({ lifecycle_state: 'concluded', previous_state: 'contested' })
  })
})
