import { describe, expect, it } from 'vitest'
import type { ArticleClustered } from '../../../src/events/ledger.ts'
import { LIFECYCLE, type LifecycleNumbers } from '../../../src/domain/lifecycle/lifecycle.ts'
import { LIFECYCLE_STATES } from '../../../src/events/lifecycle.ts'
import { newestFact } from '../../../src/views/stories/queries.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aChange, anArticle, aReception, aTick, live, moves } from '../../builders/transitioned.ts'
import { storiesHomes, type StoriesHome } from './stories-home.ts'
import { viewsDatabase, type ViewsDatabaseAnswer } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = storiesHomes(store, writer)

/** `count` articles of one story, the last of them `hours` before noon, half an hour apart. */
const covered = (story: string, hours: number, count = 2): ArticleClustered[] =>
  Array.from({ length: count }, (_, i) => anArticle(story, `${story}${i}`, -hours - (count - 1 - i) / 2))

interface StoryShown {
  readonly id: string
  readonly lifecycle_state: string
  readonly lifecycle_reason: { readonly rule: string; readonly values: Record<string, number>; readonly text: string }
  readonly article_velocity: number
  readonly has_echo: boolean
}

const storiesIn = ({ body }: ViewsDatabaseAnswer) => body['stories'] as StoryShown[]

/** Story to state. */
async function states(home: StoriesHome, query = 'time_range=30d'): Promise<Record<string, string>> {
  const stories = storiesIn(await home.get(`/v1/stories?${query}`))
  return Object.fromEntries(stories.map(({ id, lifecycle_state }) => [id.slice(4), lifecycle_state]))
}

/** One story in each state, and one that only twitter contests. */
async function oneOfEach(home: StoriesHome): Promise<void> {
  await home.articles(
    ...covered('new', 0.5, 3),
    ...covered('running', 10),
    ...covered('ebbing', 30),
    ...covered('over', 100),
    ...covered('disputed', 90),
    ...covered('tweeted', 95),
  )
  await home.receptions(
    aReception('disputed', -20),
    aReception('tweeted', -20, { platform: 'twitter' }),
    aReception('running', -1),
  )
}

