import { beforeAll, describe, expect, it } from 'vitest'
import { baseArticles } from '../../../test/builders/base-articles.ts'
import { clusteringModel } from '../../adapters/model-files.ts'
import { DAY_MS } from '../../domain/days.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { features, type Features } from '../../stages/clustered/features.ts'
import { leadCosine, SECTIONS, termsIn, titleCosine } from '../../stages/clustered/packed-features.ts'
import { HASH_SHIFT } from '../../stages/clustered/terms.ts'
import { termsCosine } from '../../stages/clustered/terms-cosine.ts'
import { dot } from '../../language/vectors.ts'
import { quantile } from '../rounds.ts'
import { schedule } from './schedule.ts'
import { stateWorld, type StateWorld } from './world.ts'

const model = clusteringModel()
const bases = baseArticles(400)
const SIZE = 1_500

describe('the schedule', () => {
  const plan = schedule(20_000, 'state')
  const sizes = new Uint32Array(plan.events)
  for (const event of plan.event) sizes[event] = (sizes[event] ?? 0) + 1
  const shareOf = (size: number): number => sizes.filter((one) => one === size).length / sizes.length

  it('has events as large as the stories of AllSides: most have one article, few are large', () => {
    expect(shareOf(1)).toBeCloseTo(0.7, 1)
    expect(shareOf(2)).toBeCloseTo(0.14, 1)
    expect(sizes.reduce((most, size) => Math.max(most, size), 0)).toBeGreaterThan(100)
  })

  it('is in the order of time', () => {
    expect(plan.time).toEqual(plan.time.toSorted())
  })

  it('has a quarter of a million events in the window of the last of a million articles', () => {
    const last = plan.time.at(-1) ?? 0
    const from = last - model.weights.join.window_days * DAY_MS
    const live = new Set(plan.event.filter((_, i) => (plan.time[i] ?? 0) >= from))

    expect(live.size / 20_000).toBeGreaterThan(0.3)
  })
})

describe('the world', () => {
  let world: StateWorld
  let own: readonly Features[]
  let originals: readonly Features[]

  beforeAll(() => {
    world = stateWorld(bases, SIZE)
    own = Array.from({ length: SIZE }, (_, i) => featuresOf(world.article(i)))
    originals = bases.articles.map(({ title, text }) => featuresOf({ ...world.article(0), title, text }))
  }, 120_000)

  it('is the same however often and in whichever order it is generated', () => {
    const again = stateWorld(bases, SIZE)
    const backwards = [20, 7, 3].map((i) => again.article(i))

    expect(backwards).toEqual([20, 7, 3].map((i) => world.article(i)))
  })

  it('has articles of one event as similar as those of a labelled story of AllSides', () => {
    const pairs = pairsWithin(world)
    const of = (measure: (a: Features, b: Features) => number) => pairs.map(([i, j]) => measured(own, [i, j], measure))

    // mean, 10th and 90th percentile of 381 labelled pairs
    expectDistribution(of(leads), { mean: 0.705, low: 0.538, high: 0.84 }, 0.06)
    expectDistribution(of(titles), { mean: 0.578, low: 0.378, high: 0.771 }, 0.06)
    expectDistribution(of(words), { mean: 0.32, low: 0.158, high: 0.481 }, 0.1)
    expectDistribution(of(names), { mean: 0.288, low: 0.096, high: 0.508 }, 0.12)
  })

  it('has articles of different events as similar as random base articles', () => {
    const [some, real] = [randomPairs(SIZE), randomPairs(originals.length)]
    const vectors = bases.articles.map(({ leadVector }) => leadVector)
    const between = some.filter(([i, j]) => world.eventOf(i) !== world.eventOf(j))
    const of = (measure: (a: Features, b: Features) => number) => between.map((pair) => measured(own, pair, measure))
    const ofReal = (measure: (a: Features, b: Features) => number) =>
      real.map((pair) => measured(originals, pair, measure))

    const leadsOfReal = real.map(([i, j]) => dot(vectors[i] ?? new Float32Array(), vectors[j] ?? new Float32Array()))
    expectDistribution(of(leads), figuresOf(leadsOfReal), 0.03)
    expectDistribution(of(words), figuresOf(ofReal(words)), 0.02)
    expectDistribution(of(names), figuresOf(ofReal(names)), 0.02)
  })

  it('has as many keys in an article, and as many articles with a key, as the base articles', () => {
    const [here, real] = [keyFigures(own.slice(0, originals.length)), keyFigures(originals)]

    expect(here.keys / real.keys).toBeGreaterThan(0.85)
    expect(here.keys / real.keys).toBeLessThan(1.15)
    expect(here.once).toBeGreaterThan(real.once - 0.15)
    expect(here.once).toBeLessThan(real.once + 0.15)
  })

  it('has new words where it is larger', () => {
    const large = stateWorld(bases, 100 * SIZE)
    const some = Array.from({ length: 200 }, (_, i) => featuresOf(large.article(i * 100)))

    expect(keyFigures(some).once).toBeGreaterThan(keyFigures(own.slice(0, 200)).once)
  })
})

