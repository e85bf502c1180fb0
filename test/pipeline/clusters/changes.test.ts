import { describe, expect, it } from 'vitest'
import {
  articlesClustered,
  type ArticleClustered,
  type StoryChangeAction,
  type Member,
} from '../../../src/events/ledger.ts'
import type { Store } from '../../../src/ports/store.ts'
import { splitInto } from '../../../src/views/clusters/history.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aClusteredArticle, aStoryChange } from '../../builders/views.ts'
import { homes, viewsDatabase, type ViewsDatabaseHome } from '../views-database.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** All stories begin ten days before noon of the day of the requests. */
const BEGIN = A_DAY - 10 * DAY_MS
const at = (hours: number): number => BEGIN + hours * HOUR_MS
const iso = (hours: number): string => new Date(at(hours)).toISOString()

const { store, writer } = viewsDatabase()
const aHome = homes(store)

/** Article `id` joins story `story`, `hours` after the start; the first of a story opens it. */
const comes = (
  { namespace }: ViewsDatabaseHome,
  [story, id, hours]: readonly [string, string, number],
  member: Partial<Member> = {},
): ArticleClustered =>
  aClusteredArticle({
    ...{ namespace, cluster_id: story, article_id: id, occurred_at: at(hours) },
    action: story === `sto_${id.slice(4)}` ? 'opened' : 'joined',
    member: { ...aStoryArticle().member, title: id, semantic_hash: id, source: id, publisher: id, ...member },
  })

type ClustersChangesWay = readonly [from: string, to: string, articles: readonly string[], hours: number]

const changes = (
  { namespace }: ViewsDatabaseHome,
  action: StoryChangeAction,
  [from, to, article_ids, hours]: ClustersChangesWay,
): ArticleClustered =>
  aStoryChange({ ...{ namespace, action, to, article_ids }, from_cluster_id: from, occurred_at: at(hours) })

/** A curator's correction, made long afterwards. */
const corrects = (
  { namespace }: ViewsDatabaseHome,
  [id, action, from, to, article_ids]: readonly [string, string, string | null, string, readonly string[]],
  refused: string | null = null,
): ArticleClustered =>
  aStoryChange({
    ...{ namespace, to, article_ids, action: 'corrected', from_cluster_id: from, occurred_at: at(200) },
    correction: { correction_id: id, action, refused, reason: 'seen by eye', key_id: 'key_1' },
  })

const write = (...events: ArticleClustered[]) => writer.write(articlesClustered, events)

const story = async (home: ViewsDatabaseHome, id: string, hours?: number) => {
  const { status, body } = await home.get(`/v1/clusters/${id}${hours === undefined ? '' : `?as_of=${iso(hours)}`}`)
  return status === 200 ? body : status
}
const articles = async (home: ViewsDatabaseHome, id: string, hours?: number) => {
  const found = await story(home, id, hours)
  return typeof found === 'number' ? found : [found['id'], ...(found['articles'] as string[])]
}

/** a, b in sto_a; c, d in sto_c; e in sto_e; an hour apart. */
const threeStories = async (home: ViewsDatabaseHome) => {
  await write(
    comes(home, ['sto_a', 'art_a', 0]),
    comes(home, ['sto_a', 'art_b', 1]),
    comes(home, ['sto_c', 'art_c', 2]),
    comes(home, ['sto_c', 'art_d', 3]),
    comes(home, ['sto_e', 'art_e', 4]),
  )
}

