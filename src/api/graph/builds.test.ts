import { expect, it } from 'vitest'
import { aCodec, aHandMovedClock, aLog, FakeStore, settled } from '../../../test/builders/api.ts'
import type { BoundQuery } from '../../ports/store.ts'
import { comparing } from '../../views/graph/compare.ts'
import { graphBuilds } from './builds.ts'

it('does two at once and the others in turn, also when one fails', async () => {
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const query = async <Out>({ params }: BoundQuery<Out>): Promise<readonly Out[]> => {
    const namespace = String(params['namespace'])
    if (ends.has(namespace)) return []
    begun.push(namespace)
    return new Promise((resolve, reject) => {
      ends.set(namespace, (failure) => (failure === undefined ? resolve([]) : reject(failure)))
    })
  }
  const store = Object.assign(new FakeStore(), { query })
  const ports = { store, log: aLog(), codec: aCodec(), clock: aHandMovedClock(), memory: 1, compare: comparing(store) }
  const builds = graphBuilds(ports)
  const look = (namespace: string) => builds.preview(namespace)

  const [a, b, c, d] = [look('a'), look('b'), look('c'), look('d')]
  await settled()
  expect(begun).toEqual(['a', 'b'])

  ends.get('b')?.(new Error('the store is away'))
  await expect(b).rejects.toThrow('the store is away')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])

  ends.get('a')?.()
  expect(await a).toMatchObject({ stories: 0 })
  await settled()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  ends.get('c')?.()
  ends.get('d')?.()
  expect(await Promise.all([c, d])).toHaveLength(2)

  const e = look('e')
  await settled()
  expect(begun.at(-1)).toBe('e')
  ends.get('e')?.()
  expect(await e).toMatchObject({ stories: 0 })
})
