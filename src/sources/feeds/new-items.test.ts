import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIRST_POLL, newItems, type NewItems } from './new-items.ts'
import type { FeedItem, ParsedFeed } from './parsed-feed.ts'
import { decodeRemembered } from './remembered-items.ts'

const AT = Date.UTC(2026, 0, 31)
const DAY = 86_400_000
const options = { at: AT, ...FIRST_POLL }

const anItem = (n: number | string, over: Partial<FeedItem> = {}): FeedItem => ({
  id: `tag:${n}`,
  url: `https://a.example/${n}`,
  title: `Title ${n}`,
  author: null,
  published_date: null,
  updated_date: null,
  language: null,
  source: null,
  text: `Text ${n}`,
  ...over,
})

const aFeed = (items: readonly FeedItem[], format: ParsedFeed['format'] = 'rss'): ParsedFeed => ({
  format,
  title: null,
  site: null,
  language: null,
  ttl_seconds: null,
  items,
  sitemaps: [],
})

/** Polls a feed once per document. */
function polls(...documents: readonly (readonly FeedItem[])[]): NewItems[] {
  let remembered: Buffer | null = null
  return documents.map((items) => {
    const found = newItems(aFeed(items), remembered, options)
    remembered = found.remembered
    return found
  })
}

const ids = (items: readonly FeedItem[]): (string | null)[] => items.map(({ id }) => id)
const addedIds = (found: NewItems | undefined): (string | null)[] => ids(found?.added ?? [])

