import { expect, it } from 'vitest'
import { parseFeedList } from '../../sources/feeds/parse-opml.ts'
import { distinctGroups, type FeedGroup, feedListText } from './feed-list.ts'

const group = (title: string, urls: readonly string[], source: string | null = null): FeedGroup => ({
  title,
  source,
  feeds: urls.map((url) => ({ url, name: null })),
})

it('is an OPML file with the title, each origin once, and a folder per group', () => {
  const feeds = [{ url: 'https://a.example/f?b=1&c=2', name: 'A "quoted" <name> & more' }]
  const text = feedListText('Desk & Co', [
    { title: 'Europe', source: 'first (MIT); second (CC0 1.0)', feeds },
    group('Asia', ['https://b.example/f'], 'second (CC0 1.0)'),
  ])

  expect(text).toContain('<outline text="Europe">')
  expect(parseFeedList(text)).toEqual({
    title: 'Desk & Co',
    source: 'first (MIT); second (CC0 1.0)',
    feeds: [...feeds, { url: 'https://b.example/f', name: 'https://b.example/f' }],
  })
})

it('has each address once, and no empty folder', () => {
  const groups = [group('One', ['https://a.example/', 'https://b.example/']), group('Two', ['https://a.example/'])]

  expect(distinctGroups(groups)).toEqual([groups[0]])
})