describe('a merged story', () => {
  it('resolves to the surviving story, also after that one is merged', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(changes(home, 'merged', ['sto_c', 'sto_a', ['art_c', 'art_d'], 10]))
    await write(changes(home, 'merged', ['sto_a', 'sto_e', ['art_a', 'art_b', 'art_c', 'art_d'], 20]))

    const whole = ['sto_e', 'art_a', 'art_b', 'art_c', 'art_d', 'art_e']
    expect(await articles(home, 'sto_e')).toEqual(whole)
    expect(await articles(home, 'sto_c')).toEqual(whole)
    expect(await story(home, 'sto_c')).toMatchObject({ merged_into: 'sto_e', merged_at: iso(10) })
    expect(await story(home, 'sto_a')).toMatchObject({ merged_into: 'sto_e', merged_at: iso(20) })
    expect(await story(home, 'sto_e')).toMatchObject({
      ...{ merged_into: null, merged_at: null },
      history: [
        { type: 'opened', at: iso(4), article_id: 'art_e' },
        {
          ...{ type: 'merged', at: iso(20), other_cluster_id: 'sto_a', direction: 'in', articles: 4 },
          moved: [{}, {}, {}],
        },
      ],
    })
  })

  it('is unchanged at a point in time before the merge', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(changes(home, 'merged', ['sto_c', 'sto_a', ['art_c', 'art_d'], 10]))

    expect(await articles(home, 'sto_c', 9)).toEqual(['sto_c', 'art_c', 'art_d'])
    expect(await story(home, 'sto_c', 9)).toMatchObject({ merged_into: null, history: [{ type: 'opened' }] })
    expect(await articles(home, 'sto_a', 9)).toEqual(['sto_a', 'art_a', 'art_b'])
    expect(await articles(home, 'sto_c', 10)).toEqual(['sto_a', 'art_a', 'art_b', 'art_c', 'art_d'])
    expect(await articles(home, 'sto_c', 1)).toBe(404)
    expect(await articles(home, 'sto_none')).toBe(404)
  })

  it('is listed as the surviving story', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(changes(home, 'merged', ['sto_c', 'sto_a', ['art_c', 'art_d'], 10]))
    const listed = async (search: string) =>
      ((await home.get(`/v1/clusters?time_range=30d&sort=coverage&${search}`)).body['clusters'] as object[]).map(
        (item) => item as { id: string; article_count: number },
      )

    expect(await listed('')).toMatchObject([{ id: 'sto_a', article_count: 4, origin_count: 4 }])
    expect(await listed(`as_of=${iso(9)}`)).toMatchObject([
      { id: 'sto_a', article_count: 2 },
      { id: 'sto_c', article_count: 2 },
    ])
  })
})

describe('a split story', () => {
  it('lists `split_into` and no longer has the articles from then on', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(changes(home, 'split', ['sto_c', 'sto_d', ['art_d'], 10]))

    expect(await articles(home, 'sto_c')).toEqual(['sto_c', 'art_c'])
    expect(await articles(home, 'sto_d')).toEqual(['sto_d', 'art_d'])
    expect(await articles(home, 'sto_d', 9)).toBe(404)
    expect(await story(home, 'sto_c')).toMatchObject({
      split_into: ['sto_d'],
      history: [{ type: 'opened' }, { type: 'split', direction: 'out', other_cluster_id: 'sto_d', articles: 1 }],
    })
    expect(await story(home, 'sto_c', 9)).toMatchObject({ split_into: [], articles: ['art_c', 'art_d'] })
    expect(await story(home, 'sto_d')).toMatchObject({ history: [{ type: 'split', direction: 'in' }] })

    // It is merged back.
    await write(changes(home, 'merged', ['sto_d', 'sto_c', ['art_d'], 20]))
    expect(await story(home, 'sto_c')).toMatchObject({ split_into: [], articles: ['art_c', 'art_d'] })
    expect(await story(home, 'sto_d')).toMatchObject({ id: 'sto_c', merged_into: 'sto_c' })
  })

  it('lists many splits with few queries, without those that were merged back through another story', async () => {
    const home = await aHome()
    const ids = Array.from({ length: 30 }, (_, i) => String(i).padStart(2, '0'))
    await write(comes(home, ['sto_a', 'art_a', 0]), ...ids.map((id) => comes(home, ['sto_a', `art_${id}`, 1])))
    await write(...ids.map((id) => changes(home, 'split', ['sto_a', `sto_${id}`, [`art_${id}`], 2])))
    await write(changes(home, 'merged', ['sto_00', 'sto_01', ['art_00'], 3])) // resolves to another split-off story
    await write(changes(home, 'merged', ['sto_02', 'sto_03', ['art_02'], 3]))
    await write(changes(home, 'merged', ['sto_03', 'sto_a', ['art_02', 'art_03'], 4])) // the two are merged back
    let questions = 0
    const counting: Store = {
      ...store,
      query: async (search) => {
        questions += 1
        return store.query(search)
      },
    }

    const found = await splitInto(counting, { namespace: home.namespace, cluster_id: 'sto_a', as_of: at(100) })

    expect(found).toEqual(ids.filter((id) => id !== '02' && id !== '03').map((id) => `sto_${id}`))
    expect(questions).toBeLessThan(10)
    expect((await story(home, 'sto_a')) as object).toMatchObject({ split_into: found })
  })
})

