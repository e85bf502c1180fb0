import { languageOf } from '../../src/language/language-of.ts'
import { check } from './checker.ts'
import { Simulation } from './simulation.ts'

/** What came of one seed. */
export interface Schedule {
  readonly seed: number
  readonly steps: number
  readonly records: number
  /** Equal where the same happened in the same order. */
  readonly hash: string
  readonly faults: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** Lives through one seed and checks what is left. */
export async function schedule(seed: number, onStep: ((line: string) => void) | null = null): Promise<Schedule> {
  await languageOf('The detector is read from a file, which takes as long as the machine needs.')
  const world = new Simulation(seed, onStep)
  await world.run()
  await check(world)
  const { scheduler, broker, faults, violations } = world
  return {
    seed,
    steps: scheduler.steps,
    records: broker.names().reduce((sum, name) => sum + broker.records(name).length, 0),
    hash: (scheduler.hash >>> 0).toString(16).padStart(8, '0'),
    faults: Object.fromEntries(faults.counts),
    violations,
  }
}

/** What repeats a seed, step by step. */
export const repeats = (seed: number): string => `npx tsx test/simulation/main.ts --seed ${seed} --schedules 1 --trace`
