import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapConcurrently, withRetryAlone } from './at-once.ts'

it('does some at the same time, never more than six, and answers in their order', async () => {
  let [now, most] = [0, 0]
  const answers = await mapConcurrently([...Array(20).keys()], async (n) => {
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
  const trying = mapConcurrently([...Array(20).keys()], async (n) => {
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

class TooBusy extends Error {}

/** A server that runs at most two requests concurrently, and `large` only alone. */
function aServer() {
  const [begun, inHand]: [string[], string[]] = [[], []]
  const ask = async (name: string) => {
    begun.push(name)
    inHand.push(name)
    try {
      await setImmediate()
      if (inHand.length > 2 || (inHand.length > 1 && inHand.includes('large'))) throw new TooBusy(name)
      for (let turns = 0; turns < 5; turns++) await setImmediate()
      return name
    } finally {
      inHand.splice(inHand.indexOf(name), 1)
    }
  }
  return { begun, ask }
}

const names = ['a', 'large', 'b', 'c', 'd', 'large']

it('does what did not fit beside other work alone, and all of it in the end', async () => {
  const server = aServer()
  const room = withRetryAlone((cause) => cause instanceof TooBusy)
  const answers = await Promise.all(names.map((name) => room(() => server.ask(name))))
  expect(answers).toEqual(names)
  expect(server.begun.length).toBeGreaterThan(names.length)
})

it('throws what is wrong otherwise at once, and what does not fit alone either; others go on', async () => {
  const room = withRetryAlone((cause) => cause instanceof TooBusy)
  let calls = 0
  const failing = async (cause: Error) => {
    calls += 1
    await setImmediate()
    throw cause
  }
  const others = Promise.all(names.map((name) => room(() => Promise.resolve(name))))
  await expect(room(() => failing(new Error('broken')))).rejects.toThrow('broken')
  expect(calls).toBe(1)
  await expect(room(() => failing(new TooBusy('for ever')))).rejects.toThrow('for ever')
  expect(calls).toBe(3)
  expect(await others).toEqual(names)
  expect(await room(() => Promise.resolve('after'))).toBe('after')
})
