import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { A_NOON, aHandMovedClock, type HandMovedClock } from '../../../test/builders/api.ts'
import { aFoundPost, aTarget } from '../../../test/builders/connectors.ts'
import { codec, eventsIn } from '../../../test/builders/plain-log.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { discoursePolled, discoursePosts, type Platform } from '../../events/discourse.ts'
import { PLATFORM_CADENCE_MS } from '../../events/discourse.ts'
import { Budget, NO_BUDGET, type BudgetRule } from './budget.ts'
import {
  PlatformUnavailable,
  Limited,
  PlatformRefused,
  type FoundPosts,
  type PlatformSource,
  type StoryTarget,
} from './platform.ts'
import type { KnownPost } from './published-posts.ts'
import { openPublishing } from './publishing.ts'
import { runConnector, type RoundCounts, type ConnectorTrouble } from './run-connector.ts'
import { redditRounds } from './reddit/source.ts'
import { twitterRounds } from './twitter/source.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Search = (
  target: StoryTarget,
  cursor: string | null,
  signal: AbortSignal,
) => Partial<FoundPosts> | Promise<Partial<FoundPosts>>

interface RunningOptions {
  readonly platform?: Platform
  readonly search?: Search
  readonly gone?: (ids: readonly string[]) => readonly string[]
  readonly targets?: readonly StoryTarget[]
  readonly rule?: Partial<BudgetRule>
  readonly log?: MemoryLog
  readonly clock?: HandMovedClock
  readonly namespaces?: readonly string[]
}

const aLogOf = (clock: HandMovedClock): MemoryLog => new MemoryLog({ now: () => clock.now() })

const stops: (() => Promise<void>)[] = []

/** A connector over a platform that answers as the test says. */
async function running(given: RunningOptions = {}) {
  const { platform = 'reddit', clock = aHandMovedClock(), namespaces = ['shared'] } = given
  const log = given.log ?? aLogOf(clock)
  const budget = new Budget({ ...NO_BUDGET, cadenceMs: PLATFORM_CADENCE_MS[platform], ...given.rule })
  const calls: string[] = []
  const lookedAgain: string[] = []
  const source: PlatformSource = {
    platform,
    ...(platform === 'twitter' ? twitterRounds : redditRounds),
    search: async (target, cursor, signal) => {
      calls.push(target.cluster_id)
      const found: Partial<FoundPosts> = (await given.search?.(target, cursor, signal)) ?? {}
      return { posts: [], read: found.posts?.length ?? 0, cursor: null, ...found }
    },
    gone: async (posts: readonly KnownPost[]) => {
      const ids = posts.map(({ post_id }) => post_id)
      lookedAgain.push(...ids)
      return { gone: (given.gone ?? (() => []))(ids), read: ids.length }
    },
  }
  const troubles: ConnectorTrouble[] = []
  const rounds: RoundCounts[] = []
  const stop = new AbortController()
  const publishing = await openPublishing({ log, codec, clock, platform, budget, onLogAway: () => undefined })
  const ended = runConnector(
    {
      ...{ source, publishing, budget, clock, namespaces },
      targets: async (namespace) => (given.targets ?? [aTarget()]).filter((target) => target.namespace === namespace),
      onTrouble: (trouble) => troubles.push(trouble),
      onRound: (counts) => rounds.push({ ...counts }),
    },
    stop.signal,
  )
  const end = async (): Promise<void> => {
    stop.abort()
    await ended
  }
  stops.push(end)
  await clock.advance(0)
  const posts = () => eventsIn(log, discoursePosts)
  const polls = () => eventsIn(log, discoursePolled)
  return { clock, log, calls, lookedAgain, troubles, rounds, posts, polls, stop: end, ended }
}

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop().catch(() => undefined)
  vi.restoreAllMocks()
})