describe('GET /v1/stories', () => {
  it('returns the state, reason, velocity and `has_echo` of every story', async () => {
    const home = await aHome()
    await oneOfEach(home)

    const answer = await home.get('/v1/stories?time_range=30d&sort=recency')

    expect(answer).toMatchObject({ status: 200, body: { total: 6, page: 1, next_cursor: null } })
    expect(
      storiesIn(answer).map(({ id, lifecycle_state, has_echo }) => [id.slice(4), lifecycle_state, has_echo]),
    ).toEqual([
      ['new', 'breaking', false],
      ['running', 'developing', true],
      ['ebbing', 'mature', false],
      ['disputed', 'contested', true],
      ['tweeted', 'concluded', true],
      ['over', 'concluded', false],
    ])
    expect(storiesIn(answer)[0]).toMatchObject({
      article_count: 3,
      article_velocity: 3,
      lifecycle_reason: { rule: 'breaking', values: { first_article_age_hours: 1.5, origins_2h: 3 } },
    })
    expect(storiesIn(answer)[3]?.lifecycle_reason).toMatchObject({
      rule: 'contested',
      values: { controversy_score: 0.8, posts: 12, newest_post_age_hours: 20, last_article_age_hours: 90 },
    })
    expect(storiesIn(answer)[3]?.lifecycle_reason.text).toContain('reddit contests it')
  })

  it('returns the fields of a list of clusters', async () => {
    const home = await aHome()
    await oneOfEach(home)
    const added = ['lifecycle_state', 'lifecycle_reason', 'article_velocity', 'has_echo']

    const { clusters } = (await home.get('/v1/clusters?time_range=7d')).body
    const stories = storiesIn(await home.get('/v1/stories?time_range=7d'))
    const plain = stories.map((story) =>
      Object.fromEntries(Object.entries(story).filter(([name]) => !added.includes(name))),
    )

    expect(plain).toEqual(clusters)
    expect(await states(home, '')).toEqual({ new: 'breaking', running: 'developing' })
  })

  it('filters by state, with total and pages over all of them', async () => {
    const home = await aHome()
    for (const i of [0, 1, 2, 3, 4]) {
      await home.articles(...covered(`over${i}`, 100 + i), ...covered(`running${i}`, 2 + i))
    }
    const over = ['over0', 'over1', 'over2', 'over3', 'over4']
    const path = '/v1/stories?lifecycle_state=concluded&sort=recency&limit=2'
    const idsIn = (answer: ViewsDatabaseAnswer) => storiesIn(answer).map(({ id }) => id.slice(4))

    const byPage: string[] = []
    for (const page of [1, 2, 3]) {
      const answer = await home.get(`${path}&page=${page}`)
      expect(answer.body).toMatchObject({ total: 5, page })
      byPage.push(...idsIn(answer))
    }
    const byCursor: string[] = []
    for (let next: string | null = path; next !== null;) {
      const answer: ViewsDatabaseAnswer = await home.get(next)
      expect(answer.body).toMatchObject({ total: 5, page: byCursor.length / 2 + 1 })
      byCursor.push(...idsIn(answer))
      next = /<(.+)>; rel="next"/.exec(answer.link ?? '')?.[1] ?? null
    }

    expect(byPage).toEqual(over)
    expect(byCursor).toEqual(over)
    expect(idsIn(await home.get('/v1/stories?lifecycle_state=developing&sort=recency'))).toHaveLength(5)
    expect(await home.get('/v1/stories?lifecycle_state=contested')).toMatchObject({
      body: { stories: [], total: 0, next_cursor: null },
    })
  })

  it.each(LIFECYCLE_STATES)('lists as %s the stories that have this state in the list of all', async (state) => {
    const home = await aHome()
    await oneOfEach(home)
    const inState = async (window: string) =>
      Object.entries(await states(home, window)).filter(([, one]) => one === state)
    const now = 'time_range=30d&sort=recency'
    const before = `${now}&as_of=2016-05-02T13:00:00Z`

    const listed = await home.get(`/v1/stories?${now}&lifecycle_state=${state}`)
    const { stories: shown, ...empty } = (await home.get(`/v1/stories?lifecycle_state=${state}&page=2`)).body

    expect(await inState(now)).not.toEqual([])
    expect(storiesIn(listed).map(({ id, lifecycle_state }) => [id.slice(4), lifecycle_state])).toEqual(
      await inState(now),
    )
    expect({ shown, total: empty['total'] }).toEqual({ shown: [], total: listed.body['total'] })
    expect(listed.body['total']).toBe((await inState(now)).length)
    expect(Object.entries(await states(home, `${before}&lifecycle_state=${state}`))).toEqual(await inState(before))
  })

  it('pages by cursor, also without filters', async () => {
    const home = await aHome()
    await oneOfEach(home)
    const seen: string[] = []

    for (let next: string | null = '/v1/stories?time_range=30d&limit=4'; next !== null;) {
      const answer: ViewsDatabaseAnswer = await home.get(next)
      seen.push(...storiesIn(answer).map(({ id }) => id))
      next = /<(.+)>; rel="next"/.exec(answer.link ?? '')?.[1] ?? null
    }

    expect(new Set(seen).size).toBe(6)
    expect(seen).toHaveLength(6)
  })

  it('returns the states at `as_of`', async () => {
    const home = await aHome()
    await oneOfEach(home)

    expect(await states(home, 'time_range=30d&as_of=2016-05-02T13:00:00Z')).toEqual({
      ebbing: 'developing',
      disputed: 'mature',
      tweeted: 'concluded',
      over: 'concluded',
    })
    expect(await states(home, 'time_range=30d&as_of=2016-04-01')).toEqual({})
  })

  it('counts independent sources: forty reprints do not make a story breaking', async () => {
    const home = await aHome()
    const wire = Array.from({ length: 40 }, (_, i) => anArticle('wire', `w${i}`, -1 + i / 100, { group: 'syn_wire' }))
    await home.articles(...wire)
    await home.articles(...covered('three', 0.5, 3), anArticle('wire', 'own', -0.2))

    const stories = storiesIn(await home.get('/v1/stories?sort=coverage'))

    expect(stories.map(({ id, lifecycle_state, article_velocity }) => [id, lifecycle_state, article_velocity])).toEqual(
      [
        ['sto_three', 'breaking', 3],
        ['sto_wire', 'developing', 2],
      ],
    )
  })

  it('lists subject pages, without a state, with `kind=subject`', async () => {
    const home = await aHome()
    await home.articles(...covered('a', 2), ...covered('b', 3))
    const listed = [...covered('c', 4), ...covered('d', 5)].map((event) => ({ ...event, subject_id: 'sub_page' }))
    await home.articles(...listed)

    const subjects = await home.get('/v1/stories?kind=subject')
    expect(subjects.body).toMatchObject({
      stories: [{ id: 'sub_page', kind: 'subject', article_count: 4, lifecycle_state: null, lifecycle_reason: null }],
      total: 1,
    })
    expect(subjects.body['stories']).toEqual(
      ((await home.get('/v1/clusters?kind=subject')).body['clusters'] as object[]).map((page) => ({
        ...page,
        ...{ lifecycle_state: null, lifecycle_reason: null, article_velocity: null, has_echo: false },
      })),
    )
    expect(storiesIn(await home.get('/v1/stories')).map(({ id }) => id.slice(4))).toEqual(['a', 'b', 'c', 'd'])
    expect((await home.get('/v1/story/sub_page')).body).toMatchObject({ story_id: 'sub_page', kind: 'subject' })
    expect(await home.get('/v1/stories?kind=subject&lifecycle_state=mature')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'lifecycle_state' }] },
    })
  })

  it.each([
    ...['lifecycle_state=finished', 'time_range=2h', 'limit=0', 'cursor=nonsense'],
    ...['kind=topic', 'membership=provisional', 'min_assignment_confidence=1.5'],
  ])('refuses %s', async (parameter) => {
    const { status, body } = await (await aHome()).get(`/v1/stories?${parameter}`)

    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: parameter.split('=')[0] }] })
  })

  it('rejects a cursor of another state', async () => {
    const home = await aHome()
    await home.articles(...covered('a', 2), ...covered('b', 3))
    const { next_cursor } = (await home.get('/v1/stories?limit=1')).body

    expect((await home.get(`/v1/stories?limit=1&cursor=${String(next_cursor)}`)).status).toBe(200)
    expect((await home.get(`/v1/stories?lifecycle_state=developing&cursor=${String(next_cursor)}`)).status).toBe(422)
  })
})

