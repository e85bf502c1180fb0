import { expect, it } from 'vitest'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import { aHandClock } from '../../test/builders/hand-clock.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import type { LogRecord } from '../ports/log.ts'
import { checkpointName, entriesOf, openCheckpoint, partitionIn, tailOf } from './checkpoint.ts'

const changelog = { stage: 'counted', version: '1', topic: 'counted.memory', partition: 0 }

const aCopy = async (...keys: readonly string[]) => {
  const [log, checkpoints, clock] = [new MemoryLog(), new DiskDouble(), aHandClock()]
  const ports = { log, checkpoints, clock }
  await log.produce(keys.map((key) => ({ topic: changelog.topic, key, value: Buffer.from(key) })))
  await readAll(tailOf(changelog, await openCheckpoint(changelog, ports), log))
  return ports
}

async function readAll(pages: AsyncIterable<readonly Pick<LogRecord, 'key'>[]>): Promise<readonly (string | null)[]> {
  const keys: (string | null)[] = []
  for await (const page of pages) keys.push(...page.map(({ key }) => key))
  return keys
}

it('reads again what another process has copied since the copy was opened', async () => {
  const ports = await aCopy('a', 'b')
  const { log } = ports
  const opened = await openCheckpoint(changelog, ports)
  const entries = await readAll(entriesOf(opened))
  await log.produce([{ topic: changelog.topic, key: 'c', value: Buffer.from('c') }])
  await readAll(tailOf(changelog, await openCheckpoint(changelog, ports), log))

  expect([entries, await readAll(tailOf(changelog, opened, log))]).toEqual([['a', 'b'], ['c']])
})

it('notices that a copy was emptied while it was read', async () => {
  const ports = await aCopy('a', 'b', 'c')
  const pages = entriesOf(await openCheckpoint(changelog, ports))
  await pages.next()
  await (await ports.checkpoints.open(checkpointName(changelog))).clear()

  await expect(readAll(pages)).rejects.toThrow(CheckpointFailed)
})

it('is complete once it is read to the end of the changelog: what was deleted before may be missing from the log', async () => {
  const ports = await aCopy('a')
  const copy = await ports.checkpoints.open(checkpointName(changelog))
  const first = copy.origin?.at ?? 0
  await ports.log.produce(['b', 'c'].map((key) => ({ topic: changelog.topic, key, value: Buffer.from(key) })))
  ports.clock.pass(1_000)
  const tail = tailOf(changelog, await openCheckpoint(changelog, ports), ports.log)
  await tail.next()

  expect([copy.offset, copy.origin?.at]).toEqual([3, first])
  expect((await tail.next()).done).toBe(true)
  expect([copy.offset, copy.origin?.at]).toEqual([3, first + 1_000])
})

it('names a copy by its stage, partition and version', () => {
  const name = checkpointName({ stage: 'counted', partition: 11, version: '1.2' })

  expect(partitionIn(name, 'counted')).toEqual({ partition: 11, version: '1.2' })
  expect(partitionIn(name, 'count')).toBeNull()
})
