import { expect, it } from 'vitest'
import { asker, type ServiceReply } from './asker.ts'

/** A service that responds on demand and counts its requests. */
function slowService() {
  const waiting: (() => void)[] = []
  const heard: number[] = []
  let calls = 0
  const questions = asker<number>({
    once: async () => {
      const value = ++calls
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { kind: 'known', value }
    },
    report: (reply: ServiceReply<number>) => {
      if (reply.kind === 'known') heard.push(reply.value)
    },
    pausedMs: () => 0,
  })
  const answer = async (): Promise<void> => {
    await settled()
    waiting.shift()?.()
    await settled()
  }
  return { questions, answer, heard, calls: () => calls }
}

/** One turn of the loop. */
const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

it('waits for a slow answer, and sends one more request however many turns passed meanwhile', async () => {
  const { questions, answer, heard, calls } = slowService()
  questions.again()
  questions.again()
  questions.again()
  await answer()
  expect(heard).toEqual([1])
  expect(calls()).toBe(2)
  await answer()
  expect(heard).toEqual([1, 2])
  expect(calls()).toBe(2)
})

it('sends another request after an answer', async () => {
  const { questions, answer, heard } = slowService()
  questions.again()
  await answer()
  questions.again()
  await answer()
  expect(heard).toEqual([1, 2])
})

it('reports nothing after it has ended', async () => {
  const { questions, answer, heard, calls } = slowService()
  questions.again()
  await settled()
  questions.end()
  questions.again()
  await answer()
  expect(heard).toEqual([])
  expect(calls()).toBe(1)
})