describe('a connector', () => {
  it('publishes what it finds, then tells that it has looked, in every round of the platform', async () => {
    const { clock, posts, polls, rounds } = await running({
      search: (_, cursor) => ({ posts: [aFoundPost()], cursor: cursor === null ? 'here' : 'there' }),
    })
    await clock.advance(15 * MINUTE_MS)

    expect((await posts()).map(({ post_id, namespace }) => [namespace, post_id])).toEqual([['shared', 't3_1']])
    expect((await polls()).map((poll) => ({ ...poll, event_id: '' }))).toEqual([
      {
        event_id: '',
        ...{ namespace: 'shared', platform: 'reddit', cluster_id: 'sto_bridge', polled_at: A_NOON, outcome: 'ok' },
        ...{ detail: null, published: 1, posts_read: 1, posts_read_in_month: 1, cursor: 'here' },
      },
      {
        event_id: '',
        ...{ namespace: 'shared', platform: 'reddit', cluster_id: 'sto_bridge', polled_at: A_NOON + 15 * MINUTE_MS },
        ...{ outcome: 'ok', detail: null, published: 0, posts_read: 1, posts_read_in_month: 2, cursor: 'there' },
      },
    ])
    expect(rounds.map(({ stories, read, published }) => [stories, read, published])).toEqual([
      [1, 1, 1],
      [1, 1, 0],
    ])
  })

  it('publishes a post again when its words change, not when its score does', async () => {
    const seen = [aFoundPost(), aFoundPost({ score: 99 }), aFoundPost({ text: 'Ada Quill did not know it.' })]
    const { clock, posts } = await running({ search: () => ({ posts: [seen.shift() ?? aFoundPost()] }) })
    await clock.advance(15 * MINUTE_MS)
    expect(await posts()).toHaveLength(1)
    await clock.advance(15 * MINUTE_MS)

    expect((await posts()).map(({ text }) => text)).toEqual(['Ada Quill knew it.', 'Ada Quill did not know it.'])
  })

  it('leaves a post with the story that found it first, unless it links to an article', async () => {
    const targets = [aTarget({ cluster_id: 'sto_a' }), aTarget({ cluster_id: 'sto_b' })]
    let linked: string | null = null
    const { clock, posts } = await running({
      targets,
      search: ({ cluster_id }) => ({
        posts: [aFoundPost({ cluster_id: linked === null ? cluster_id : null, article_url: linked })],
      }),
    })
    await clock.advance(15 * MINUTE_MS)
    expect((await posts()).map(({ cluster_id }) => cluster_id)).toEqual(['sto_a'])

    linked = 'https://news.example/bridge'
    await clock.advance(15 * MINUTE_MS)
    linked = null
    await clock.advance(15 * MINUTE_MS)

    expect((await posts()).map(({ cluster_id, article_url }) => [cluster_id, article_url])).toEqual([
      ['sto_a', null],
      [null, 'https://news.example/bridge'],
    ])
  })

  it('goes on after a restart: publishes nothing twice, looks once a round, and knows its cursor', async () => {
    const search: Search = (_, cursor) => ({ posts: [aFoundPost()], cursor: `${cursor ?? ''}+` })
    const first = await running({ search })
    await first.stop()
    const { clock, log } = first

    const second = await running({ search, log, clock })
    expect(second.calls).toEqual([])
    await clock.advance(15 * MINUTE_MS)

    expect(second.calls).toEqual(['sto_bridge'])
    expect(await second.posts()).toHaveLength(1)
    expect((await second.polls()).map(({ cursor }) => cursor)).toEqual(['+', '++'])
  })

  it('publishes what it had not yet published when it died before it could tell', async () => {
    const found = [aFoundPost(), aFoundPost({ post_id: 't3_2' })]
    const first = await running({ search: () => ({ posts: found.slice(0, 1) }) })
    await first.stop()
    const halfway = aLogOf(first.clock)
    await halfway.produce(first.log.records(discoursePosts.name)) // the post is there, that it was looked for is not

    const second = await running({ log: halfway, clock: first.clock, search: () => ({ posts: found }) })

    expect((await second.posts()).map(({ post_id }) => post_id)).toEqual(['t3_1', 't3_2'])
  })

  it('passes over posts of other producers, which it knows nothing about', async () => {
    const clock = aHandMovedClock()
    const log = aLogOf(clock)
    const foreign = { event_id: 'evt_import', namespace: 'shared', ...aFoundPost({ post_id: 't3_imported' }) }
    const value = await codec.encode(discoursePosts, foreign)
    await log.produce([{ topic: discoursePosts.name, key: 'shared', value }])

    const { lookedAgain } = await running({ log, clock, gone: (ids) => ids })
    for (let hours = 0; hours < 7; hours++) await clock.advance(HOUR_MS)

    expect(lookedAgain).toEqual([])
  })

  it('leaves out posts that our rules refuse, and says how many', async () => {
    const { posts, rounds } = await running({
      search: () => ({
        posts: [
          aFoundPost({ post_id: 't3_blank', text: ' ' }),
          aFoundPost({ post_id: 't3_when', created_at: Number.NaN }),
          aFoundPost({ post_id: 't3_long', text: 'x'.repeat(50_000), url: 'no address', score: 3e12 }),
        ],
      }),
    })

    expect((await posts()).map(({ post_id, text, url, score }) => [post_id, text.length, url, score])).toEqual([
      ['t3_long', 40_000, null, 2 ** 31 - 1],
    ])
    expect(rounds[0]).toMatchObject({ published: 1, flawed: 2 })
  })

  it('looks first for stories of high priority, over all namespaces, and on X never for low ones', async () => {
    const targets = [
      aTarget({ cluster_id: 'sto_low', priority: 'low' }),
      aTarget({ cluster_id: 'sto_medium', priority: 'medium', namespace: 'acme' }),
      aTarget({ cluster_id: 'sto_high' }),
    ]
    const namespaces = ['acme', 'shared']

    expect((await running({ targets, namespaces })).calls).toEqual(['sto_high', 'sto_medium', 'sto_low'])
    expect((await running({ targets, namespaces, platform: 'twitter' })).calls).toEqual(['sto_high', 'sto_medium'])
  })
})

