import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkpointsContract } from '../../../test/contracts/checkpoints.ts'
import { CheckpointFailed } from '../../ports/checkpoints.ts'
import { lmdbCheckpoints } from './lmdb-checkpoints.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'story-checkpoints-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

checkpointsContract('LMDB', async () => lmdbCheckpoints(folder))

it('says so when the disk cannot be used', async () => {
  await writeFile(join(folder, 'a file'), '')

  await expect(lmdbCheckpoints(join(folder, 'a file')).open('counted-0')).rejects.toThrow(CheckpointFailed)
})