describe('a moved article', () => {
  it('is in one story at each point in time, with the recorded decision', async () => {
    const home = await aHome()
    await threeStories(home)
    const chosen = { cluster_id: 'sto_c', score: 1.5, features: { mean_link: 1.5 } }
    const runner_up = { cluster_id: 'sto_a', score: 0.2, features: { mean_link: 0.2 } }
    const decision = { rule: 'linkage' as const, chosen, runner_up, threshold: 0.5, versions: { weights: 'w' } }
    await write({ ...changes(home, 'moved', ['sto_a', 'sto_c', ['art_b'], 10]), decision })

    expect(await articles(home, 'sto_a')).toEqual(['sto_a', 'art_a'])
    expect(await articles(home, 'sto_c')).toEqual(['sto_c', 'art_b', 'art_c', 'art_d'])
    expect(await articles(home, 'sto_c', 9)).toEqual(['sto_c', 'art_c', 'art_d'])
    const why = async (id: string, hours = 100) =>
      (await home.get(`/v1/clusters/${id}/members/art_b/why?as_of=${iso(hours)}`)).body
    expect(await why('sto_c')).toMatchObject({
      ...{ cluster_id: 'sto_c', action: 'moved', rule: 'linkage', articles: 1, correction_id: null },
      rebuild_day: null,
      ...{ chosen, runner_up, threshold: 0.5, versions: { weights: 'w' } },
    })
    expect(await why('sto_a', 9)).toMatchObject({ cluster_id: 'sto_a', action: 'joined', rule: 'link' })
    expect(await why('sto_a')).toMatchObject({ code: 'article_not_found' })
    expect(await why('sto_c', 9)).toMatchObject({ code: 'article_not_found' })

    await write(changes(home, 'merged', ['sto_c', 'sto_e', ['art_b', 'art_c', 'art_d'], 20]))
    expect(await why('sto_c')).toMatchObject({ cluster_id: 'sto_e', action: 'merged', articles: 3 })
  })

  it('belongs where the last decision in the log put it, whatever its event time', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(changes(home, 'moved', ['sto_a', 'sto_c', ['art_b'], 30]))
    await write(changes(home, 'moved', ['sto_c', 'sto_e', ['art_b'], 20]))

    expect(await articles(home, 'sto_a', 10)).toContain('art_b')
    expect(await articles(home, 'sto_e', 25)).toContain('art_b')
    expect(await articles(home, 'sto_e', 40)).toContain('art_b')
    expect(await articles(home, 'sto_c', 40)).not.toContain('art_b')
  })
})