describe('configured lifecycle rules', () => {
  const strict: LifecycleNumbers = { ...LIFECYCLE, breaking: { ...LIFECYCLE.breaking, origins: 4 } }
  const aStrictHome = storiesHomes(store, writer, { lifecycle: strict })
  const patient = { ...LIFECYCLE.developing, youngMs: 2 * LIFECYCLE.mature.youngMs, shareOfPeak: 0 }
  const aPatientHome = storiesHomes(store, writer, { lifecycle: { ...LIFECYCLE, developing: patient } })

  it('apply to the list, to one state of it and to analyze', async () => {
    const home = await aStrictHome()
    await home.articles(...covered('new', 0.5, 3), ...covered('newer', 0.4, 4))

    expect(await states(home)).toEqual({ new: 'developing', newer: 'breaking' })
    expect(await states(home, 'lifecycle_state=breaking')).toEqual({ newer: 'breaking' })
    expect((await home.post('/v1/story/sto_new/analyze')).body).toMatchObject({ lifecycle_state: 'developing' })
  })

  it('may let a story develop for longer than it is mature', async () => {
    const home = await aPatientHome()
    await home.articles(...covered('running', 100), ...covered('over', 200))

    expect(await states(home)).toEqual({ running: 'developing', over: 'concluded' })
    expect(await states(home, 'time_range=30d&lifecycle_state=developing')).toEqual({ running: 'developing' })
    expect(await states(home, 'time_range=30d&lifecycle_state=concluded')).toEqual({ over: 'concluded' })
  })
})

describe('POST /v1/story/{story_id}/analyze', () => {
  it('persists the state once, and later reads return it', async () => {
    const home = await aHome()
    await oneOfEach(home)

    const first = await home.post('/v1/story/sto_disputed/analyze')
    const second = await home.post('/v1/story/sto_disputed/analyze')

    expect(first).toMatchObject({
      status: 200,
      body: {
        story_id: 'sto_disputed',
        lifecycle_state: 'contested',
        previous_state: null,
        changed: true,
        reason: { rule: 'contested', values: { controversy_score: 0.8 } },
      },
    })
    expect(second.body).toMatchObject({ lifecycle_state: 'contested', previous_state: 'contested', changed: false })
    expect(await home.appended()).toMatchObject([
      {
        cluster_id: 'sto_disputed',
        lifecycle_state: 'contested',
        previous_state: null,
        produced_by: { stage: 'api' },
        facts: { posts: 12 },
      },
    ])
  })

  it('keeps a contested story contested until it cools down', async () => {
    const home = await aHome()
    await oneOfEach(home)
    await home.post('/v1/story/sto_disputed/analyze')

    await home.receptions(
      aReception('disputed', -19, { controversy_score: 0.5 }),
      aReception('over', -19, { controversy_score: 0.5 }),
    )
    expect(await states(home)).toMatchObject({ disputed: 'contested', over: 'concluded' })
    await home.receptions(aReception('disputed', -18, { controversy_score: 0.49 }))
    expect(await states(home)).toMatchObject({ disputed: 'concluded' })

    expect((await home.post('/v1/story/sto_disputed/analyze')).body).toMatchObject({
      lifecycle_state: 'concluded',
      previous_state: 'contested',
      changed: true,
    })
  })

  it('does not change earlier points in time', async () => {
    const home = await aHome()
    await oneOfEach(home)
    await home.post('/v1/story/sto_disputed/analyze')
    await home.receptions(aReception('disputed', -19, { controversy_score: 0.5 }))

    expect(await states(home, 'time_range=30d&as_of=2016-05-03T11:00:00Z')).toMatchObject({ disputed: 'concluded' })
    expect((await home.post('/v1/story/sto_disputed/analyze?as_of=2016-05-01T12:00:00Z')).body).toMatchObject({
      lifecycle_state: 'mature',
      previous_state: null,
      evaluated_at: '2016-05-01T12:00:00.000Z',
    })
    expect(await states(home)).toMatchObject({ disputed: 'contested' })
  })

  it('responds although the view lags', async () => {
    const home = await aHome()
    await oneOfEach(home)

    expect(await home.postUnseen('/v1/story/sto_over/analyze')).toMatchObject({
      status: 200,
      body: { lifecycle_state: 'concluded', changed: true },
    })
  })

  it('evaluates the surviving story for a merged id', async () => {
    const home = await aHome()
    await home.articles(...covered('a', 2), ...covered('b', 3), aChange('merged', ['b', 'a'], ['b0', 'b1']))

    expect(await home.post('/v1/story/sto_b/analyze')).toMatchObject({ status: 200, body: { story_id: 'sto_a' } })
    expect(await states(home)).toEqual({ a: 'developing' })
  })

  it('returns 404 for an unknown story and 422 for a future time', async () => {
    const home = await aHome()
    await home.articles(...covered('a', 2))

    expect(await home.post('/v1/story/sto_none/analyze')).toMatchObject({
      status: 404,
      body: { code: 'cluster_not_found' },
    })
    expect(await (await aHome()).post('/v1/story/sto_a/analyze')).toMatchObject({ status: 404 })
    expect(await home.post('/v1/story/sto_a/analyze?as_of=2016-01-01')).toMatchObject({ status: 404 })
    expect(await home.post('/v1/story/sto_a/analyze?as_of=2030-01-01')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'as_of' }] },
    })
    expect(await home.appended()).toEqual([])
  })
})

