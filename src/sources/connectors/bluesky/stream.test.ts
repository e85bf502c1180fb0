import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { startStandIn, type StandIn } from '../../../../test/platforms/stand-in.ts'
import type { StandInPost } from '../../../../test/platforms/world.ts'
import { MemoryLog } from '../../../adapters/memory-log.ts'
import { PlainCodec } from '../../../adapters/plain-codec.ts'
import { openSocket } from '../../../adapters/socket.ts'
import { systemClock } from '../../../adapters/clock.ts'
import { discoursePolled, discoursePosts, type PlatformPolled, type PostObserved } from '../../../events/discourse.ts'
import type { Topic } from '../../../events/topic.ts'
import type { Clock } from '../../../ports/clock.ts'
import { Budget, NO_BUDGET } from '../budget.ts'
import { openPublishing, type PostPublishing } from '../publishing.ts'
import type { StoryTarget, StreamCounts } from '../platform.ts'
import { frameOf, JETSTREAM_PROTOCOL, runStream } from './stream.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const ARTICLE = 'https://news.example/harbour/bridge'

const aTarget = (over: Partial<StoryTarget> = {}): StoryTarget => ({
  namespace: 'shared',
  cluster_id: 'sto_bridge',
  title: 'Harbour bridge to close for repairs',
  article_count: 5,
  origins: 4,
  last_published: NOW,
  entities: ['Ada Quill', 'Harbour Bridge'],
  urls: [ARTICLE],
  priority: 'medium',
  terms: ['Ada Quill', 'Harbour Bridge', 'repairs', 'close'],
  ...over,
})

const aBlueskyPost = (over: Partial<StandInPost>): StandInPost => ({
  platform: 'bluesky',
  id: 'one',
  parent: null,
  author: 'ada',
  text: 'The Harbour Bridge will close, says Ada Quill',
  created_at: NOW,
  score: 8,
  link: null,
  deleted: false,
  ...over,
})

describe('listening to Bluesky', () => {
  let standIn: StandIn
  let log: MemoryLog
  let now: number
  let ending: AbortController
  let running: Promise<void>
  let publishing: PostPublishing
  let minutes: Readonly<StreamCounts>[]
  const codec = new PlainCodec()
  /** Time stands; waiting between connections is short. */
  const clock: Clock = { now: () => now, sleep: (_ms, signal) => systemClock.sleep(5, signal) }

  beforeEach(async () => {
    now = NOW
    minutes = []
    log = new MemoryLog()
    standIn = await startStandIn({ posts: [], now: () => now })
  })
  afterEach(async () => {
    await end()
    await standIn.stop()
  })

  const start = async (targets: readonly StoryTarget[] = [aTarget()], namespaces = ['shared']) => {
    const before = standIn.jetstream.connections.length
    const budget = new Budget({ ...NO_BUDGET, cadenceMs: 1_800_000 })
    publishing = await openPublishing({ log, codec, clock, platform: 'bluesky', budget, onLogAway: () => undefined })
    ending = new AbortController()
    running = runStream(
      {
        url: standIn.env['BLUESKY_JETSTREAM_URL'] ?? '',
        openSocket: openSocket({ protocols: [JETSTREAM_PROTOCOL] }),
        ...{ publishing, clock, namespaces },
        targets: async (namespace) => targets.filter((target) => target.namespace === namespace),
        onMinute: (counts) => minutes.push(counts),
        onTrouble: () => undefined,
      },
      ending.signal,
    )
    await expect.poll(() => standIn.jetstream.connections.length).toBeGreaterThan(before)
  }
  const end = async () => {
    ending.abort()
    await running
  }
  const post = (over: Partial<StandInPost>) => standIn.world.add(aBlueskyPost(over))
  const said = async <Event>(topic: Topic<Event>): Promise<readonly Event[]> => {
    const decoded = await Promise.all(
      log.records(topic.name).map(({ value }) => codec.decode(topic, value ?? Buffer.alloc(0))),
    )
    return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  }
  const posts = (): Promise<readonly PostObserved[]> => said(discoursePosts)
  const polls = (): Promise<readonly PlatformPolled[]> => said(discoursePolled)
  const texts = async () => (await posts()).map(({ text }) => text)
  /** The next frame tells how far the stream was read. */
  const aMinuteLater = async () => {
    const before = (await polls()).length
    now += 60_000
    post({ id: `tick${now}`, text: 'Nothing of ours' })
    await expect.poll(async () => (await polls()).length).toBeGreaterThan(before)
  }

  it('keeps posts about a story, posts that link to its articles and answers to those it knows', async () => {
    await start()
    post({ id: 'other', text: 'Good morning' })
    post({ id: 'words' })
    post({ id: 'answer', parent: 'words', text: 'About time' })
    post({ id: 'link', text: 'Look', link: ARTICLE })
    post({ id: 'one-word', text: 'Ada Quill was on television' })

    await expect.poll(texts).toEqual(['The Harbour Bridge will close, says Ada Quill', 'About time', 'Look'])
    expect(await posts()).toMatchObject([
      { cluster_id: 'sto_bridge', platform: 'bluesky' },
      { cluster_id: null, reply_to: expect.stringMatching(/post\/words$/) as unknown },
      { cluster_id: null, article_url: ARTICLE },
    ])
  })

  it('tells deletions of posts that were published, and of no others', async () => {
    await start()
    post({ id: 'other', text: 'Good morning' })
    post({ id: 'words' })
    standIn.world.remove('bluesky', 'other')
    standIn.world.remove('bluesky', 'words')

    await expect.poll(async () => (await posts()).map(({ deleted }) => deleted)).toEqual([false, true])
  })

  it('tells at once and then each minute how far it has read, and goes on from there after a restart with nothing told twice', async () => {
    await start()
    post({ id: 'one' })
    await expect.poll(texts).toHaveLength(1)
    await aMinuteLater()
    expect(await polls()).toMatchObject([
      { cluster_id: null, outcome: 'ok', published: 1, posts_read: 1, cursor: '1', platform: 'bluesky' },
      { cluster_id: null, outcome: 'ok', published: 0, posts_read: 1, cursor: '2', platform: 'bluesky' },
    ])
    await end()
    post({ id: 'two', text: 'Ada Quill on repairs' })

    await start()

    await expect.poll(texts).toEqual(['The Harbour Bridge will close, says Ada Quill', 'Ada Quill on repairs'])
    expect(standIn.jetstream.connections.at(-1)).toContain('cursor=2')
  })

  it('connects again where the connection is lost, and misses nothing', async () => {
    await start()
    post({ id: 'one' })
    await expect.poll(texts).toHaveLength(1)

    standIn.jetstream.drop()
    post({ id: 'two', text: 'Ada Quill on repairs' })

    await expect.poll(texts).toHaveLength(2)
  })

  it('goes on with the oldest that is kept where its place is kept no more, and tells so', async () => {
    await start()
    post({ id: 'one' })
    await expect.poll(texts).toHaveLength(1)
    await aMinuteLater()
    await end()
    for (let i = 0; i < 5; i++) post({ id: `missed${i}`, text: 'Ada Quill on repairs' })
    standIn.jetstream.forgetBefore(6)

    await start()

    await expect.poll(texts).toHaveLength(1 + 2) // the sixth and seventh change
    const cursorPolls = (await polls()).filter(({ detail }) => detail === 'outdated_cursor')
    expect(cursorPolls).toMatchObject([{ outcome: 'ok' }])
  })

  it('counts frames it cannot read and goes on', async () => {
    await start()
    standIn.jetstream.send('{"$type":"mess')
    standIn.jetstream.send('[]')
    post({ id: 'one' })
    await expect.poll(texts).toHaveLength(1)
    await aMinuteLater()

    const sum = (of: keyof StreamCounts) => minutes.reduce((all, counts) => all + counts[of], 0)
    expect({ read: sum('read'), unreadable: sum('unreadable'), published: sum('published') }).toEqual({
      ...{ read: 2, unreadable: 2, published: 1 },
    })
  })

  it('does not say that the platform is well where the rounds said that it is not', async () => {
    await start()
    const failed = { namespace: 'shared', cluster_id: 'sto_bridge', outcome: 'failed', detail: 'http_503' } as const
    await publishing.report({ ...failed, posts_read: 0, cursor: null }, { published: 0, deleted: 0, flawed: 0 })
    await aMinuteLater()

    expect((await polls()).at(-1)).toMatchObject({
      cluster_id: null,
      outcome: 'failed',
      detail: 'http_503',
      cursor: '1',
    })
  })

  it('holds each namespace against its own stories', async () => {
    const theirs = aTarget({ namespace: 'mine', cluster_id: 'sto_mine', terms: ['Kiel', 'Canal'], entities: ['Kiel'] })
    await start([aTarget(), theirs], ['shared', 'mine'])
    post({ id: 'one' })
    post({ id: 'two', text: 'The canal at Kiel' })

    await expect.poll(async () => (await posts()).map(({ namespace }) => namespace)).toEqual(['shared', 'mine'])
  })
})

