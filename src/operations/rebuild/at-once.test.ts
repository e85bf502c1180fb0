import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { someAtOnce } from './at-once.ts'

it('does some at the same time, never more than six, and answers in their order', async () => {
  let [now, most] = [0, 0]
  const answers = await someAtOnce([...Array(20).keys()], async (n) => {
    now += 1
    most = Math.max(most, now)
    for (let turns = 20 - n; turns > 0; turns--) await setImmediate()
    now -= 1
    return n * 2
  })
  expect(answers).toEqual([...Array(20).keys()].map((n) => n * 2))
  expect(most).toBe(6)
})

it('begins nothing after a failure, and throws it when all in hand is done', async () => {
  const [begun, done]: [number[], number[]] = [[], []]
  const trying = someAtOnce([...Array(20).keys()], async (n) => {
    begun.push(n)
    await setImmediate()
    if (n === 2) throw new Error('two')
    for (let turns = 0; turns < 5; turns++) await setImmediate()
    done.push(n)
  })
  await expect(trying).rejects.toThrow('two')
  expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  expect(done).toEqual([0, 1, 3, 4, 5])
})
