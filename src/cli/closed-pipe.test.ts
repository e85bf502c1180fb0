import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { projectPath } from '../config/project-path.ts'

it('ends without an error when nobody reads the rest of the output', async () => {
  const command = '"$0" --import tsx src/main.ts openapi | head -c 2; exit "$PIPESTATUS"'

  const ended = promisify(execFile)('bash', ['-c', command, process.execPath], { cwd: projectPath('.') })

  expect(await ended).toEqual({ stdout: '{\n', stderr: '' })
}, 30_000)