describe('a correction', () => {
  it("holds at every point in time from each article's own", async () => {
    const home = await aHome()
    await threeStories(home)
    await write(corrects(home, ['cor_1', 'merge', 'sto_c', 'sto_a', ['art_c', 'art_d']]))

    expect(await articles(home, 'sto_a')).toEqual(['sto_a', 'art_a', 'art_b', 'art_c', 'art_d'])
    expect(await articles(home, 'sto_a', 2)).toEqual(['sto_a', 'art_a', 'art_b', 'art_c'])
    expect(await articles(home, 'sto_a', 1)).toEqual(['sto_a', 'art_a', 'art_b'])
    expect(await story(home, 'sto_c', 2)).toMatchObject({ id: 'sto_a', merged_into: 'sto_a' })
    expect(await articles(home, 'sto_c', 1)).toBe(404)
    expect(await story(home, 'sto_a')).toMatchObject({
      history: [{ type: 'opened' }, { type: 'corrected', correction_id: 'cor_1', articles: 2 }],
    })
    expect((await home.get('/v1/clusters/sto_a/members/art_d/why')).body).toMatchObject({
      ...{ action: 'corrected', articles: 2, correction_id: 'cor_1' },
    })
  })

  it('has no effect at any time after it is undone, except in the history', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(corrects(home, ['cor_1', 'merge', 'sto_c', 'sto_a', ['art_c', 'art_d']]))
    await write(corrects(home, ['cor_1', 'undo', 'sto_a', 'sto_c', ['art_c', 'art_d']]))

    for (const hours of [3, 100]) {
      expect(await articles(home, 'sto_a', hours)).toEqual(['sto_a', 'art_a', 'art_b'])
      expect(await articles(home, 'sto_c', hours)).toEqual(['sto_c', 'art_c', 'art_d'])
    }
    expect(await story(home, 'sto_c')).toMatchObject({
      merged_into: null,
      history: [{ type: 'opened' }, { type: 'corrected', direction: 'out' }, { type: 'corrected', direction: 'in' }],
    })
  })

  it('has no effect if it was refused', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(corrects(home, ['cor_1', 'move', 'sto_c', 'sto_a', ['art_d']], 'article_moved'))

    expect(await articles(home, 'sto_c')).toEqual(['sto_c', 'art_c', 'art_d'])
    expect(await story(home, 'sto_a')).toMatchObject({ history: [{ type: 'opened' }] })
    expect((await home.get('/v1/clusters/changes')).body['changes']).toHaveLength(5)
  })

  it("that splits is listed as a split; a later revision stays in the curator's story", async () => {
    const home = await aHome()
    await threeStories(home)
    await write(corrects(home, ['cor_1', 'split', 'sto_c', 'sto_d', ['art_d']]))
    await write({ ...comes(home, ['sto_d', 'art_d', 5]), action: 'revised', content_hash: 'second', event_id: 'evt_r' })

    expect(await story(home, 'sto_c', 4)).toMatchObject({ split_into: ['sto_d'], articles: ['art_c'] })
    expect(await articles(home, 'sto_d', 4)).toEqual(['sto_d', 'art_d'])
    expect(await articles(home, 'sto_d', 100)).toEqual(['sto_d', 'art_d'])
  })
})

