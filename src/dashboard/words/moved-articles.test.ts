import { expect, it } from 'vitest'
import { movedArticles } from './moved-articles.ts'

it.each([
  ['nothing named', 2, undefined, '2 articles'],
  ['one article', 1, [{ article_id: 'art_1', title: 'Strike ends' }], '“Strike ends”'],
  [
    'one without a headline, of many',
    4,
    [
      { article_id: 'art_1', title: 'Strike ends' },
      { article_id: 'art_2', title: null },
    ],
    '“Strike ends”, “art_2” and 2 more',
  ],
])('names the articles that moved: %s', (_, articles, moved, words) => {
  expect(movedArticles({ articles, ...(moved === undefined ? {} : { moved }) })).toBe(words)
})
