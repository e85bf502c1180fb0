import { describe, expect, it } from 'vitest'
import { sized } from '../builders/sizes.ts'
import { logContract } from '../contracts/log.ts'
import { SimulationBroker } from './broker.ts'
import { Process } from './process.ts'
import { SimulationRandom } from './random.ts'
import { repeats, schedule } from './schedule.ts'
import { Simulation } from './simulation.ts'

/** Milliseconds: so long fresh seeds are lived through; how many that are depends on the machine. */
const BUDGET_MS = sized(2_500, 30_000)
const MOST_SCHEDULES = 150

describe('a simulation', () => {
  it('repeats a seed step by step, and has other steps under another', async () => {
    const [one, again, other] = [await schedule(7), await schedule(7), await schedule(8)]

    expect(again).toEqual(one)
    expect(other.hash).not.toBe(one.hash)
    expect(one.steps).toBeGreaterThan(100)
  })

  it('loses nothing, doubles nothing and replays alike under fresh seeds', async () => {
    const first = Math.floor(Math.random() * 2 ** 31)
    const until = performance.now() + BUDGET_MS
    const broken: string[] = []
    let faults = 0
    for (let seed = first; seed < first + MOST_SCHEDULES && performance.now() < until; seed++) {
      const lived = await schedule(seed)
      faults += Object.keys(lived.faults).length
      if (lived.violations.length > 0) broken.push(`${lived.violations.join('\n')}\nagain: ${repeats(seed)}`)
    }

    expect(broken).toEqual([])
    expect(faults).toBeGreaterThan(0)
  }, 60_000)
})

/** Its log without any fault, kept going as long as somebody uses it. */
logContract('a simulation', async () => {
  const world = new Simulation(1)
  world.faults.calm = true
  const { scheduler } = world
  const widthOf = (topic: string): number => Number(topic.split('-')[1] ?? 1)
  const broker = new SimulationBroker(1, { now: () => scheduler.now, random: new SimulationRandom(1), widthOf })
  const { log } = new Process(Object.assign(Object.create(world) as Simulation, { broker, batchRecords: 500 }), 'p')
  const ending = new AbortController()
  let turn = 0
  const going = (async () => {
    while (!ending.signal.aborted) {
      if (!(await scheduler.next())) await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  return {
    log,
    topic: async (partitions) => `topic-${partitions}-${++turn}`,
    close: async () => {
      ending.abort()
      await going
    },
  }
})