describe('posts that are gone at their source', () => {
  it('are published as deletions in the next round, where they are of the last day', async () => {
    let finds = [aFoundPost(), aFoundPost({ post_id: 't3_2' })]
    const { clock, posts, lookedAgain, polls, rounds } = await running({
      search: () => ({ posts: finds }),
      gone: (ids) => ids.filter((id) => id === 't3_1'),
    })
    finds = []
    expect(lookedAgain).toEqual([])
    await clock.advance(15 * MINUTE_MS)

    expect(lookedAgain).toEqual(['t3_1', 't3_2'])
    expect((await posts()).slice(2)).toMatchObject([
      { post_id: 't3_1', deleted: true, text: '', author: null, url: null, namespace: 'shared' },
    ])
    expect((await polls()).at(-1)).toMatchObject({ cluster_id: null, outcome: 'ok', published: 1, posts_read: 2 })
    expect(rounds.at(-1)).toMatchObject({ deleted: 1 })
    await clock.advance(15 * MINUTE_MS)
    expect(lookedAgain).toEqual(['t3_1', 't3_2', 't3_2'])
  })

  it('are looked for every six hours where they are older than a day', async () => {
    const finds = [[aFoundPost({ created_at: A_NOON - 24 * HOUR_MS })]]
    const { clock, lookedAgain } = await running({ search: () => ({ posts: finds.shift() ?? [] }) })
    for (let rest = 0; rest < 23; rest++) await clock.advance(15 * MINUTE_MS)
    expect(lookedAgain).toEqual([])
    await clock.advance(15 * MINUTE_MS)

    expect(lookedAgain).toEqual(['t3_1'])
  })

  it('are not looked for where a search of the same round has shown them', async () => {
    const { clock, lookedAgain } = await running({ search: () => ({ posts: [aFoundPost()] }) })
    for (let rounds = 0; rounds < 3; rounds++) await clock.advance(15 * MINUTE_MS)

    expect(lookedAgain).toEqual([])
  })

  it('are the first to be asked for where a thread, read as a whole, shows them no more', async () => {
    const old = { created_at: A_NOON - 3 * 24 * HOUR_MS }
    const comments = ['t1_a', 't1_b', 't1_c'].map((post_id) => aFoundPost({ post_id, reply_to: 't3_1', ...old }))
    const below = aFoundPost({ post_id: 't1_below', reply_to: 't1_b', ...old })
    const other = aFoundPost({ post_id: 't1_other', reply_to: 't3_2', ...old })
    const finds: Partial<FoundPosts>[] = [
      { posts: [aFoundPost(old), ...comments, below, other] },
      { complete: ['t3_1', 't1_a'] },
    ]
    const { clock, posts, lookedAgain } = await running({
      search: () => finds.shift() ?? {},
      gone: (ids) => ids.filter((id) => id !== 't1_c'), // not in the thread, and there all the same
    })
    await clock.advance(15 * MINUTE_MS)

    expect(lookedAgain).toEqual(['t1_b', 't1_below', 't1_c'])
    expect((await posts()).filter(({ deleted }) => deleted).map(({ post_id }) => post_id)).toEqual(['t1_b', 't1_below'])
    await clock.advance(15 * MINUTE_MS)
    expect(lookedAgain).toHaveLength(3)
  })

  it('are published as deletions when a thread shows the gap, once, and only those we have published', async () => {
    const finds: Partial<FoundPosts>[] = [{ posts: [aFoundPost()] }]
    const { clock, posts } = await running({ search: () => finds.shift() ?? { gone: ['t3_1', 't3_1', 't3_other'] } })
    await clock.advance(15 * MINUTE_MS)
    await clock.advance(15 * MINUTE_MS)

    expect((await posts()).map(({ post_id, deleted }) => [post_id, deleted])).toEqual([
      ['t3_1', false],
      ['t3_1', true],
    ])
  })

  it('are looked for after a restart too, the longest unseen first, and no more after seven days', async () => {
    const old = aFoundPost({ post_id: 't3_old', created_at: A_NOON - 7 * 24 * HOUR_MS + 5 * HOUR_MS })
    const finds = [[old, aFoundPost({ post_id: 't3_b' })], [aFoundPost({ post_id: 't3_a' })]]
    const first = await running({ search: () => ({ posts: finds.shift() ?? [] }) })
    await first.clock.advance(15 * MINUTE_MS)
    await first.stop()

    const { clock, log } = first
    await clock.advance(15 * MINUTE_MS)
    const second = await running({ log, clock, targets: [] })
    expect(second.lookedAgain).toEqual(['t3_b', 't3_a'])
    for (let hours = 0; hours < 7; hours++) await clock.advance(HOUR_MS)

    expect(second.lookedAgain).not.toContain('t3_old')
  })

  it('come back when they are found again', async () => {
    const finds: Partial<FoundPosts>[] = [{ posts: [aFoundPost()] }, { gone: ['t3_1'] }]
    const { clock, posts } = await running({ search: () => finds.shift() ?? { posts: [aFoundPost()] } })
    for (let rounds = 0; rounds < 3; rounds++) await clock.advance(15 * MINUTE_MS)

    expect((await posts()).map(({ deleted }) => deleted)).toEqual([false, true, false])
  })
})

