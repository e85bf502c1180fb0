import { expect, it } from 'vitest'
import { countTerms, postsWith, uncountTerms, type TermArrivals } from './indexes.ts'

it('counts the posts with a term that had arrived by then, in whatever order they are put in or leave', () => {
  const counts: TermArrivals = new Map()
  for (const arrival of [5, 1, 9, 3]) countTerms(counts, ['bridge'], arrival)
  countTerms(counts, ['toll'], 4)
  uncountTerms(counts, ['bridge', 'toll', 'unknown'], 3)
  uncountTerms(counts, ['toll'], 4)

  expect([0, 1, 4, 5, 8, 9].map((arrival) => postsWith(counts, 'bridge', arrival))).toEqual([0, 1, 1, 2, 2, 3])
  expect([...counts.keys()]).toEqual(['bridge'])
})
