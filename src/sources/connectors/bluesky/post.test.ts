import fc from 'fast-check'
import { expect, it } from 'vitest'
import { postOf, type SeenPost } from './post.ts'

const SEEN_AT = Date.UTC(2026, 10, 20, 12)
const ARTICLE = 'https://news.example/bridge'

const aSeen = (record: object, over: Partial<SeenPost> = {}): SeenPost => ({
  uri: 'at://did:plc:abc/app.bsky.feed.post/3k',
  record: { $type: 'app.bsky.feed.post', text: 'The bridge', createdAt: '2026-11-20T11:00:00.000Z', ...record },
  seenAt: SEEN_AT,
  score: null,
  ...over,
})

const linkFacet = (uri: string) => ({
  index: { byteStart: 0, byteEnd: 3 },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
})

it('takes the article of several links for what a post is about', () => {
  const facets = [linkFacet('https://other.example/x'), linkFacet(`${ARTICLE}?utm_source=bsky`)]

  expect(postOf(aSeen({ facets }), new Set([ARTICLE]))?.article_url).toBe(`${ARTICLE}?utm_source=bsky`)
  expect(postOf(aSeen({ facets }), new Set())?.article_url).toBe('https://other.example/x')
})

it('reads the card of a post, also beside a quoted one', () => {
  const card = { external: { uri: ARTICLE, title: '', description: '' } }

  expect(postOf(aSeen({ embed: { $type: 'app.bsky.embed.external', ...card } }), new Set())?.article_url).toBe(ARTICLE)
  expect(
    postOf(aSeen({ embed: { $type: 'app.bsky.embed.recordWithMedia', media: card } }), new Set())?.article_url,
  ).toBe(ARTICLE)
})

it('does not believe that a post was written after it was seen, or at no moment', () => {
  const at = (createdAt: string) => postOf(aSeen({ createdAt }), new Set())?.created_at

  expect([at('2031-01-01T00:00:00Z'), at('yesterday')]).toEqual([SEEN_AT, SEEN_AT])
})

it('takes no record for a post that is none, or has no words', () => {
  expect(postOf(aSeen({ text: ' \n' }), new Set())).toBeNull()
  expect(postOf(aSeen({}, { record: null }), new Set())).toBeNull()
  expect(postOf(aSeen({}, { uri: 'at://did:plc:abc/app.bsky.feed.like/3k' }), new Set())).toBeNull()
})

it('reads any record without failing', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, text) => {
      for (const record of [value, { text, createdAt: text, embed: value, facets: [value], reply: value }]) {
        const post = postOf(aSeen({}, { record }), new Set())
        expect(post === null || Number.isFinite(post.created_at)).toBe(true)
      }
    }),
  )
})
