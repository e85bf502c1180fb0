import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anApi, A_NOON, settled, type TestApi } from '../../../test/builders/api.ts'
import { followKeys } from '../http/keys/keyring.ts'
import { correctionsRequested, type CorrectionRequested } from '../../events/settings.ts'

/** Articles by story. `sto_gone` was merged into `sto_a`. */
const STORIES: Readonly<Record<string, readonly string[]>> = {
  sto_a: ['art_1', 'art_2', 'art_3'],
  sto_b: ['art_4', 'art_5'],
}

let api: TestApi
/** The entries of the ledger in the view. */
let ledger: unknown[]
/** The rows of the view of requests. */
let requests: Record<string, unknown>[]

beforeEach(async () => {
  api = await anApi()
  ledger = []
  requests = []
  const { rows } = api.store
  const AN_HOUR_AGO = '2016-05-03T11:00:00.000Z'
  rows.set('clusters.standings', ({ ids }) =>
    (ids as string[])
      .filter((id) => STORIES[id] !== undefined || id === 'sto_gone')
      .map((id) => ({ cluster_id: id, members: STORIES[id]?.length ?? 0, heir: ['sto_a', AN_HOUR_AGO] })),
  )
  rows.set('clusters.last_left', ({ ids }) =>
    (ids as string[])
      .filter((id) => id === 'sto_gone')
      .map((from_id) => ({ from_id, cluster_id: 'sto_a', at: AN_HOUR_AGO })),
  )
  rows.set('corrections.members_now', ({ ids }) =>
    (ids as string[]).flatMap((id) => (STORIES[id] ?? []).map((article_id) => ({ article_id, belongs_to: id }))),
  )
  rows.set('corrections.outcomes', () => ledger)
  rows.set('corrections.under', ({ prefix }) =>
    requests.filter(({ correction_id }) => String(correction_id).startsWith(String(prefix))),
  )
  rows.set('corrections.of', () => requests)
  rows.set('corrections.undoings', () => [])
})
afterEach(() => api.stop())

async function sent(): Promise<readonly CorrectionRequested[]> {
  const decoded = api.log.records(correctionsRequested.name).map(async ({ value }) => {
    const found = await api.codec.decode(correctionsRequested, value ?? Buffer.alloc(0))
    if (found.kind === 'malformed') throw new Error(found.reason)
    return found.event
  })
  return Promise.all(decoded)
}

/** Advances the clock past the wait, so that the current ledger is the response. */
async function inTime(response: Promise<Response>): Promise<{ status: number; body: Record<string, unknown> }> {
  await settled()
  await api.clock.advance(6_000)
  const answer = await response
  return { status: answer.status, body: (answer.status === 204 ? {} : await answer.json()) as Record<string, unknown> }
}

const curator = () => api.key({ curator: true })
const ask = (body: unknown, key: string, story = 'sto_a') =>
  inTime(api.post(`/v1/clusters/${story}/corrections`, body, key))

const outcome = (correction_id: string, over: object = {}) => ({
  ...{ correction_id, correction_action: 'move', cluster_id: 'sto_b', from_cluster_id: 'sto_a' },
  ...{ article_ids: ['art_1'], refused: null },
  ...over,
})

