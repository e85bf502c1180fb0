import { describe, expect, it } from 'vitest'
import { outletName, type OutletClues } from './outlet-name.ts'

const clues: OutletClues = {
  ...{ given: null, item: null, page: null, site: null, feedTitle: null },
  host: 'www.porthaven-post.example',
}

it('is named by the owner, the item, the page, other pages, the feed or the host, in this order', () => {
  const all = { given: 'A', item: 'B', page: 'C', site: 'D', feedTitle: 'E', host: 'f.example' }
  const without = (...names: readonly (keyof OutletClues)[]) =>
    outletName({ ...all, ...Object.fromEntries(names.map((name) => [name, null])) })

  expect([
    outletName(all),
    without('given'),
    without('given', 'item'),
    without('given', 'item', 'page'),
    without('given', 'item', 'page', 'site'),
    without('given', 'item', 'page', 'site', 'feedTitle'),
  ]).toEqual(['A', 'B', 'C', 'D', 'E', 'f.example'])
})

describe('the title of a feed', () => {
  it.each([
    ['Porthaven Post', 'Porthaven Post'],
    ['Porthaven Post - World', 'Porthaven Post'],
    ['World | Porthaven Post', 'Porthaven Post'],
    ['Porthaven Post: Harbour and Sea', 'Porthaven Post'],
    ['Porthaven Post RSS Feed', 'Porthaven Post'],
    ['Harbour News » Porthaven-Post – Latest', 'Porthaven-Post'],
  ])('"%s" names %s', (feedTitle, outlet) => {
    expect(outletName({ ...clues, feedTitle })).toBe(outlet)
  })

  it.each([
    ['BBC News - World', 'feeds.bbci.co.uk', 'BBC News'],
    ['World news | The Guardian', 'www.theguardian.com', 'The Guardian'],
    ['NYT > Top Stories', 'www.nytimes.com', 'NYT'],
    ['Top Stories - Daily Echo', 'feeds.example.net', 'Daily Echo'], // no name in the host: all but sections
    ['Anna - Notes - Weekly', 'feeds.example.net', 'Anna - Notes - Weekly'], // no part is clearly the outlet
    ['World News', 'feeds.example.net', 'World News'],
    ['Le Monde.fr - Actualités', 'www.lemonde.fr', 'Le Monde.fr'],
    ['Pressé', 'www.presse.example', 'Pressé'],
  ])('"%s" of %s names %s', (feedTitle, host, outlet) => {
    expect(outletName({ ...clues, feedTitle, host })).toBe(outlet)
  })
})
