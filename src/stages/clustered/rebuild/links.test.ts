import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clusteringModel } from '../../../adapters/model-files.ts'
import { aClusterer, inOrder, live, madeUpReport } from '../../../../test/builders/clustered.ts'
import { linkLogit, pair, pairLogit } from '../pair.ts'
import type { RememberedMember } from '../changelog.ts'
import { ClusteredLinks } from './links.ts'

const { weights } = clusteringModel()

/** Articles of several events and outlets, in the stage's in-memory form. */
const articles: readonly RememberedMember[] = (() => {
  const news = Array.from({ length: 24 }, (_, i) => madeUpReport({ event: i % 5, outlet: i, day: i % 4 }))
  const { state } = live(aClusterer(), inOrder(news))
  return [...state.namespaces.values()].flatMap(({ members }) => [...members.values()])
})()

const aWindow = fc.uniqueArray(fc.nat(articles.length - 1), { minLength: 2, maxLength: articles.length })

it('gives each pair of a window the link it has alone, whatever windows came before and from either side', () => {
  fc.assert(
    fc.property(fc.array(aWindow, { minLength: 1, maxLength: 4 }), (windows) => {
      const kept = new ClusteredLinks(weights)
      for (const places of windows) {
        const window = places.flatMap((place) => articles[place] ?? [])
        const [link, alone] = [kept.between(window), new ClusteredLinks(weights).between(window)]
        for (let a = 0; a < window.length; a++) {
          for (let b = 0; b < a; b++) {
            expect(link.event(a, b)).toBe(alone.event(b, a))
            expect(link.event(b, a)).toBe(link.event(a, b))
            expect(link.subject(a, b)).toBe(alone.subject(b, a))
          }
        }
      }
    }),
    { numRuns: 30 },
  )
})

it('says of two articles whether they report one event, and whether they share a subject on whatever days', () => {
  const { event, subject } = new ClusteredLinks(weights).between(articles)
  articles.forEach((one, a) => {
    articles.slice(0, a).forEach((other, b) => {
      const found = pair(one.features, other.features)
      expect(event(a, b)).toBeCloseTo(linkLogit(found, weights), 9)
      const sameDay = pair(one.features, { ...other.features, time: one.features.time })
      expect(subject(a, b)).toBeCloseTo(pairLogit(sameDay, weights.pair), 9)
    })
  })
})