describe('a membership', () => {
  const rebuilt = ({ namespace }: ViewsDatabaseHome, [first, last, hours]: readonly [string, string, number]) =>
    aStoryChange({
      ...{ namespace, action: 'rebuilt', to: '', occurred_at: at(hours) },
      rebuilt_from: first,
      rebuild_day: last,
    })
  const membership = async (home: ViewsDatabaseHome, id: string, hours?: number) => {
    const found = await story(home, id, hours)
    return typeof found === 'number' ? found : found['membership']
  }

  it('is settled if a recluster of their days came after all members arrived', async () => {
    const home = await aHome()
    await threeStories(home) // from noon of 23 April
    expect(await membership(home, 'sto_a')).toBe('provisional')

    await write(rebuilt(home, ['2016-04-17', '2016-04-22', 5]))
    expect(await membership(home, 'sto_a')).toBe('provisional')
    await write(rebuilt(home, ['2016-04-18', '2016-04-23', 6]))
    expect(await membership(home, 'sto_a')).toBe('settled')
    expect(await membership(home, 'sto_a', 5)).toBe('provisional')

    await write(comes(home, ['sto_a', 'art_late', 8]))
    expect(await membership(home, 'sto_a')).toBe('provisional')
    expect(await membership(home, 'sto_c')).toBe('settled')
    expect((await home.get('/v1/clusters?time_range=30d&sort=recency')).body['clusters']).toMatchObject([
      { id: 'sto_a', membership: 'provisional' },
      { id: 'sto_c', membership: 'settled' },
    ])
    await write(rebuilt(home, ['2016-04-23', '2016-04-29', 9]))
    expect(await membership(home, 'sto_a')).toBe('settled')
  })

  const DAY = '2016-04-23'

  it('has the confidence of its least certain member, by which lists can be filtered, like by `settled`', async () => {
    const home = await aHome()
    await threeStories(home)
    const sure = async (id: string, hours?: number) => {
      const found = await story(home, id, hours)
      const members = typeof found === 'number' ? [] : (found['members'] as Record<string, unknown>[])
      return members.map((member) => member['assignment_confidence'])
    }
    const listed = async (filter: string) => {
      const { status, body } = await home.get(`/v1/clusters?time_range=30d&sort=recency&${filter}`)
      return status === 200 ? (body['clusters'] as { id: string }[]).map(({ id }) => id) : body
    }
    expect(await sure('sto_a')).toEqual([0.9, 0.9])

    await write(rebuilt(home, [DAY, DAY, 4]))
    const settled = {
      namespace: home.namespace,
      action: 'settled' as const,
      to: 'sto_a',
      article_ids: ['art_a', 'art_b'],
    }
    await write(aStoryChange({ ...settled, occurred_at: at(4), assignment_confidence: 0.97 }))
    await write({ ...comes(home, ['sto_c', 'art_weak', 5]), assignment_confidence: 0.3 })

    expect(await sure('sto_a')).toEqual([0.97, 0.97])
    expect(await sure('sto_a', 3)).toEqual([0.9, 0.9]) // by the articles published up to then
    expect(await sure('sto_c')).toEqual([0.9, 0.9, 0.3])
    expect(await listed('min_assignment_confidence=0.2')).toEqual(['sto_c', 'sto_a'])
    expect(await listed('min_assignment_confidence=0.95')).toEqual(['sto_a'])
    expect(await listed('membership=settled')).toEqual(['sto_a'])
    expect(await listed('membership=provisional')).toMatchObject({ code: 'validation_failed' })
    expect((await home.get('/v1/stories?time_range=30d&membership=settled')).body['stories']).toMatchObject([
      { id: 'sto_a' },
    ])
    const { body } = await home.get('/v1/clusters/changes')
    expect((body['changes'] as unknown[]).at(-2)).toMatchObject({
      type: 'cluster.settled',
      data: { cluster_id: 'sto_a', from_cluster_id: null, article_ids: ['art_a', 'art_b'] },
    })
    expect(await story(home, 'sto_a')).toMatchObject({ history: [{ type: 'opened' }] })
  })

  it('stays settled if articles move, and is provisional again if one is revised', async () => {
    const home = await aHome()
    await threeStories(home)
    await write(rebuilt(home, [DAY, DAY, 4]))
    await write(changes(home, 'moved', ['sto_a', 'sto_c', ['art_b'], 4]))
    await write(changes(home, 'split', ['sto_c', 'sto_d', ['art_d'], 4]))
    await write(changes(home, 'merged', ['sto_e', 'sto_d', ['art_e'], 4]))
    await write(corrects(home, ['cor_1', 'move', 'sto_c', 'sto_a', ['art_b']]))
    for (const id of ['sto_a', 'sto_c', 'sto_d']) expect(await membership(home, id)).toBe('settled')

    const revised = { action: 'revised' as const, content_hash: 'second', event_id: 'evt_r' }
    await write({ ...comes(home, ['sto_a', 'art_b', 6]), ...revised })
    expect(await membership(home, 'sto_a')).toBe('provisional')
    expect(await membership(home, 'sto_a', 5)).toBe('settled') // by the articles published up to then
    expect(await membership(home, 'sto_c')).toBe('settled')

    await write(rebuilt(home, [DAY, DAY, 6]))
    expect(await membership(home, 'sto_a')).toBe('settled')
  })

  it('depends on the days of its members, each reclustered separately, for hundreds of days', async () => {
    const home = await aHome()
    const days = Array.from({ length: 400 }, (_, i) => new Date(BEGIN - (400 - i) * DAY_MS).toISOString().slice(0, 10))
    const last = (i: number) => -(400 - i) * 24 + 11
    await write(comes(home, ['sto_a', 'art_a', last(0)]), comes(home, ['sto_a', 'art_b', last(399)]))
    await write(comes(home, ['sto_c', 'art_c', last(200)]))
    await write(...days.map((day, i) => rebuilt(home, [day, day, last(i)])))
    expect(await membership(home, 'sto_a')).toBe('settled')
    expect(await membership(home, 'sto_a', last(398))).toBe('settled') // of its first day only
    expect(await membership(home, 'sto_a', last(0) - 1)).toBe(404)

    await write(comes(home, ['sto_a', 'art_d', last(200)]))
    expect(await membership(home, 'sto_a')).toBe('provisional')
    expect(await membership(home, 'sto_c')).toBe('settled')
  })
})