describe('what a platform is in trouble with', () => {
  it('is waited for where its rates say until when, and the same story is asked for again', async () => {
    const answers = [() => new Limited('rate_limit', A_NOON + 2 * MINUTE_MS)]
    const { clock, calls, polls } = await running({
      targets: [aTarget({ cluster_id: 'sto_a' }), aTarget({ cluster_id: 'sto_b' })],
      search: () => {
        const trouble = answers.shift()
        if (trouble !== undefined) throw trouble()
        return {}
      },
    })
    await clock.advance(2 * MINUTE_MS - 1)
    expect(calls).toEqual(['sto_a'])
    await clock.advance(1)

    expect(calls).toEqual(['sto_a', 'sto_a', 'sto_b'])
    expect((await polls()).map(({ cluster_id, outcome, detail }) => [cluster_id, outcome, detail])).toEqual([
      ['sto_a', 'limited', 'rate_limit'],
      ['sto_a', 'ok', null],
      ['sto_b', 'ok', null],
    ])
  })

  it('is told once a round without a request while a limit outlasts the round', async () => {
    let limited = true
    const { clock, calls, polls } = await running({
      search: () => {
        if (limited) throw new Limited('platform_cap', A_NOON + 31 * MINUTE_MS)
        return {}
      },
    })
    limited = false
    await clock.advance(15 * MINUTE_MS)
    expect(calls).toHaveLength(1)
    expect((await polls()).map(({ outcome }) => outcome)).toEqual(['limited', 'limited'])
    await clock.advance(15 * MINUTE_MS)
    expect(calls).toHaveLength(1)
    await clock.advance(MINUTE_MS)

    expect(calls).toHaveLength(2)
    expect((await polls()).at(-1)).toMatchObject({ outcome: 'ok' })
  })

  it('keeps what a look brought before it was stopped, and repeats the look', async () => {
    const stopped = new Limited('rate_limit', A_NOON + MINUTE_MS)
    const finds: Partial<FoundPosts>[] = [{ posts: [aFoundPost()], cursor: 'lost', stopped }]
    const { clock, posts, polls } = await running({ search: (_, cursor) => finds.shift() ?? { cursor: `${cursor}` } })
    await clock.advance(MINUTE_MS)

    expect(await posts()).toHaveLength(1)
    expect(
      (await polls()).map(({ outcome, posts_read, published, cursor }) => [outcome, posts_read, published, cursor]),
    ).toEqual([
      ['limited', 1, 1, null],
      ['ok', 0, 0, 'null'],
    ])
  })

  it('is a refusal of our credentials: told, and nothing is asked for a cadence', async () => {
    let refused = true
    const { clock, calls, troubles, polls } = await running({
      targets: [aTarget({ cluster_id: 'sto_a' }), aTarget({ cluster_id: 'sto_b' })],
      clock: aHandMovedClock(A_NOON + 5 * MINUTE_MS),
      search: () => {
        if (refused) throw new PlatformRefused('http_401')
        return {}
      },
    })
    expect(troubles).toMatchObject([{ outcome: 'refused', cluster_id: 'sto_a', trouble: { detail: 'http_401' } }])
    refused = false
    await clock.advance(15 * MINUTE_MS - 1)
    expect(calls).toEqual(['sto_a'])
    await clock.advance(1)

    expect(calls).toEqual(['sto_a', 'sto_a', 'sto_b'])
    expect((await polls()).map(({ outcome }) => outcome)).toEqual(['refused', 'ok', 'ok'])
  })

  it('is an outage: tried again after a while that grows, and no other story before it has answered', async () => {
    let failing = true
    const { clock, calls, polls } = await running({
      targets: [aTarget({ cluster_id: 'sto_a' }), aTarget({ cluster_id: 'sto_b' })],
      search: () => {
        if (failing) throw new PlatformUnavailable('http_503')
        return {}
      },
    })
    for (const [waitMs, tries] of [
      [5_000, 2],
      [10_000, 3],
    ] as const) {
      await clock.advance(waitMs - 1)
      expect(calls).toHaveLength(tries - 1)
      await clock.advance(1)
      expect(calls).toHaveLength(tries)
    }
    failing = false
    await clock.advance(20_000)

    expect(calls).toEqual(['sto_a', 'sto_a', 'sto_a', 'sto_a', 'sto_b'])
    expect((await polls()).map(({ outcome, detail }) => outcome + (detail ?? ''))).toEqual([
      ...['failedhttp_503', 'failedhttp_503', 'failedhttp_503', 'ok', 'ok'],
    ])
  })

  it('leaves a story that fails five times in a row, so that one bad answer does not hold the others, and tries it again after them while the round lasts', async () => {
    const { clock, calls, rounds, polls } = await running({
      targets: [aTarget({ cluster_id: 'sto_bad' }), aTarget({ cluster_id: 'sto_good' })],
      search: ({ cluster_id }) => {
        if (cluster_id === 'sto_bad') throw new PlatformUnavailable('unexpected_shape')
        return {}
      },
    })
    for (const waitMs of [5_000, 10_000, 20_000, 40_000]) await clock.advance(waitMs)

    const first = [...Array.from({ length: 5 }, () => 'sto_bad'), 'sto_good']
    expect(calls).toEqual([...first, 'sto_bad'])
    for (const waitMs of [5_000, 10_000, 20_000, 40_000, 80_000, 160_000]) await clock.advance(waitMs)
    expect(calls).toEqual([...first, ...Array.from({ length: 7 }, () => 'sto_bad')])

    expect(rounds).toEqual([])
    await clock.advance(A_NOON + 15 * MINUTE_MS - clock.now())
    expect(rounds).toMatchObject([{ stories: 1, left: 1, troubles: 12 }])
    // its failures after the others were answered say nothing of the platform
    const trouble = (await polls()).filter(({ polled_at }) => polled_at < A_NOON + 15 * MINUTE_MS)
    expect(trouble.map(({ outcome }) => outcome)).toEqual([...Array.from({ length: 5 }, () => 'failed'), 'ok'])
  })

  it('counts what a story that fails again has read, and leaves the platform as the others have found it', async () => {
    const stopped = new PlatformUnavailable('unexpected_shape')
    const { clock, polls } = await running({
      targets: [aTarget({ cluster_id: 'sto_bad' }), aTarget({ cluster_id: 'sto_good' })],
      search: ({ cluster_id }) => (cluster_id === 'sto_bad' ? { posts: [aFoundPost()], stopped } : {}),
    })
    for (const waitMs of [5_000, 10_000, 20_000, 40_000]) await clock.advance(waitMs)

    expect((await polls()).slice(-2)).toMatchObject([
      { cluster_id: 'sto_good', outcome: 'ok', posts_read_in_month: 5 },
      { cluster_id: null, outcome: 'ok', posts_read: 1, posts_read_in_month: 6 },
    ])
  })

  it('costs no story its round where it is short, though the round is of six hours', async () => {
    const clock = aHandMovedClock()
    const until = A_NOON + 3 * MINUTE_MS
    const targets = ['a', 'b', 'c'].map((id) => aTarget({ cluster_id: `sto_${id}` }))
    const { calls, rounds, polls } = await running({
      ...{ platform: 'twitter', clock, targets, rule: { postsPerMonth: 10_000, least: 10 } },
      search: () => {
        if (clock.now() < until) throw new PlatformUnavailable('http_503')
        return {}
      },
    })
    for (let seconds = 0; seconds < 10 * 60; seconds += 5) await clock.advance(5_000)

    expect(calls.slice(-3)).toEqual(['sto_b', 'sto_c', 'sto_a'])
    expect(rounds).toMatchObject([{ stories: 3, left: 0 }])
    const looked = (await polls()).filter(({ outcome }) => outcome === 'ok').map(({ cluster_id }) => cluster_id)
    expect(looked.sort()).toEqual(['sto_a', 'sto_b', 'sto_c'])
  })

  it('never makes it wait longer than a quarter of the cadence, nor past the round', async () => {
    const { clock, calls } = await running({
      targets: Array.from({ length: 9 }, (_, i) => aTarget({ cluster_id: `sto_${i}` })),
      search: () => {
        throw new PlatformUnavailable('timeout')
      },
    })
    const at: number[] = []
    for (let seconds = 0; seconds < 14 * 60; seconds += 5) {
      const before = calls.length
      await clock.advance(5_000)
      if (calls.length > before) at.push(clock.now())
    }
    const waits = at.slice(1).map((moment, i) => moment - (at[i] ?? 0))

    expect(Math.max(...waits)).toBe((15 * MINUTE_MS) / 4)
    await clock.advance(60_000)
    expect(calls.at(-1)).toBe('sto_0') // a new round begins with the first story
  })

  it('is our own engines: thrown, for the process to begin again', async () => {
    let fail: () => void = () => undefined
    const { ended } = await running({
      search: () =>
        new Promise<FoundPosts>((_, reject) => {
          fail = () => reject(new TypeError('not an answer'))
        }),
    })
    fail()

    await expect(ended).rejects.toThrow('not an answer')
  })
})

