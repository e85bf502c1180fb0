import { expect, it } from 'vitest'
import { parseOpml } from './parse-opml.ts'

it('reads OPML, folders and all, each feed once', () => {
  const opml = `<opml version="2.0"><body><outline text="f"><outline type="rss" xmlUrl="https://a.example/f"/><outline xmlUrl="https://b.example/f?a=1&amp;b=2"/></outline><outline xmlUrl="https://a.example/f"/></body></opml>`

  expect(parseOpml(opml)).toEqual(['https://a.example/f', 'https://b.example/f?a=1&b=2'])
  expect(parseOpml('<rss/>')).toBeNull()
})
