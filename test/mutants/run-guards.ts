import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Guard } from './mutant.ts'

const Report = z.object({
  numTotalTestSuites: z.number(),
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.enum(['passed', 'failed', 'skipped', 'pending', 'todo', 'disabled']),
        }),
      ),
    }),
  ),
})

/** How the guarding tests did: of those that ran. */
export interface GuardResults {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Said where a test file could not even be loaded: that catches nothing. */
  readonly broken: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LONGEST_MS = 180_000

/** Runs the tests whose names begin as the guards say, in a process of their own, with a mistake planted or without. */
export async function runGuards(guards: readonly Guard[], mutant: string | null): Promise<GuardResults> {
  const folder = await mkdtemp(join(tmpdir(), 'story-mutants-'))
  const report = join(folder, 'report.json')
  const files = [...new Set(guards.map(({ file }) => file))]
  const names = guards.map(({ test }) => `^${escaped(test)}`).join('|')
  const engines = guards.some(({ engines }) => engines === true)
  const args = ['run', '--config', 'test/mutants/vitest.config.ts', '--reporter=json', `--outputFile=${report}`]
  try {
    await promisify(execFile)('node_modules/.bin/vitest', [...args, '-t', names, ...files], {
      cwd: ROOT,
      env: { ...process.env, ...(mutant === null ? {} : { MUTANT: mutant }), MUTANT_ENGINES: engines ? '1' : '0' },
      timeout: LONGEST_MS,
    }).catch(() => undefined) // a failed test is what we are after; the report says which
    return guarded(Report.parse(JSON.parse(await readFile(report, 'utf8'))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function guarded({ testResults }: z.output<typeof Report>): GuardResults {
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = (status: string) => ran.filter((one) => one.status === status).map(({ fullName }) => fullName)
  const broken = testResults.filter(({ assertionResults }) => assertionResults.length === 0)
  return { passed: named('passed'), failed: named('failed'), broken: broken.map(({ message }) => message).join('\n') }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
