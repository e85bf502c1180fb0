import { expect, it } from 'vitest'
import { requireArticles, requireFigures } from './part.ts'

it('says how many articles a bench needs, and how to give them', () => {
  expect(() => requireArticles(300, 1_050)).toThrow(
    'needs 1050 articles or more, and has 300: give more with --file FILE --articles 1050',
  )
  expect(() => requireArticles(1_050, 1_050)).not.toThrow()
})

it.each([Number.NaN, Infinity, -Infinity])('names the figures of a bench that are %s', (nothing) => {
  const figures = { made_of: 'x', live: [{ ratio: 1, bytes_an_article: nothing }], median_ms: nothing }

  expect(() => requireFigures(figures, 3)).toThrow(
    'nothing was measured for live.0.bytes_an_article, median_ms with 3 articles: give more with --file FILE --articles N',
  )
})

it('lets figures pass that are numbers', () => {
  expect(() => requireFigures({ live: [{ ratio: 0 }], none: null, name: 'x' }, 3)).not.toThrow()
})
