import { expect, it } from 'vitest'
import { coreArticles } from './summary.ts'

it('core articles are the reports near the centre, in the order given', () => {
  const near = { id: 1, genre: 'report', similarity: 0.8 } as const
  const nearest = { id: 2, genre: 'report', similarity: 0.9 } as const
  const far = { id: 3, genre: 'report', similarity: 0.4 } as const
  const essay = { id: 4, genre: 'opinion', similarity: 0.95 } as const

  expect(coreArticles([near, essay, far, nearest])).toEqual([near, nearest])
})

it('core articles are of the next best genre where there is no report', () => {
  const essay = { genre: 'opinion', similarity: 0.9 } as const
  const analysis = { genre: 'analysis', similarity: 0.5 } as const

  expect(coreArticles([essay, analysis])).toEqual([analysis])
  expect(coreArticles([essay])).toEqual([essay])
  expect(coreArticles([])).toEqual([])
})
