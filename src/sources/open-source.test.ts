import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../test/builders/temporary-folder.ts'
import { checkPaths, fingerprint, openSource } from './open-source.ts'

it('says what to give instead of a folder or a file that is missing', async () => {
  const folder = aTemporaryFolder()

  await expect(checkPaths(['-', `${folder}/`], 'jsonl')).rejects.toThrow(
    `${folder}/ is a folder; give files: ${folder}/*.jsonl`,
  )
  await expect(checkPaths([join(folder, 'none.csv')], 'csv')).rejects.toThrow(/none\.csv: no such file$/)
})

it('reads a pipe that the user names once, and keeps no checkpoint for it', async () => {
  const pipe = join(aTemporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])

  await checkPaths([pipe], 'jsonl')
  const identity = await fingerprint(pipe)
  const written = writeFile(pipe, 'one\n')
  const parts: Buffer[] = []
  for await (const part of (await openSource(pipe, process.stdin)).bytes) parts.push(part)
  await written

  expect([identity, Buffer.concat(parts).toString()]).toEqual([null, 'one\n'])
})

it('knows a file by its content', async () => {
  const folder = aTemporaryFolder()
  writeFileSync(join(folder, 'a'), 'x')
  writeFileSync(join(folder, 'b'), 'x')

  expect(await fingerprint(join(folder, 'a'))).toBe(await fingerprint(join(folder, 'b')))
})
