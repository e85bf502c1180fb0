import { expect, it } from 'vitest'
import type { KeysBy } from './keys-by.ts'
import { firstOnTheWay, pointingTo, setPointer } from './pointers.ts'

function pointers(...pairs: readonly (readonly [string, string])[]) {
  const [there, back] = [new Map<string, string>(), new Map() as KeysBy]
  for (const pair of pairs) setPointer(there, back, pair)
  return { there, back }
}

it('finds all that point to one, directly or not, and ends in a cycle', () => {
  const { back } = pointers(['a', 'b'], ['b', 'c'], ['x', 'c'], ['c', 'a'])

  expect([...pointingTo(back, 'c')].sort()).toEqual(['a', 'b', 'c', 'x'])
})

it('follows a pointer to the first that is there', () => {
  const { there } = pointers(['a', 'b'], ['b', 'c'], ['c', 'd'], ['x', 'y'], ['y', 'x'])
  const get = (id: string) => (id === 'c' ? 'story c' : undefined)

  expect([firstOnTheWay(there, 'a', get), firstOnTheWay(there, 'd', get), firstOnTheWay(there, 'x', get)]).toEqual([
    'story c',
    undefined,
    undefined,
  ])
})

it('forgets a pointer that changes or ends', () => {
  const { there, back } = pointers(['a', 'b'], ['a', 'c'])
  expect([...back]).toEqual([['c', new Set(['a'])]])

  setPointer(there, back, ['a', undefined])

  expect([there.size, back.size]).toEqual([0, 0])
})
