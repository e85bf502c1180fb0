import { expect, it } from 'vitest'
import { queue } from './queue.ts'

it('does two at once and the others in turn, also when one fails', async () => {
  const inTurn = queue(2)
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const begin = (name: string): Promise<string> =>
    inTurn(
      () =>
        new Promise((resolve, reject) => {
          begun.push(name)
          ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)))
        }),
    )

  const [a, b, c, d] = [begin('a'), begin('b'), begin('c'), begin('d')]
  expect(begun).toEqual(['a', 'b'])

  ends.get('b')?.(new Error('the store is away'))
  await expect(b).rejects.toThrow('the store is away')
  expect(begun).toEqual(['a', 'b', 'c'])

  ends.get('a')?.()
  expect(await a).toBe('a')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  ends.get('c')?.()
  ends.get('d')?.()
  expect(await Promise.all([c, d])).toEqual(['c', 'd'])

  const e = begin('e')
  expect(begun.at(-1)).toBe('e')
  ends.get('e')?.()
  expect(await e).toBe('e')
})
