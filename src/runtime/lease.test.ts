import { expect, it, vi } from 'vitest'
import { aRunning, counted, say, wordsIn, wordsSaid, type TestRunning } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { LEASE_MS, leaseGroup, leaseNote } from './lease.ts'
import { runMemoryStage } from './run-memory-stage.ts'

/** Writes the note as the holder of a lease does; an empty one ends it. */
async function note({ log }: TestRunning, metadata: string): Promise<void> {
  const group = leaseGroup('counted')
  const writer = await log.writer(`${group}-0`)
  await writer.write([], { group, next: [{ topic: wordsSaid.name, partition: 0, offset: 0, metadata }] })
}

/** Time stands still, so that a lease ends only with its note. */
const stillClock = () => ({
  now: () => 1_700_000_000_000,
  sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
})

const emitted = async ({ memoryLog }: TestRunning) => (await wordsIn(memoryLog)).map(({ word }) => word)

it('takes no partition while a lease on it holds, and does so when the lease ends', async () => {
  const running = aRunning({ clock: stillClock() })
  const writers = vi.spyOn(running.memoryLog, 'writer')
  await note(running, leaseNote(running.clock.now() + LEASE_MS))
  await say(running.log, ['a', 'b'])
  const noted = vi.spyOn(running.memoryLog, 'notes')

  const consumer = await runMemoryStage(counted, running)
  await vi.waitFor(
    () => expect(noted.mock.calls.filter(([group]) => group === 'counted.switch').length).toBeGreaterThan(3),
    soon,
  )
  const during = writers.mock.calls.map(([id]) => id)
  await note(running, '')

  await vi.waitFor(async () => expect(await emitted(running)).toEqual(['a 1', 'b 1']), soon)
  expect(during).toEqual(['counted.switch-0'])
  await consumer.stop()
})

it('waits for no lease whose time is over', async () => {
  const running = aRunning({ clock: stillClock() })
  await note(running, leaseNote(running.clock.now()))
  await say(running.log, ['a'])

  const consumer = await runMemoryStage(counted, running)

  await vi.waitFor(async () => expect(await emitted(running)).toEqual(['a 1']), soon)
  await consumer.stop()
})

it('waits no longer than a lease lasts after its last renewal, whatever the clock of its holder', async () => {
  const running = aRunning()
  const begun = running.clock.now()
  await note(running, leaseNote(begun + 86_400_000))
  await say(running.log, ['a'])

  const consumer = await runMemoryStage(counted, running)

  await vi.waitFor(async () => expect(await emitted(running)).toEqual(['a 1']), soon)
  expect(running.clock.now() - begun).toBeLessThan(LEASE_MS + 5_000)
  await consumer.stop()
})

it('stops while it waits for the end of a lease', async () => {
  const running = aRunning({ clock: stillClock() })
  await note(running, leaseNote(running.clock.now() + LEASE_MS))
  await say(running.log, ['a'])
  const noted = vi.spyOn(running.memoryLog, 'notes')
  const consumer = await runMemoryStage(counted, running)
  await vi.waitFor(() => expect(noted.mock.calls.map(([group]) => group)).toContain('counted.switch'), soon)

  await consumer.stop()

  expect(await emitted(running)).toEqual([])
})