describe('what a curator asks', () => {
  it.each([
    [
      { action: 'move', article_id: 'art_1', to_cluster_id: 'sto_b', reason: ' another flood ' },
      {
        action: 'move',
        cluster_id: 'sto_a',
        other_cluster_id: 'sto_b',
        article_ids: ['art_1'],
        reason: 'another flood',
      },
    ],
    [
      { action: 'merge', other_cluster_id: 'sto_b' },
      {
        action: 'merge',
        cluster_id: 'sto_a',
        other_cluster_id: 'sto_b',
        article_ids: ['art_4', 'art_5'],
        reason: null,
      },
    ],
    [
      { action: 'split', article_ids: ['art_2', 'art_3', 'art_2'], reason: '' },
      { action: 'split', cluster_id: 'sto_a', other_cluster_id: null, article_ids: ['art_2', 'art_3'], reason: null },
    ],
    [
      { action: 'keep_apart', other_cluster_id: 'sto_b' },
      { action: 'keep_apart', cluster_id: 'sto_a', other_cluster_id: 'sto_b', article_ids: [], reason: null },
    ],
  ])('%j stands in the log before it is answered', async (body, event) => {
    const { status, body: answer } = await ask(body, await curator())

    const [found] = await sent()
    expect(status).toBe(201)
    expect(answer).toEqual({ correction_id: found?.correction_id, status: 'pending' })
    expect(found).toMatchObject({ ...event, namespace: 'shared', key_id: expect.stringMatching(/^key_/) as string })
    expect(found?.correction_id).toMatch(/^cor_[a-z2-7]{26}$/)
    expect(found?.event_id).toMatch(/^evt_[a-z2-7]{26}$/)
    expect(found?.occurred_at).toBe(A_NOON + 1_000)
  })

  it('is answered as applied or refused once the ledger says so', async () => {
    const key = await curator()
    const body = { action: 'move', article_id: 'art_1', to_cluster_id: 'sto_b' }
    api.store.rows.set('corrections.outcomes', ({ correction_ids }) => [outcome((correction_ids as string[])[0] ?? '')])
    expect((await ask(body, key)).body).toMatchObject({ status: 'applied' })

    api.store.rows.set('corrections.outcomes', ({ correction_ids }) => [
      outcome((correction_ids as string[])[0] ?? '', { refused: 'article_moved' }),
    ])
    expect((await ask(body, key)).body).toMatchObject({ status: 'refused', detail: 'article_moved' })
  })

  it('takes the id of a story that went into another for that one', async () => {
    await ask({ action: 'merge', other_cluster_id: 'sto_gone' }, await curator(), 'sto_b')

    expect((await sent())[0]).toMatchObject({ cluster_id: 'sto_b', other_cluster_id: 'sto_a' })
  })

  it('is the same correction under one Idempotency-Key, also for an instance that knows it from the view alone', async () => {
    const key = await curator()
    const body = { action: 'keep_apart', other_cluster_id: 'sto_b' }
    const post = (text: unknown, to: TestApi['app'] = api.app) =>
      inTime(
        Promise.resolve(
          to.request('/v1/clusters/sto_a/corrections', {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k1' },
            body: JSON.stringify(text),
          }),
        ),
      )
    const first = await post(body)
    const again = await post(body)
    const [event] = await sent()
    requests = [{ ...event, requested_ms: event?.occurred_at }]
    const { log, codec, store, clock } = api
    const silent = () => undefined
    const keys = followKeys({ log, codec, clock, logger: { warn: silent, error: silent } })
    const other = await anApi({ log, codec, store, clock, keys })
    log.commit('view:corrections', { topic: correctionsRequested.name, partition: 0, offset: 1 }, null)
    await api.clock.advance(1_000)

    const elsewhere = await post(body, other.app)
    const reused = await post({ ...body, reason: 'another' }, other.app)

    expect(again).toEqual(first)
    expect(await sent()).toHaveLength(1)
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(elsewhere).toEqual(first)
    await Promise.all([other.stop(), keys.stop()])
  })
})