describe('newItems', () => {
  it('adds what no earlier poll found, in the order of the document', () => {
    const [, second, third] = polls([anItem(1)], [anItem(3), anItem(2), anItem(1)], [anItem(3), anItem(2)])

    expect(addedIds(second)).toEqual(['tag:3', 'tag:2'])
    expect(third).toMatchObject({ added: [], edited: [] })
  })

  it('removes duplicates within a document', () => {
    const [found] = polls([anItem(1), anItem(1), anItem(1, { id: 'other' }), anItem(1, { title: 'Edited' }), anItem(2)])

    expect(addedIds(found)).toEqual(['tag:1', 'tag:2'])
  })

  it('reports edits of title, text and time of change with their number', () => {
    const edit = { text: 'Corrected' }
    const found = polls(
      [anItem(1)],
      [anItem(1, edit)],
      [anItem(1, { ...edit, title: 'Corrected' })],
      [anItem(1, { ...edit, title: 'Corrected', updated_date: 5 })],
      [anItem(1, { ...edit, title: 'Corrected', updated_date: 5, author: 'Ada' })],
    )

    expect(found.map(({ edited }) => edited.map(({ edits }) => edits))).toEqual([[], [1], [2], [3], []])
    expect(found.slice(1).flatMap(addedIds)).toEqual([])
  })

  it('does not report a change of mark-up', () => {
    const [, found] = polls([anItem(1, { text: '<p>Text</p>' })], [anItem(1, { text: '<p class="x">Text</p> ' })])

    expect(found).toMatchObject({ added: [], edited: [] })
  })

  it('knows an item whose guid or URL changes', () => {
    const found = polls(
      [anItem(1)],
      [anItem(1, { id: 'tag:moved' })],
      [anItem(1, { id: 'tag:moved', url: 'https://b.example/1' })],
      [anItem(1, { id: 'tag:again', url: 'http://www.b.example/1?utm_source=rss' })],
    )

    expect(found.map(addedIds)).toEqual([['tag:1'], [], [], []])
  })

  it('finds the new item of a feed whose guids are positions', () => {
    const at = (position: number, n: number) => anItem(n, { id: String(position) })
    const [, found] = polls([at(1, 7), at(2, 6), at(3, 5)], [at(1, 8), at(2, 7), at(3, 6)])

    expect(found?.added.map(({ url }) => url)).toEqual(['https://a.example/8'])
    expect(found?.edited).toEqual([])
  })

  it('loses no item of a feed that gives all items the same guid', () => {
    const [first, second] = polls(
      [anItem(1, { id: 'same' }), anItem(2, { id: 'same' })],
      [anItem(3, { id: 'same' }), anItem(2, { id: 'same' })],
    )

    expect(first?.added).toHaveLength(2)
    expect(second?.added.map(({ url }) => url)).toEqual(['https://a.example/3'])
  })

  it('keeps items of one page without titles apart by their ids', () => {
    const post = (n: number) => anItem(n, { url: 'https://a.example/', title: null })
    const [, found] = polls([post(1)], [post(2), post(1)])

    expect(addedIds(found)).toEqual(['tag:2'])
  })

  it('ignores items without any content', () => {
    expect(addedIds(polls([anItem(1, { id: null }), anItem(2)])[0])).toEqual(['tag:2'])
  })

  it('drops publication dates more than 15 minutes ahead', () => {
    const dated = (n: number, published_date: number) => anItem(n, { published_date })
    const [found] = polls([dated(1, AT + 900_000), dated(2, AT + 900_001), dated(3, AT)])

    expect(found?.added.map(({ published_date }) => published_date)).toEqual([AT + 900_000, null, AT])
  })

  it('publishes at the first poll what is at most 7 days old or undated, and remembers all', () => {
    const document = [
      anItem('old', { published_date: AT - 7 * DAY - 1 }),
      anItem('recent', { published_date: AT - 7 * DAY }),
      anItem('changed', { updated_date: AT }),
      anItem('undated'),
    ]
    const [first, second] = polls(document, document)

    expect(addedIds(first)).toEqual(['tag:recent', 'tag:changed', 'tag:undated'])
    expect(second).toMatchObject({ added: [], edited: [] })
  })

  it('publishes at most the 100 newest at the first poll', () => {
    const items = Array.from({ length: 150 }, (_, n) => anItem(n, { published_date: AT - 150_000 + n * 1_000 }))
    const [first] = polls([anItem('undated'), ...items])

    expect(ids(first?.added ?? [])).toEqual(items.slice(50).map(({ id }) => id))
  })

  it('publishes no undated pages of a sitemap at the first poll', () => {
    const found = newItems(aFeed([anItem(1), anItem(2, { updated_date: AT })], 'sitemap'), null, options)

    expect(addedIds(found)).toEqual(['tag:2'])
  })

  it.each(['sitemap', 'sitemap-index'] as const)('publishes no old pages of a %s at later polls either', (format) => {
    const first = newItems(aFeed([anItem(1, { updated_date: AT })], format), null, options)
    const pages = [anItem(2, { updated_date: AT - 8 * DAY }), anItem(3, { updated_date: AT - DAY }), anItem(4)]
    const later = newItems(aFeed(pages, format), first.remembered, options)

    expect(addedIds(later)).toEqual(['tag:3', 'tag:4'])
  })

  it('applies the limits of the first poll again where it could not read the whole feed', () => {
    const first = newItems(aFeed([anItem(1)]), null, options)
    const items = Array.from({ length: 150 }, (_, n) => anItem(n, { published_date: AT - n }))
    const second = newItems(aFeed(items), first.remembered, { ...options, isFirstAgain: true })

    expect(second.added).toHaveLength(100)
    expect(addedIds(second)).not.toContain('tag:1')
  })

  it('forgets the items that were absent longest', () => {
    const document = (from: number, count: number) => Array.from({ length: count }, (_, n) => anItem(from + n))
    const found = polls(document(0, 120), document(120, 80), document(200, 1), [anItem(0), anItem(119), anItem(120)])

    expect(found.map(({ remembered }) => decodeRemembered(remembered).length)).toEqual([120, 200, 200, 200])
    expect(addedIds(found[3])).toEqual(['tag:119'])
  })

  it('remembers twice the items of a large document', () => {
    const document = (from: number) => Array.from({ length: 700 }, (_, n) => anItem(from + n))
    const found = polls(document(0), document(700), document(1_400), document(700))

    expect(decodeRemembered(found[2]?.remembered ?? Buffer.alloc(1)).length).toBe(1_400)
    expect(addedIds(found[3])).toEqual([])
  })

  /** Each item in the poll that first finds it, once. */
  function expectEachOnce(documents: readonly (readonly FeedItem[])[]): void {
    const known = new Set<string | null>()
    for (const [index, { added, edited }] of polls(...documents).entries()) {
      const document = new Set(documents[index]?.map(({ url }) => url))
      const urls = added.map(({ url }) => url)

      expect(urls).toEqual([...document].filter((url) => !known.has(url)))
      for (const { item } of edited) expect(known.has(item.url)).toBe(true)
      for (const url of document) known.add(url)
    }
  }
  const polled = <Item>(item: fc.Arbitrary<Item>) => fc.array(fc.array(item, { maxLength: 30 }), { maxLength: 12 })

  it('never adds an item twice and loses none, over any sequence of polls with edits and duplicates', () => {
    const item = fc.record({ n: fc.nat(40), edit: fc.nat(3) })
    fc.assert(
      fc.property(polled(item), (documents) => {
        expectEachOnce(
          documents.map((document) =>
            document.map(({ n, edit }) => anItem(n, { title: `Title ${edit % 2} of ${n}`, text: `Text ${edit}` })),
          ),
        )
      }),
    )
  })

  it('never adds an item twice and loses none, over any sequence of polls with other guids', () => {
    fc.assert(
      fc.property(polled(fc.nat(40)), (documents) => {
        expectEachOnce(documents.map((document, poll) => document.map((n) => anItem(n, { id: `${poll}:${n}` }))))
      }),
    )
  })
})
