import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedMap, pickOldestByNamespace } from './eviction.ts'

const stateOf = (namespace: string, things: readonly string[]) => ({
  namespace,
  size: things.length,
  oldest: () => things,
})

const A = stateOf('a', ['a1', 'a2', 'a3'])
const B = stateOf('b', ['b1'])

describe('what leaves so that one more fits', () => {
  it('is nothing while there is room', () => {
    expect(pickOldestByNamespace([A, B], { namespace: 'b', size: 4, budget: 5 })).toEqual(new Map())
  })

  it('is the oldest of the largest namespace, the arrival counted', () => {
    expect(pickOldestByNamespace([A, B], { namespace: 'b', size: 4, budget: 4 })).toEqual(new Map([['a', ['a1']]]))
    expect(pickOldestByNamespace([stateOf('a', ['a1']), B], { namespace: 'b', size: 2, budget: 2 })).toEqual(
      new Map([['b', ['b1']]]),
    )
  })

  it('is taken from one after the other where they are equally large, the first by name first', () => {
    const equal = [stateOf('b', ['b1', 'b2']), stateOf('a', ['a1', 'a2'])]

    expect(pickOldestByNamespace(equal, { namespace: 'c', size: 4, budget: 2 })).toEqual(
      new Map([
        ['b', ['b1']],
        ['a', ['a1', 'a2']],
      ]),
    )
  })

  it('is at most a hundred', () => {
    const many = Array.from({ length: 500 }, (_, i) => `${i}`)

    expect(pickOldestByNamespace([stateOf('a', many)], { namespace: 'a', size: 500, budget: 10 }).get('a')).toEqual(
      many.slice(0, 100),
    )
  })

  it('is a share of a large budget more where it is evicted ahead of need', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `${i}`)
    const gone = (budget: number) =>
      pickOldestByNamespace([stateOf('a', many.slice(0, budget))], {
        namespace: 'a',
        size: budget,
        budget,
        early: 1 / 2_000,
      }).get('a')?.length

    expect([gone(1_999), gone(2_000), gone(10_000)]).toEqual([1, 2, 6])
  })

  it('leaves room for one more, and the largest namespace no larger than it has to be', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (sizes, budget) => {
          const states = sizes.map((size, i) =>
            stateOf(
              `n${i}`,
              Array.from({ length: size }, (_, j) => `${i}.${j}`),
            ),
          )
          const size = sizes.reduce((sum, one) => sum + one, 0)

          const gone = pickOldestByNamespace(states, { namespace: 'new', size, budget })

          const left = sizes.map((before, i) => before - (gone.get(`n${i}`)?.length ?? 0))
          const total = left.reduce((sum, one) => sum + one, 0)
          expect(total).toBe(Math.min(size, budget - 1))
          const touched = left.filter((_, i) => gone.has(`n${i}`))
          for (const one of touched) expect(one).toBeGreaterThanOrEqual(Math.max(...left) - 1)
        },
      ),
    )
  })
})

it('picks by age the keys up to a time, the oldest first, at most so many', () => {
  const fetched = new OrderedMap<number>(Number)
  for (const [key, time] of [
    ['c', 3],
    ['a', 1],
    ['b', 2],
    ['d', 9],
  ] as const)
    fetched.set(key, time)

  expect([fetched.keysUntil(3, 10), fetched.keysUntil(3, 2), fetched.keysUntil(0, 10)]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b'],
    [],
  ])
})
