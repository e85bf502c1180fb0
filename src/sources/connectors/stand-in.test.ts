import { afterAll, beforeAll, expect, it } from 'vitest'
import { aTarget } from '../../../test/builders/connectors.ts'
import { startStandIn, type StandIn } from '../../../test/platforms/stand-in.ts'
import type { StandInPost } from '../../../test/platforms/world.ts'
import { fetchHttp } from '../../adapters/http.ts'
import { systemClock } from '../../adapters/clock.ts'
import { loadConfig } from '../../config/config.ts'
import { postFlaw } from '../../domain/intake/posts.ts'
import type { PlatformSource } from './platform.ts'
import { redditSource } from './reddit/source.ts'
import { twitterSource } from './twitter/source.ts'

const { signal } = new AbortController()
const target = aTarget()
const [article = ''] = target.urls

/** A thread that links to the article, answers three deep with one taken away, and a thread about something else. */
const thread = (platform: 'reddit' | 'twitter'): readonly StandInPost[] => {
  const shared = {
    platform,
    created_at: systemClock.now() - 3_600_000,
    score: 5,
    link: null,
    deleted: false,
    parent: null,
  }
  return [
    { ...shared, id: 'root', author: 'wren', text: 'Ada Quill: the harbour bridge & its rust', link: article },
    { ...shared, id: 'one', parent: 'root', author: 'finch', text: 'Ada Quill knew of the bridge.' },
    { ...shared, id: 'two', parent: 'one', author: 'lark', text: 'gone', deleted: true },
    { ...shared, id: 'three', parent: 'two', author: 'rook', text: 'Porthaven needs a bridge.' },
    { ...shared, id: 'other', author: 'crow', text: 'Cats!' },
  ]
}

let standIn: StandIn
let sources: Readonly<Record<'reddit' | 'twitter', PlatformSource>>

beforeAll(async () => {
  standIn = await startStandIn({ posts: [...thread('reddit'), ...thread('twitter')] })
  const { reddit, twitter } = loadConfig({ STORY_HOME: '/nowhere', ...standIn.env }).connectors
  if (reddit === null || twitter === null) throw new Error('the stand-in names no credentials')
  const ports = { http: fetchHttp({ timeoutMs: 500 }), clock: systemClock }
  sources = {
    reddit: redditSource({ ...ports, ...reddit }),
    twitter: twitterSource({ ...ports, ...twitter }, { left: () => 100 }),
  }
})

afterAll(() => standIn.stop())

it.each(['reddit', 'twitter'] as const)(
  'finds the posts of a story on %s over HTTP, whole and sound',
  async (platform) => {
    const { posts } = await sources[platform].search(target, null, signal)

    expect(posts.map(({ text }) => text).sort()).toEqual([
      'Ada Quill knew of the bridge.',
      'Ada Quill: the harbour bridge & its rust',
      'Porthaven needs a bridge.',
    ])
    expect(posts.map((post) => postFlaw({ ...post, namespace: 'shared' }))).toEqual([null, null, null])
    expect(posts.find(({ text }) => text.includes('rust'))).toMatchObject({ article_url: article, reply_to: null })
    const ids = new Set(posts.map(({ post_id }) => post_id))
    expect(posts.filter(({ reply_to }) => ids.has(reply_to ?? '')).map(({ author }) => author)).toEqual(['finch'])
  },
)

it.each(['reddit', 'twitter'] as const)('sees on %s which posts are gone', async (platform) => {
  const { posts } = await sources[platform].search({ ...target, cluster_id: 'sto_again' }, null, signal)
  const known = posts.map(({ post_id, url, created_at }) => ({ post_id, url, created_at }))
  expect((await sources[platform].gone(known, signal)).gone).toEqual([])

  standIn.world.remove(platform, 'three')
  const three = posts.find(({ author }) => author === 'rook')?.post_id
  expect((await sources[platform].gone(known, signal)).gone).toEqual([three])
})

it.each([
  ['reddit', 'http_503', 'Unavailable'],
  ['reddit', 'html_403', 'Refused'],
  ['reddit', 'rate_limit', 'Limited'],
  ['reddit', 'cut_off', 'Unavailable'],
  ['reddit', 'hang_up', 'Unavailable'],
  ['reddit', 'wrong_shape', 'Unavailable'],
  ['reddit', 'slow', 'Unavailable'],
  ['twitter', 'http_503', 'Unavailable'],
  ['twitter', 'html_403', 'Refused'],
  ['twitter', 'rate_limit', 'Limited'],
  ['twitter', 'usage_cap', 'Limited'],
  ['twitter', 'cut_off', 'Unavailable'],
  ['twitter', 'hang_up', 'Unavailable'],
  ['twitter', 'wrong_shape', 'Unavailable'],
  ['twitter', 'slow', 'Unavailable'],
] as const)('says what %s is in trouble with: %s is %s', async (platform, kind, name) => {
  const { reddit, twitter } = loadConfig({ STORY_HOME: '/nowhere', ...standIn.env }).connectors
  if (reddit === null || twitter === null) throw new Error('the stand-in names no credentials')
  const ports = { http: fetchHttp({ timeoutMs: 200 }), clock: systemClock }
  const fresh =
    platform === 'reddit'
      ? redditSource({ ...ports, ...reddit })
      : twitterSource({ ...ports, ...twitter }, { left: () => 100 })
  standIn.trouble({ platform, kind, next: null, seconds: kind === 'slow' ? 1 : 60 })

  const cause = await fresh.search(target, null, signal).catch((thrown: unknown) => thrown)
  standIn.calm(platform)

  expect(cause).toMatchObject({ name })
})

it('gets a new token from Reddit where the old one is not taken any more', async () => {
  standIn.trouble({ platform: 'reddit', kind: 'expired_token' })

  expect(
    (await sources.reddit.search({ ...target, cluster_id: 'sto_third' }, null, signal)).posts.length,
  ).toBeGreaterThan(0)
})
