import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SAVED_UP_TO, snapshotsContract } from '../../test/contracts/snapshots.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import { snapshotFiles } from './snapshot-files.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'story-snapshots-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

snapshotsContract('files', async () => snapshotFiles(join(folder, 'states')))

it.each([
  ['in its header', 20],
  ['in a section', -20],
  ['after its last section', -8],
])('a file that was cut off %s is not read as a state', async (_where, at) => {
  const disk = snapshotFiles(join(folder, 'cut'))
  const bytes = await disk.save('counted-0-v1', SAVED_UP_TO, [Buffer.alloc(100, 1), Buffer.alloc(100, 2)])
  await truncate(join(folder, 'cut', 'counted-0-v1.snapshot'), at > 0 ? at : bytes + at)

  const reading = async (): Promise<void> => {
    const state = await disk.open('counted-0-v1')
    try {
      await state?.next()
      await state?.next()
    } finally {
      await state?.close()
    }
  }

  await expect(reading()).rejects.toThrow(CheckpointFailed)
})

it('leaves no file of a state that was not completed, and deletes those of processes that were killed', async () => {
  const path = join(folder, 'partial')
  const disk = snapshotFiles(path)
  const failing = (function* () {
    yield Buffer.from('half')
    throw new Error('revoked')
  })()
  await expect(disk.save('counted-0-v1', SAVED_UP_TO, failing)).rejects.toThrow(CheckpointFailed)
  await writeFile(join(path, 'counted-1-v1.killed.partial'), 'half')
  await utimes(join(path, 'counted-1-v1.killed.partial'), 1, 1)
  await writeFile(join(path, 'counted-2-v1.written.partial'), 'half')

  expect(await disk.names()).toEqual([])

  expect(await readdir(path)).toEqual(['counted-2-v1.written.partial'])
})

it('says so when the disk cannot be used', async () => {
  await writeFile(join(folder, 'a file'), '')

  const disk = snapshotFiles(join(folder, 'a file'))

  await expect(disk.save('counted-0-v1', SAVED_UP_TO, [])).rejects.toThrow(CheckpointFailed)
})