function featuresOf(article: ReturnType<StateWorld['article']>): Features {
  const found = features(article, model)
  if (found === null) throw new Error('a generated article has vectors of one width')
  return found
}

const leads = (a: Features, b: Features): number => leadCosine(a, b)
const titles = (a: Features, b: Features): number => titleCosine(a, b)
const words = (a: Features, b: Features): number => termsCosine(a, b, SECTIONS.body)
const names = (a: Features, b: Features): number => termsCosine(a, b, SECTIONS.entities)

type Pair = readonly [number, number]

const measured = (all: readonly Features[], [i, j]: Pair, measure: (a: Features, b: Features) => number): number => {
  const [a, b] = [all[i], all[j]]
  return a === undefined || b === undefined ? Number.NaN : measure(a, b)
}

/** At most three pairs with each article, so that large events do not dominate. */
function pairsWithin(world: StateWorld): Pair[] {
  const byEvent = new Map<number, number[]>()
  const pairs: Pair[] = []
  for (let i = 0; i < world.articles; i++) {
    const earlier = byEvent.get(world.eventOf(i)) ?? []
    pairs.push(...earlier.slice(-3).map((other): Pair => [other, i]))
    byEvent.set(world.eventOf(i), [...earlier, i])
  }
  return pairs
}

function randomPairs(count: number): Pair[] {
  const random = seeded('pairs')
  const one = (): number => Math.floor(random() * count)
  return Array.from({ length: 5_000 }, (): Pair => [one(), one()]).filter(([i, j]) => i !== j)
}

interface Distribution {
  readonly mean: number
  readonly low: number
  readonly high: number
}

const figuresOf = (values: readonly number[]): Distribution => ({
  mean: values.reduce((sum, value) => sum + value, 0) / values.length,
  low: quantile(values, 0.1) ?? Number.NaN,
  high: quantile(values, 0.9) ?? Number.NaN,
})

function expectDistribution(values: readonly number[], real: Distribution, tolerance: number): void {
  const { mean, low, high } = figuresOf(values)
  expect(values.length).toBeGreaterThan(50)
  expect(Math.abs(mean - real.mean), `mean ${mean}, ${real.mean}`).toBeLessThan(tolerance)
  expect(Math.abs(low - real.low), `10th percentile ${low}, ${real.low}`).toBeLessThan(tolerance)
  expect(Math.abs(high - real.high), `90th percentile ${high}, ${real.high}`).toBeLessThan(tolerance)
}

/** Keys per article, and the share of them that no other article has. */
function keyFigures(all: readonly Features[]) {
  const articles = new Map<number, number>()
  for (const one of all) {
    for (const term of termsIn(one, SECTIONS.keys))
      articles.set(term >>> HASH_SHIFT, (articles.get(term >>> HASH_SHIFT) ?? 0) + 1)
  }
  const total = [...articles.values()].reduce((sum, count) => sum + count, 0)
  const once = [...articles.values()].filter((count) => count === 1).length
  return { keys: total / all.length, once: once / total }
}
