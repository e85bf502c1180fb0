import { DAY_MS, dayOf } from '../../domain/days.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/model-files.ts'
import { aClusterer, aReport, inOrder, live, madeUpReport } from '../../../test/builders/clustered.ts'
import { candidates, MOST_WITH_KEY } from './candidates.ts'
import { features, type Features } from './features.ts'
import {
  addMember,
  nearestMembers,
  noIndex,
  openCluster,
  removeMember,
  type Cluster,
  type LiveIndex,
} from './live-index.ts'
import { SECTIONS, unpackFeatures } from './packed-features.ts'
import { mayJoin } from './pair.ts'
import { BRIEF_WORDS, briefHamming, hamming, sketch, SKETCH_WORDS } from './sketch.ts'
import { sharedTerms } from './terms-cosine.ts'

const model = clusteringModel()
/** At any hour, since a window ends within a day. */
const days = fc.integer({ min: -30 * 24, max: 30 * 24 }).map((hours) => hours / 24)
const about = fc.record({ event: fc.nat(12), outlet: fc.nat(60), day: days })

it('are exactly the live stories while there are few of them, with or without other days in memory', () => {
  fc.assert(
    fc.property(fc.array(about, { minLength: 1, maxLength: 25 }), about, (news, requested) => {
      const { state } = live(aClusterer(), inOrder(news.map((one) => madeUpReport(one))))
      const own = features(madeUpReport(requested), model)
      const stories = state.namespaces.get('shared')
      if (own === null || stories === undefined) throw new Error('made-up news has vectors')
      const near = [...stories.clusters.values()].filter(({ members }) =>
        members.some((member) => Math.abs(member.features.time - own.time) <= model.weights.join.window_days * DAY_MS),
      )
      const found = candidates(stories.index, own, model).map(({ cluster }) => cluster.id)

      expect(found.sort()).toEqual(near.map(({ id }) => id).sort())
    }),
    { numRuns: 50 },
  )
})

it('are at most so many by sketch and so many by keys', () => {
  const { state } = live(
    aClusterer(),
    inOrder(Array.from({ length: 40 }, (_, i) => madeUpReport({ event: i, outlet: i, day: 0 }))),
  )
  const own = features(madeUpReport({ event: 3, outlet: 99, day: 0 }), model)
  const index = state.namespaces.get('shared')?.index
  if (own === null || index === undefined) throw new Error('made-up news has vectors')
  const few = { ...model, weights: { ...model.weights, candidates: { by_sketch: 2, by_keys: 1 } } }

  expect(candidates(index, own, few).length).toBeLessThanOrEqual(3)
  expect(candidates(index, own, few).length).toBeGreaterThanOrEqual(2)
})

it.each([1, 2, 5, 12])(
  'are the %d nearest by sketch and by keys, as comparing with every story finds them',
  (limit) => {
    fc.assert(
      fc.property(fc.array(about, { minLength: 20, maxLength: 60 }), about, (news, requested) => {
        const { state } = live(aClusterer(), inOrder(news.map((one) => madeUpReport(one))))
        const own = features(madeUpReport(requested), model)
        const stories = state.namespaces.get('shared')
        if (own === null || stories === undefined) throw new Error('made-up news has vectors')
        const limits = { by_sketch: limit, by_keys: limit }

        const found = candidates(stories.index, own, { ...model, weights: { ...model.weights, candidates: limits } })

        expect(found.map(({ cluster }) => cluster.id).sort()).toEqual(
          plainly([...stories.clusters.values()], stories.index, { own, limit }).sort(),
        )
      }),
      { numRuns: 25 },
    )
  },
)