describe('the feed of changes', () => {
  it('returns changes in the order of the log and resumes after a cursor', async () => {
    const home = await aHome()
    const page = async (cursor = '', limit = 3) => {
      const path = `/v1/clusters/changes?limit=${limit}&cursor=${cursor}`
      const { body, status } = await home.get(path)
      expect(status).toBe(200)
      return body as { changes: { type: string; data: object }[]; next_cursor: string; has_more: boolean }
    }
    const empty = await page()
    expect(empty).toMatchObject({ changes: [], has_more: false })

    await threeStories(home)
    await write(changes(home, 'merged', ['sto_c', 'sto_a', ['art_c', 'art_d'], 1]))
    const first = await page(empty.next_cursor)
    expect(first).toMatchObject({
      changes: [
        { type: 'cluster.opened', occurred_at: iso(0), data: { cluster_id: 'sto_a', article_ids: ['art_a'] } },
        { type: 'cluster.grown', data: { cluster_id: 'sto_a', article_ids: ['art_b'] } },
        { type: 'cluster.opened', data: { cluster_id: 'sto_c', from_cluster_id: null } },
      ],
      has_more: true,
    })
    const second = await page(first.next_cursor)
    expect(second.changes.map(({ type }) => type)).toEqual(['cluster.grown', 'cluster.opened', 'cluster.merged'])
    expect(second.changes[2]?.data).toMatchObject({
      ...{ cluster_id: 'sto_a', from_cluster_id: 'sto_c', article_ids: ['art_c', 'art_d'] },
    })
    expect(second.has_more).toBe(false)
    expect(await page(second.next_cursor)).toMatchObject({ changes: [], next_cursor: second.next_cursor })

    await write(corrects(home, ['cor_1', 'undo', 'sto_a', 'sto_c', ['art_c', 'art_d']]))
    await write({ ...comes(home, ['sto_a', 'art_a', 9]), action: 'revised', content_hash: 'second', event_id: 'evt_r' })
    expect(await page(second.next_cursor)).toMatchObject({
      changes: [{ type: 'cluster.corrected', data: { correction_id: 'cor_1', correction_action: 'undo' } }],
      has_more: false,
    })
    expect((await page('', 1_000)).changes).toHaveLength(7)
  })

  it('contains one namespace only, and accepts `as_of`', async () => {
    const [home, other] = [await aHome(), await aHome()]
    await threeStories(home)
    const { next_cursor } = (await home.get('/v1/clusters/changes')).body

    expect((await other.get('/v1/clusters/changes')).body['changes']).toEqual([])
    expect((await other.get(`/v1/clusters/changes?cursor=${String(next_cursor)}`)).status).toBe(422)
    expect((await home.get(`/v1/clusters/changes?as_of=${iso(1)}`)).body['changes']).toHaveLength(2)
  })
})