const NAME = 'network.bsky.jetstream.subscribeEvents'
const commit = {
  $type: `${NAME}#commit`,
  seq: 17,
  did: 'did:plc:abc',
  time: '2026-11-20T12:00:00.000Z',
  rev: '3l',
  operation: 'create',
  collection: 'app.bsky.feed.post',
  rkey: '3k',
  record: { text: 'The bridge' },
  cid: 'bafy',
}
const read = (payload: object) => frameOf(JSON.stringify({ $type: 'message', payload }))

it('reads posts and their deletions', () => {
  const uri = 'at://did:plc:abc/app.bsky.feed.post/3k'
  const seenAt = Date.UTC(2026, 10, 20, 12)

  expect(read(commit)).toEqual({ kind: 'post', seq: 17, uri, record: { text: 'The bridge' }, seenAt })
  expect(read({ ...commit, operation: 'update' })).toMatchObject({ kind: 'post', uri })
  expect(read({ ...commit, operation: 'delete', record: undefined })).toEqual({ kind: 'deletion', seq: 17, uri })
})

it('knows a notice from an event that it does not use', () => {
  expect(read({ $type: `${NAME}#info`, name: 'OutdatedCursor' })).toEqual({ kind: 'notice', name: 'OutdatedCursor' })
  expect(read({ ...commit, collection: 'app.bsky.feed.like' })).toEqual({ kind: 'other', seq: 17 })
  expect(read({ $type: `${NAME}#identity`, seq: 18, did: 'did:plc:abc' })).toEqual({ kind: 'other', seq: 18 })
})

it('never fails, whatever comes', () => {
  const whole = JSON.stringify({ $type: 'message', payload: commit })
  expect(frameOf(whole.slice(0, 60))).toEqual({ kind: 'unreadable' })
  expect(read({ ...commit, time: 'now' })).toEqual({ kind: 'unreadable' })

  fc.assert(fc.property(fc.string(), (text) => frameOf(text).kind === 'unreadable'))
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(commit)), fc.jsonValue(), (field, value) => {
      expect(['post', 'deletion', 'other', 'unreadable']).toContain(read({ ...commit, [field]: value }).kind)
    }),
  )
})