describe('the end', () => {
  it('comes at once while it rests, waits for a limit, or waits for an answer', async () => {
    const resting = await running()
    await resting.stop()
    expect(resting.calls).toHaveLength(1)

    const limited = await running({
      search: () => {
        throw new Limited('rate_limit', A_NOON + 10 * MINUTE_MS)
      },
    })
    await limited.stop()
    expect(limited.calls).toHaveLength(1)

    const waiting = await running({
      search: (_, __, signal) =>
        new Promise<FoundPosts>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new DOMException('ended', 'AbortError'))),
        ),
    })
    await waiting.stop()
    expect(waiting.troubles).toEqual([])
    expect(await waiting.polls()).toEqual([])
  })
})

describe('the posts of a month', () => {
  const asX = { platform: 'twitter', rule: { postsPerMonth: 100, least: 10 } } as const
  const many = (count: number, of: string) =>
    Array.from({ length: count }, (_, i) => aFoundPost({ platform: 'twitter', post_id: `${of}${i}` }))

  it('are counted over restarts, and when they are used up nothing is asked until the next month', async () => {
    const clock = aHandMovedClock(Date.UTC(2026, 10, 30, 12))
    let read = 0
    const search: Search = () => ({ posts: many(95, `${read++}_`) })
    const first = await running({ ...asX, clock, search })
    expect(first.calls).toHaveLength(1)
    await first.stop()

    const second = await running({ ...asX, clock, search, log: first.log })
    await clock.advance(6 * HOUR_MS)
    expect(second.calls).toEqual([])
    expect((await second.polls()).at(-1)).toMatchObject({
      ...{ outcome: 'limited', detail: 'monthly_budget', cluster_id: null, posts_read_in_month: 95 },
    })
    expect(second.troubles.map(({ trouble }) => trouble)).toMatchObject([
      { until: Date.UTC(2026, 11, 1) },
      { until: Date.UTC(2026, 11, 1) },
    ])
    await clock.advance(6 * HOUR_MS)

    expect(second.calls).toHaveLength(1)
    expect((await second.polls()).filter(({ outcome }) => outcome === 'ok').at(-1)).toMatchObject({
      ...{ polled_at: Date.UTC(2026, 11, 1), posts_read_in_month: 95 },
    })
  })

  it('last: a round leaves stories out rather than spend more than twice its share', async () => {
    const targets = Array.from({ length: 20 }, (_, i) => aTarget({ cluster_id: `sto_${i + 10}` }))
    const { calls, rounds, polls } = await running({
      ...{ platform: 'twitter', targets, rule: { postsPerMonth: 10_000, least: 10 } },
      clock: aHandMovedClock(Date.UTC(2026, 10, 1)),
      search: ({ cluster_id }) => ({ posts: many(10, cluster_id) }),
    })

    // 10,000 over 120 rounds, twice: 167; a quarter of it is kept for looking again
    expect(calls).toHaveLength(12)
    expect(rounds[0]).toMatchObject({ stories: 12, left: 8, read: 120 })
    expect((await polls()).at(-1)?.posts_read_in_month).toBe(120)
  })
})
