import { expect, it } from 'vitest'
import { sharedRuns } from './shared-runs.ts'

/** Runs that a test ends one by one. */
function slowRuns(limits: Parameters<typeof sharedRuns<string, number>>[1]) {
  const runs: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const add = sharedRuns(async (key, items: readonly string[]) => {
    runs.push(`${key}: ${items.join(' ')}`)
    await new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())))
    return items.length
  }, limits)
  const turns = async () => {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  const end = async (error?: Error) => {
    await turns()
    ends.shift()?.(error)
    await turns()
  }
  return { add, runs, turns, end }
}

it('processes items of one turn together, and those that come during a run together in the next one', async () => {
  const { add, runs, turns, end } = slowRuns({ most: 10 })
  const first = [add('k', 'a'), Promise.resolve().then(() => add('k', 'b'))]
  await turns()
  const second = [add('k', 'c'), add('k', 'd'), add('k', 'e')]
  await end()
  await end()

  expect(runs).toEqual(['k: a b', 'k: c d e'])
  expect(await Promise.all([...first, ...second])).toEqual([2, 2, 3, 3, 3])
})

it('begins another batch once one has its weight', async () => {
  const { add, runs, end } = slowRuns({ most: 4, weightOf: (item) => item.length })
  const all = ['aaa', 'bbb', 'c', 'dddddd', 'e'].map((item) => add('k', item))
  for (let i = 0; i < 3; i++) await end()

  expect(runs).toEqual(['k: aaa bbb', 'k: c dddddd', 'k: e'])
  expect(await Promise.all(all)).toEqual([2, 2, 2, 2, 1])
})

it('runs each key by itself, and after an error', async () => {
  const { add, runs, end } = slowRuns({ most: 10 })
  const failing = add('k', 'a').catch(String)
  const other = add('l', 'b')
  await end(new Error('no answer'))
  await end()
  const again = add('k', 'c')
  await end()

  expect(runs).toEqual(['k: a', 'l: b', 'k: c'])
  expect(await Promise.all([failing, other, again])).toEqual(['Error: no answer', 1, 1])
})

it('fails what waits for a run that fails, if it is to', async () => {
  const { add, runs, turns, end } = slowRuns({ most: 2, failTogether: true })
  const first = add('k', 'a').catch(String)
  await turns()
  const behind = ['b', 'c', 'd'].map((item) => add('k', item).catch(String))
  await end(new Error('no answer'))
  expect(await Promise.all([first, ...behind])).toEqual(Array.from({ length: 4 }, () => 'Error: no answer'))

  const again = add('k', 'e')
  await end()
  expect(await again).toBe(1)
  expect(runs).toEqual(['k: a', 'k: e'])
})
