import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clusteringModel } from '../../../adapters/model-files.ts'
import {
  aClusterer,
  inEnglish,
  inOrder,
  inOtherWords,
  live,
  madeUpReport,
} from '../../../../test/builders/clustered.ts'
import type { Features } from '../features.ts'
import { pairsOf, type NodeGroup } from './link-means.ts'
import { ClusteredLinks } from './links.ts'
import { SubjectMeans } from './subject-means.ts'
import { isInEnglish } from './unit.ts'

const { weights } = clusteringModel()

/**
 * Articles of several events and outlets that name weekdays and years. Some have no date, no body, or vectors of another
 * encoder; some are in another language, or have no vectors to be compared with those.
 */
const articles = (() => {
  const news = Array.from({ length: 24 }, (_, i) => {
    const report = madeUpReport({ event: i % 5, outlet: i, day: i % 4 })
    const [weekday, year] = [['on Tuesday', 'on Friday', 'at noon'][i % 3] ?? '', 2008 + (i % 2)]
    const dated = { ...report, text: `${report.text} It began ${weekday}, as in ${year}.` }
    return [inEnglish, inOtherWords, inEnglish, (stored: typeof dated) => stored][i % 4]?.(dated) ?? dated
  })
  const { state } = live(aClusterer(), inOrder(news))
  const members = [...state.namespaces.values()].flatMap((stories) => [...stories.members.values()])
  return members.map((member, i) => {
    const { encoder } = member.features
    const over = { dated: i % 3 !== 0, hasBody: i % 4 !== 0, encoder: i % 7 === 0 ? 'other' : encoder }
    return { ...member, features: { ...member.features, ...over } satisfies Features }
  })
})()

const initial = (nodes: readonly number[]): NodeGroup => ({ nodes, joined: null })

/** Two groups of different articles, each joined from parts. */
const twoGroups = fc
  .shuffledSubarray(
    articles.map((_, i) => i),
    { minLength: 4 },
  )
  .chain((nodes) => fc.record({ nodes: fc.constant(nodes), middle: fc.integer({ min: 2, max: nodes.length - 2 }) }))
  .map(({ nodes, middle }) => [nodes.slice(0, middle), nodes.slice(middle)].map(joined))

const joined = ([first = 0, ...rest]: readonly number[]): NodeGroup => {
  const [left, right] = [initial([first]), initial(rest)]
  return { nodes: [...left.nodes, ...right.nodes], joined: { left, right } }
}

it('is the mean of the links of all pairs', () => {
  const { subject } = new ClusteredLinks(weights).between(articles)
  fc.assert(
    fc.property(twoGroups, ([one = initial([]), other = initial([])]) => {
      const all = { sample: articles.length, isInEnglish: (node: number) => isInEnglish(articles[node]) }
      const links = pairsOf(one, other, all).map(([a, b]) => subject(a, b))
      const mean = links.reduce((sum, link) => sum + link, 0) / links.length

      expect(new SubjectMeans(articles, weights).between(one, other)).toBeCloseTo(mean, 4)
    }),
  )
})

it('does not depend on how a group was joined', () => {
  fc.assert(
    fc.property(twoGroups, ([one = initial([]), other = initial([])]) => {
      const means = new SubjectMeans(articles, weights)

      expect(means.between(one, other)).toBeCloseTo(means.between(initial(one.nodes), initial(other.nodes)), 4)
    }),
  )
})
