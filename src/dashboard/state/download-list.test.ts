import { afterEach, expect, it, vi } from 'vitest'
import { csvOfPages, downloadOfList, jsonOfPages, nextCursor } from './download-list.ts'

afterEach(() => vi.unstubAllGlobals())

it('continues with the cursor of the next page, until there is none', () => {
  expect(nextCursor('</v1/stories?limit=20&cursor=a%2Bb&format=csv>; rel="next"')).toBe('a+b')
  expect(nextCursor(null)).toBeNull()
})

it('CSV has the header line of the first page only', () => {
  const pages = ['id,title\r\na,"one\r\nline"\r\n', 'id,title\r\nb,two\r\n', 'id,title\r\n']

  expect(csvOfPages(pages)).toBe('id,title\r\na,"one\r\nline"\r\nb,two\r\n')
})

it('JSON has the items of all pages, and no cursor', () => {
  const pages = [
    '{"items":[{"id":"a"}],"total":2,"next_cursor":"x"}',
    '{"items":[{"id":"b"}],"total":2,"next_cursor":null}',
  ]

  expect(JSON.parse(jsonOfPages(pages, 'items'))).toEqual({ items: [{ id: 'a' }, { id: 'b' }], total: 2 })
})

/** A service with two pages. Returns the addresses that were requested. */
function twoPages(): string[] {
  const requested: string[] = []
  vi.stubGlobal('fetch', (address: string, { headers }: { headers: Record<string, string> }) => {
    requested.push(address)
    const isLast = address.includes('cursor=')
    const init = isLast ? {} : { headers: { link: '</v1/items?cursor=c1>; rel="next"' } }
    const item = { id: isLast ? 'b' : 'a', key: headers['authorization'] }
    return Promise.resolve(new Response(JSON.stringify({ items: [item], next_cursor: isLast ? null : 'c1' }), init))
  })
  return requested
}

it('reads all pages with the filters and the key', async () => {
  const requested = twoPages()

  const text = await downloadOfList(
    {
      path: '/v1/items',
      query: { topic: 'flood', type: '', as_of: undefined, limit: 20 },
      list: 'items',
      pageItems: 50,
    },
    { format: 'json', key: 'pk_x' },
  )

  expect(JSON.parse(text)).toEqual({ items: ['a', 'b'].map((id) => ({ id, key: 'Bearer pk_x' })) })
  expect(requested).toEqual([
    './v1/items?topic=flood&limit=50&format=json',
    './v1/items?topic=flood&limit=50&format=json&cursor=c1',
  ])
})

it('fails if a page cannot be read', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 503 })))

  const list = { path: '/v1/items', query: {}, list: 'items' }
  await expect(downloadOfList(list, { format: 'csv', key: 'pk_x' })).rejects.toThrow('HTTP 503')
})
