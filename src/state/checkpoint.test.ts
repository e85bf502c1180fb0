import { expect, it } from 'vitest'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import type { LogRecord } from '../ports/log.ts'
import { checkpointName, entriesOf, openCheckpoint, partitionIn, tailOf } from './checkpoint.ts'

const changelog = { stage: 'counted', version: '1', topic: 'counted.memory', partition: 0 }

const aCopy = async (...keys: readonly string[]) => {
  const log = new MemoryLog()
  const checkpoints = new DiskDouble()
  await log.produce(keys.map((key) => ({ topic: changelog.topic, key, value: Buffer.from(key) })))
  await readAll(tailOf(changelog, await openCheckpoint(changelog, { log, checkpoints }), log))
  return { log, checkpoints }
}

async function readAll(pages: AsyncIterable<readonly Pick<LogRecord, 'key'>[]>): Promise<readonly (string | null)[]> {
  const keys: (string | null)[] = []
  for await (const page of pages) keys.push(...page.map(({ key }) => key))
  return keys
}

it('reads again what another process has copied since the copy was opened', async () => {
  const { log, checkpoints } = await aCopy('a', 'b')
  const opened = await openCheckpoint(changelog, { log, checkpoints })
  const entries = await readAll(entriesOf(opened))
  await log.produce([{ topic: changelog.topic, key: 'c', value: Buffer.from('c') }])
  await readAll(tailOf(changelog, await openCheckpoint(changelog, { log, checkpoints }), log))

  expect([entries, await readAll(tailOf(changelog, opened, log))]).toEqual([['a', 'b'], ['c']])
})

it('notices that a copy was emptied while it was read', async () => {
  const { log, checkpoints } = await aCopy('a', 'b', 'c')
  const pages = entriesOf(await openCheckpoint(changelog, { log, checkpoints }))
  await pages.next()
  await (await checkpoints.open(checkpointName(changelog))).clear()

  await expect(readAll(pages)).rejects.toThrow(CheckpointFailed)
})

it('names a copy by its stage, partition and version', () => {
  const name = checkpointName({ stage: 'counted', partition: 11, version: '1.2' })

  expect(partitionIn(name, 'counted')).toEqual({ partition: 11, version: '1.2' })
  expect(partitionIn(name, 'count')).toBeNull()
})
