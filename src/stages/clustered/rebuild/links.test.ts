import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clusteringModel } from '../../../adapters/clustering-model.ts'
import { aClusterer, inOrder, live, madeUpReport } from '../../../../test/builders/clustered.ts'
import type { RememberedMember } from '../remembered.ts'
import { Links } from './links.ts'

const { weights } = clusteringModel()

/** Articles of some events and outlets, as the stage remembers them. */
const articles: readonly RememberedMember[] = (() => {
  const news = Array.from({ length: 24 }, (_, i) => madeUpReport({ event: i % 5, outlet: i, day: i % 4 }))
  const { state } = live(aClusterer(), inOrder(news))
  return [...state.namespaces.values()].flatMap(({ members }) => [...members.values()])
})()

const aWindow = fc.uniqueArray(fc.nat(articles.length - 1), { minLength: 2, maxLength: articles.length })

it('gives each pair of a window the link it has alone, whatever windows came before and from either side', () => {
  fc.assert(
    fc.property(fc.array(aWindow, { minLength: 1, maxLength: 4 }), (windows) => {
      const kept = new Links(weights)
      for (const places of windows) {
        const window = places.flatMap((place) => articles[place] ?? [])
        const [link, alone] = [kept.between(window), new Links(weights).between(window)]
        for (let a = 0; a < window.length; a++) {
          for (let b = 0; b < a; b++) {
            expect(link(a, b)).toBe(alone(b, a))
            expect(link(b, a)).toBe(link(a, b))
          }
        }
      }
    }),
    { numRuns: 30 },
  )
})
