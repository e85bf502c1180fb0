import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  areReplicas,
  furthest,
  holds,
  inReadingOrder,
  isCovered,
  overlap,
  reachable,
  reachesOffsets,
  type StoreScope,
} from './stores.ts'

const all = (name: string, except: readonly string[] = []): StoreScope => ({ name, namespaces: null, except })
const own = (name: string, ...namespaces: string[]): StoreScope => ({ name, namespaces, except: [] })

const namesFor = (namespace: string, ...stores: StoreScope[]): string[] =>
  inReadingOrder(stores, namespace).map(({ name }) => name)

describe('the stores of a namespace', () => {
  it('are those that hold it, its own first', () => {
    const stores = [all('a', ['secret']), all('b'), own('c', 'acme'), own('d', 'wren')]

    expect(namesFor('acme', ...stores)[0]).toBe('c')
    expect(namesFor('acme', ...stores).sort()).toEqual(['a', 'b', 'c'])
    expect(namesFor('secret', ...stores)).toEqual(['b'])
    expect(holds(own('d', 'wren'), 'acme')).toBe(false)
  })

  it('have an order that does not depend on the configuration, and another store does not change it', () => {
    const namespace = fc.stringMatching(/^[a-z0-9-]{3,40}$/)
    const scopes = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(namespace, scopes, (name, [added = '', ...names]) => {
        const order = namesFor(name, ...names.map((one) => all(one)))
        expect(namesFor(name, ...names.toReversed().map((one) => all(one)))).toEqual(order)
        expect(namesFor(name, ...[added, ...names].map((one) => all(one))).filter((one) => one !== added)).toEqual(
          order,
        )
      }),
    )
  })

  it('share the namespaces', () => {
    const first = Array.from({ length: 1_000 }, (_, i) => namesFor(`customer-${i}`, all('a'), all('b'), all('c'))[0])

    for (const name of ['a', 'b', 'c']) expect(first.filter((one) => one === name).length).toBeGreaterThan(250)
  })
})

it('knows which stores hold namespaces in common, and which a read may reach', () => {
  const [a, b, c] = [all('a', ['acme']), all('b', ['acme']), own('c', 'acme')]

  expect([overlap(a, b), overlap(a, c), overlap(all('d'), c)]).toEqual([true, false, true])
  expect([a, b, c].map((store) => isCovered(store, [a, b, c]))).toEqual([true, true, false])
  expect(reachable([a, b, c], new Set(['a']))).toEqual(['a', 'c'])
  expect(reachable([a, b, c], new Set(['b', 'c']))).toEqual(['b', 'c'])
  expect(reachable([a, b, c], new Set()).toSorted()).toEqual(['a', 'b', 'c'])
})

it('stores are replicas if they hold the same namespaces', () => {
  expect(areReplicas(all('a'), all('b'))).toBe(true)
  expect(areReplicas(own('a', 'x', 'y'), own('b', 'y', 'x'))).toBe(true)
  expect(areReplicas(all('a'), all('b', ['x']))).toBe(false)
})

it('a store has caught up if it has read what the furthest had read', () => {
  const at = (clusters: (number | null)[], jobs = [7]) => ({ clusters: { ledger: clusters }, jobs: { ingested: jobs } })
  const target = furthest([at([5, null]), at([3, 2], [8])])

  expect(target).toEqual(at([5, 2], [8]))
  expect(reachesOffsets(at([5, 2], [8]), target)).toBe(true)
  expect(reachesOffsets(at([6, 2], [9]), target)).toBe(true)
  expect(reachesOffsets(at([5, null], [8]), target)).toBe(false)
  expect(reachesOffsets({}, target)).toBe(false)
  expect(reachesOffsets({}, furthest([{}]))).toBe(true)
})