/** A naive implementation: the distance of every story, sorted. */
function plainly(
  stories: readonly Cluster[],
  index: LiveIndex,
  { own, limit }: { readonly own: Features; readonly limit: number },
): string[] {
  const into = new Uint32Array(SKETCH_WORDS)
  sketch([own], model.mu, { into, offset: 0 })
  const isNear = (time: number): boolean => Math.abs(time - own.time) <= model.weights.join.window_days * DAY_MS
  const near = stories.filter(({ members }) => members.some((member) => isNear(member.features.time)))
  const bySketch = near.map(({ id, slot }) => ({ id, distance: hamming(into, index.sketches, slot * SKETCH_WORDS) }))
  const byKeys = near.flatMap((story) => {
    const shared = sharedWeight(story, own)
    const brief = briefHamming(into, index.briefs, story.slot * BRIEF_WORDS)
    return shared === null ? [] : [{ id: story.id, distance: Math.floor(brief / 8) - 1_000 * shared }] // keys first
  })
  return [...new Set([bySketch, byKeys].flatMap((found) => nearestIds(found, limit)))]
}

const nearestIds = (found: readonly { readonly id: string; readonly distance: number }[], limit: number): string[] =>
  found
    .toSorted((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id)

const keysOf = (article: Features): number[] => [...unpackFeatures(article).keys.hashes]

/** The weight of shared keys over members on days within the window; `null` if no key is shared. */
function sharedWeight({ members }: Cluster, own: Features): number | null {
  const { time } = own
  const windowMs = model.weights.join.window_days * DAY_MS
  const inDays = members.filter(({ features: member }) => {
    const day = dayOf(member.time)
    return day >= dayOf(time - windowMs) && day <= dayOf(time + windowMs)
  })
  const theirs = new Set(inDays.flatMap(({ features: member }) => keysOf(member)))
  let sum: number | null = null
  const { hashes, weights } = unpackFeatures(own).keys
  hashes.forEach((hash, i) => {
    if (theirs.has(hash)) sum = (sum ?? 0) + (weights[i] ?? 0)
  })
  return sum
}

it('are the same in whatever order more stories came than a search looks at', () => {
  const pool = Array.from({ length: 40 }, (_, i) => features(madeUpReport({ event: i, outlet: i, day: 0 }), model))
  const own = features(madeUpReport({ event: 3, outlet: 99, day: 1 }), model)
  if (own === null) throw new Error('made-up news has vectors')
  const opened = (order: number) => (index: LiveIndex) => {
    const block = pool[order % pool.length]
    if (block === undefined || block === null) throw new Error('made-up news has vectors')
    const time = own.time - ((order * 7_919) % 20_000) * 5_000 // within a day and a quarter
    const member = { ...aMember, articleId: `article ${order}`, order, features: { ...block, time } }
    addMember(index, openCluster(index, `story ${order}`), member)
  }
  const found = (orders: readonly number[]): string[] => {
    const index = noIndex()
    for (const order of orders) opened(order)(index)
    return candidates(index, own, model)
      .map(({ cluster }) => cluster.id)
      .sort()
  }
  const orders = Array.from({ length: 20_000 }, (_, i) => i)

  expect(found(orders).length).toBeGreaterThanOrEqual(32)
  expect(found(orders.toReversed())).toEqual(found(orders))
})

it('does not find a story by a key that very many articles have', () => {
  const [harbour, bridge] = [bodyWith('Harbour'), bodyWith('Bridge')]
  const index = noIndex()
  const add = (order: number, own: Features): void =>
    addMember(index, openCluster(index, `story ${order}`), {
      ...aMember,
      articleId: `article ${order}`,
      order,
      features: own,
    })
  const found = (title: string): number => candidates(index, bodyWith(title), model).length
  add(0, bridge)
  for (let order = 1; order <= MOST_WITH_KEY; order++) add(order, harbour)

  expect(found('Harbour')).toBeGreaterThan(0)
  add(MOST_WITH_KEY + 1, harbour)
  expect(found('Harbour')).toBe(0)
  expect(found('Harbour bridge')).toBe(1)
})

it('finds a story whose keys very many articles have near in time and by sketch, if it should', () => {
  const index = noIndex()
  const [story, other] = [openCluster(index, 'harbour'), openCluster(index, 'bridge')]
  const add = (cluster: Cluster, order: number, own: Features): void =>
    addMember(index, cluster, { ...aMember, articleId: `article ${order}`, order, features: own })
  add(other, 0, bodyWith('Bridge'))
  for (let order = 1; order <= MOST_WITH_KEY + 1; order++) add(story, order, bodyWith('Harbour'))
  const found = (nearIfCommon: number): string[] =>
    candidates(index, bodyWith('Harbour'), { ...model, nearIfCommon }).map(({ cluster }) => cluster.id)

  expect(found(0)).toEqual([])
  expect(found(1)).toContain('harbour')
})

const aMember = {
  clusterId: '',
  seen: [],
  loggedAt: 0,
  founded: true,
  duplicateOf: null,
  constraints: [],
  subjectId: null,
}

describe('a story that shares no key with a report', () => {
  const [own, other] = [bodyWith('Harbour'), bodyWith('Bridge')]
  const foundBy = (article: Features, story: Features): number => {
    const index = noIndex()
    addMember(index, openCluster(index, 'story'), { ...aMember, articleId: 'other', order: 0, features: story })
    return candidates(index, article, model).length
  }

  it('is a candidate only if one of the two is a headline', () => {
    expect(sharedTerms(own, other, SECTIONS.keys)).toBe(0)
    expect(foundBy(own, other)).toBe(0)
    expect(foundBy(own, bodyWith('Harbour bridge'))).toBe(1)
    expect(foundBy({ ...own, hasBody: false }, other)).toBe(1)
    expect(foundBy(own, { ...other, hasBody: false })).toBe(1)
  })

  it('may be joined only if one of the two is a headline', () => {
    expect(mayJoin(own, [other], model.weights.join)).toBe(false)
    expect(mayJoin({ ...own, hasBody: false }, [other], model.weights.join)).toBe(true)
    expect(mayJoin(own, [other, { ...other, hasBody: false }], model.weights.join)).toBe(true)
    expect(mayJoin(own, [other, own], model.weights.join)).toBe(true)
  })
})

it('is no candidate any more once its headline left', () => {
  const index = noIndex()
  const story = openCluster(index, 'story')
  const headline = { ...aMember, articleId: 'one', order: 0, features: { ...bodyWith('Bridge'), hasBody: false } }
  addMember(index, story, headline)
  addMember(index, story, { ...aMember, articleId: 'two', order: 1, features: bodyWith('Tunnel') })

  expect(candidates(index, bodyWith('Harbour'), model)).toHaveLength(1)
  removeMember(index, story, headline)
  expect(candidates(index, bodyWith('Harbour'), model)).toHaveLength(0)
})

/** A body of common words, so that its keys are the words of its title. */
function bodyWith(title: string): Features {
  const found = features(
    aReport({ title, text: 'It was the first time that they had seen it there on that day.' }),
    model,
  )
  if (found === null) throw new Error('a report has vectors')
  return found
}

it('compares the members nearest in time, of two as near the newer, of two at once the later arrival', () => {
  const days = [0, 1, 1, 2, 3]
  const { state } = live(aClusterer(), inOrder(days.map((day, outlet) => madeUpReport({ event: 0, outlet, day }))))
  const [cluster] = state.namespaces.get('shared')?.clusters.values() ?? []
  if (cluster === undefined) throw new Error('one story')
  const orders = (day: number) =>
    nearestMembers(cluster, (cluster.members[0]?.features.time ?? 0) + day * DAY_MS, 4).map(({ order }) => order)

  expect(cluster.members).toHaveLength(5)
  expect(orders(3)).toEqual([4, 3, 2, 1])
  expect(orders(1)).toEqual([2, 1, 3, 0])
  expect(orders(-2)).toEqual([0, 1, 2, 3])
})