describe('who may', () => {
  const body = { action: 'keep_apart', other_cluster_id: 'sto_b' }

  it.each([
    ['no curator of the shared namespace', {}, 403],
    ['a curator of the shared namespace', { curator: true }, 201],
    ['anybody at home', { namespace: 'acme' }, 201],
  ])('%s', async (_, key, status) => {
    const answer = await ask(body, await api.key(key))

    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body).toMatchObject({ code: 'curator_required' })
  })

  it('is asked before what is asked is looked at, and after who asks', async () => {
    expect((await ask({ action: 'nonsense' }, 'pk_live_none')).status).toBe(401)
    expect((await ask({ action: 'nonsense' }, await api.key())).status).toBe(403)
    expect((await ask({ action: 'nonsense' }, await curator(), 'sto_none')).status).toBe(422)
    expect((await ask(body, await curator(), 'sto_none')).status).toBe(404)
    const undo = api.app.request('/v1/clusters/corrections/cor_none', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await api.key()}` },
    })
    expect((await inTime(Promise.resolve(undo))).status).toBe(403)
  })
})

describe('what makes no sense', () => {
  it.each([
    [{ action: 'merge', other_cluster_id: 'sto_none' }, 404, 'Cluster not found: sto_none'],
    [{ action: 'move', article_id: 'art_4', to_cluster_id: 'sto_b' }, 422, 'article_id'],
    [{ action: 'move', article_id: 'art_1', to_cluster_id: 'sto_gone' }, 422, 'to_cluster_id'],
    [{ action: 'merge', other_cluster_id: 'sto_a' }, 422, 'other_cluster_id'],
    [{ action: 'split', article_ids: ['art_1', 'art_4'] }, 422, 'article_ids[1]'],
    [{ action: 'split', article_ids: ['art_1', 'art_2', 'art_3'] }, 422, 'article_ids'],
    [{ action: 'split', article_ids: [] }, 422, 'article_ids'],
    [{ action: 'keep_apart', other_cluster_id: 'sto_b', reason: 'x'.repeat(501) }, 422, 'reason'],
  ])('%j: %i', async (body, status, where) => {
    const answer = await ask(body, await curator())

    expect(answer.status).toBe(status)
    expect(status === 404 ? answer.body : { detail: where, errors: answer.body['errors'] }).toMatchObject(
      status === 404 ? { detail: where, code: 'cluster_not_found' } : { errors: [{ path: where }] },
    )
    expect(await sent()).toEqual([])
  })
})

describe('what was asked', () => {
  const row = (correction_id: string) => ({
    ...{ correction_id, action: 'move', cluster_id: 'sto_a', other_cluster_id: 'sto_b', article_ids: ['art_1'] },
    ...{ reason: null, key_id: 'key_x', requested_ms: A_NOON },
  })

  it('is listed with what became of it', async () => {
    requests = ['cor_new', 'cor_no', 'cor_yes', 'cor_back'].map(row)
    ledger = [
      outcome('cor_no', { refused: 'article_moved' }),
      outcome('cor_yes'),
      outcome('cor_back'),
      outcome('cor_back', { correction_action: 'undo' }),
      outcome('cor_yes', { correction_action: 'undo', refused: 'unknown_correction' }),
    ]

    const { body } = await inTime(api.get('/v1/clusters/sto_gone/corrections', await api.key()))

    expect(body['corrections']).toMatchObject([
      { correction_id: 'cor_new', status: 'pending', refused_because: null, requested_at: '2016-05-03T12:00:00.000Z' },
      { correction_id: 'cor_no', status: 'refused', refused_because: 'article_moved' },
      { correction_id: 'cor_yes', status: 'applied', article_ids: ['art_1'], key_id: 'key_x' },
      { correction_id: 'cor_back', status: 'undone' },
    ])
    expect((await inTime(api.get('/v1/clusters/sto_none/corrections', await api.key()))).status).toBe(404)
  })

  it('is listed as of a moment: what was asked for up to then', async () => {
    const calls: unknown[] = []
    api.store.rows.set('corrections.of', ({ until }) => {
      calls.push(until)
      return requests
    })
    requests = [row('cor_a')]
    const key = await api.key()

    const { status } = await inTime(api.get('/v1/clusters/sto_a/corrections?as_of=2016-05-03T11:00:00Z', key))
    await inTime(api.get('/v1/clusters/sto_a/corrections', key))

    expect(status).toBe(200)
    expect(calls[0]).toBe('2016-05-03 11:00:00.000')
    expect(String(calls[1]) > '2016-05-03 12:00:00.000').toBe(true)
    expect((await inTime(api.get('/v1/clusters/sto_a/corrections?as_of=never', key))).status).toBe(422)
  })

  const undo = async (id: string) =>
    inTime(
      Promise.resolve(
        api.app.request(`/v1/clusters/corrections/${id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${await curator()}` },
        }),
      ),
    )

  it('is undone once, back to where the ledger says it came from', async () => {
    requests = [{ ...row('cor_a'), action: 'split', other_cluster_id: null }]
    ledger = [outcome('cor_a', { correction_action: 'split', cluster_id: 'sto_new' })]

    const first = await undo('cor_a')
    api.store.rows.set('corrections.undoings', () => [{ correction_id: 'cor_a' }])
    const second = await undo('cor_a')

    expect([first.status, second.status]).toEqual([204, 204])
    expect(await sent()).toMatchObject([
      {
        action: 'undo',
        correction_id: 'cor_a',
        cluster_id: 'sto_new',
        other_cluster_id: 'sto_a',
        article_ids: ['art_1'],
      },
    ])
  })

  it.each(['move', 'merge', 'split', 'keep_apart'])('has no way back where it was refused: %s', async (action) => {
    requests = [{ ...row('cor_a'), action }]
    ledger = [outcome('cor_a', { correction_action: action, refused: 'article_moved' })]

    await undo('cor_a')

    expect(await sent()).toMatchObject([
      { action: 'undo', correction_id: 'cor_a', cluster_id: 'sto_a', other_cluster_id: null, article_ids: [] },
    ])
  })

  it('is undone before it was decided, too: the other way round', async () => {
    requests = [row('cor_a')]

    await undo('cor_a')

    expect(await sent()).toMatchObject([{ action: 'undo', cluster_id: 'sto_b', other_cluster_id: 'sto_a' }])
  })

  it('cannot be undone when nobody asked for it, or by half of its id', async () => {
    requests = [row('cor_a')]

    expect(await undo('cor_')).toMatchObject({ status: 404, body: { code: 'correction_not_found' } })
    expect((await undo('cor_b')).status).toBe(404)
    expect(await sent()).toEqual([])
  })
})
