import { systemClock } from '../../src/adapters/clock.ts'
import { takeOver } from '../../src/runtime/held-memory.ts'
import type { RestoredState } from '../../src/runtime/restorable.ts'
import { DiskDouble } from './disk-double.ts'
import { aRunning, counted, countedMemory, type RunningCount, type TestRunning } from './running.ts'

/** A process that copies its changelogs every few milliseconds. */
export const aDisk = (checkpoints = new DiskDouble()) => ({
  ...aRunning({ clock: systemClock, limits: { checkpointMs: 5 } }),
  checkpoints,
})

interface Restored {
  readonly stage?: typeof counted
  readonly known?: RestoredState<Map<string, RunningCount>> | null
}

/** The state after a take-over, and the offsets of the changelog that it read. */
export async function restored(running: TestRunning, { stage = counted, known = null }: Restored = {}) {
  const offsets: number[] = []
  const { memoryLog } = running
  const log = Object.assign(Object.create(memoryLog) as typeof memoryLog, {
    async *read(topic: string, partition: number, from: number) {
      for await (const records of memoryLog.read(topic, partition, from)) {
        offsets.push(...records.map(({ offset }) => offset))
        yield records
      }
    },
  })
  const { state } = await takeOver(stage, 0, { ...running, log, known })
  return { counts: Object.fromEntries([...state].map(([word, { count }]) => [word, count])), offsets }
}

/** Creates the changelog again, without a word, but with more records than before. */
export async function recreateWithout(word: string, { log, memoryLog }: TestRunning): Promise<void> {
  const entries = memoryLog.records(countedMemory.name).filter(({ key }) => key !== word)
  memoryLog.deleteTopic(countedMemory.name)
  for (let i = 0; i < 3; i++) await log.produce(entries.map(({ topic, key, value }) => ({ topic, key, value })))
}
