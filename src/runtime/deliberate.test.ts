import { expect, it, vi } from 'vitest'
import { aRunning, counted, say, wordsIn, wordsSaid } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { allSteps, type Steps } from '../state/steps.ts'
import { runMemoryStage } from './run-memory-stage.ts'

const STEPS = 200

/** The counting stage. It decides each "long" in steps of a few milliseconds of `now`. */
function aSlowCounter(now: { ms: number }) {
  const seen: number[] = []
  const stage = {
    ...counted,
    deliberate: (state: Parameters<typeof counted.decide>[0], input: Parameters<typeof counted.decide>[1]) => {
      function* steps(): Steps<ReturnType<typeof counted.decide>> {
        for (let i = 0; i < STEPS; i++) {
          now.ms += 5
          seen.push(i)
          yield
        }
        return counted.decide(state, input)
      }
      return input.event.word === 'long' ? steps() : null
    },
  }
  return { stage, seen }
}

it('others have their turn within a long decision, and what it says is what it would have said at once', async () => {
  const now = { ms: 1_700_000_000_000 }
  const running = aRunning({ clock: { now: () => now.ms, sleep: () => Promise.resolve() } })
  const { stage, seen } = aSlowCounter(now)
  await say(running.log, ['a', 'long', 'a', 'long'])
  let within = 0
  const other = setInterval(() => (within += Number(seen.length % STEPS !== 0)), 0)

  const consumer = await runMemoryStage(stage, running)
  await vi.waitFor(async () => expect(await running.log.committed('counted', wordsSaid.name)).toEqual([4]), soon)
  clearInterval(other)
  await consumer.stop()

  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['a 1', 'long 1', 'a 2', 'long 2'])
  expect(seen).toHaveLength(2 * STEPS)
  expect(within).toBeGreaterThan(0)
})

it('all steps come to the same end', () => {
  function* sum(): Steps<number> {
    let found = 0
    for (const one of [1, 2, 3]) {
      yield
      found += one
    }
    return found
  }
  expect(allSteps(sum())).toBe(6)
})