describe('GET /v1/story/{story_id}', () => {
  it('returns all fields of the cluster, without its state', async () => {
    const home = await aHome()
    await oneOfEach(home)

    const { status, body } = await home.get('/v1/story/sto_new')

    expect(status).toBe(200)
    expect(body).toEqual({ story_id: 'sto_new', ...(await home.get('/v1/clusters/sto_new')).body })
    expect(body).not.toHaveProperty('lifecycle_state')
    expect(await home.get('/v1/story/sto_none')).toMatchObject({ status: 404, body: { code: 'cluster_not_found' } })
  })
})

describe('the list and the stage', () => {
  /** Pseudo-random numbers below `n`, always the same. */
  const chance = (seed: number) => {
    let state = seed
    return (n: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * n)
    }
  }

  it.each([1, 2, 3])('agree on the same ledger (%i)', async (seed) => {
    const home = await aHome()
    const below = chance(seed)
    // ten young stories, for which origins decide, and forty of any age
    const articles = Array.from({ length: 140 }, (_, i) => {
      const quotes = below(4) === 0 ? { derived_from: `art_${below(140)}` } : {}
      const family = below(3) === 0 ? { family: `family ${below(3)}` } : {}
      const [story, hours, groups] = i < 50 ? [below(10), below(4) / 2, 8] : [10 + below(40), below(160), 100]
      return anArticle(`s${story}`, `${i}`, -hours, { group: `syn_${below(groups)}`, ...family, ...quotes })
    })
    const changes = [
      aChange('merged', ['s1', 's0'], idsOf(articles, 's1')),
      aChange('split', ['s2', 'new'], idsOf(articles, 's2').slice(1)),
      aChange('moved', ['s3', 's4'], idsOf(articles, 's3').slice(0, 1)),
    ]
    const receptions = Array.from({ length: 50 }, (_, i) =>
      aReception(`s${i}`, -below(60), { controversy_score: below(100) / 100 }),
    )
    await home.articles(...articles, ...changes)
    await home.receptions(...receptions)

    const shown = await states(home, 'time_range=30d&min_articles=0&limit=100')
    const { emitted } = live([...articles, ...changes, ...receptions, aTick(0)])

    expect(shown).toEqual(Object.fromEntries(moves(emitted).map(([id, state]) => [id, state])))
    expect(new Set(Object.values(shown)).size).toBe(5)
  })
})

const idsOf = (articles: readonly ArticleClustered[], story: string): readonly string[] =>
  articles.flatMap(({ cluster_id, article_id }) => (cluster_id === `sto_${story}` ? [article_id.slice(4)] : []))

it('the newest fact of a namespace has its log time; without one it is 0', async () => {
  const home = await aHome()
  expect(await newestFact(store)({ namespace: home.namespace })).toEqual([{ newest: 0 }])

  await home.articles(anArticle('a', '1', -1))

  const [found] = await newestFact(store)({ namespace: home.namespace })
  expect(found?.newest).toBeGreaterThanOrEqual(A_DAY)
})
