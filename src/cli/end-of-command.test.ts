import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { projectPath } from '../config/project-path.ts'

/** Runs a command in a process that has run `before`. */
const after = (before: string) =>
  promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(before)}`, '--import', 'tsx', 'src/main.ts', 'topology'],
    { cwd: projectPath('.'), timeout: 25_000 },
  )

it('ends with all of its output, although a connection is open', async () => {
  const { stdout, stderr } = await after('setInterval(() => {}, 60_000)')

  expect(stdout).toContain('articles.ingested')
  expect(stderr).toBe('')
}, 30_000)

it('keeps the exit code that the command has set', async () => {
  await expect(after('process.exitCode = 1')).rejects.toMatchObject({ code: 1 })
}, 30_000)
