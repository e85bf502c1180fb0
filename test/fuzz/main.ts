import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { loadConfig } from '../../src/config/config.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { asJsonl, sampleArticles } from '../pipeline/dated-sample.ts'
import { ALL_RIGHTS, startStory, stopAllStories } from '../pipeline/story.ts'

const SCHEMATHESIS = 'schemathesis==4.32.5'

/** Schemathesis in an environment of its own, installed on the first run. */
function schemathesis(): string {
  const folder = join(loadConfig(process.env).cache, SCHEMATHESIS.replace('==', '-'))
  const program = join(folder, 'bin', 'schemathesis')
  if (existsSync(program)) return program
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' })
  } catch {
    throw new Error('make fuzz needs python3 (3.10 or newer) with its venv module: apt-get install python3-venv')
  }
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', SCHEMATHESIS], { stdio: 'inherit' })
  return program
}

/** Starts a service with some articles, and asks it what its own document allows and what it forbids. */
async function fuzz(options: readonly string[]): Promise<number> {
  const program = schemathesis()
  const story = await startStory()
  const sample = join(story.home, 'sample.jsonl')
  await writeFile(sample, asJsonl(sampleArticles(60)))
  await story.cli('import', 'jsonl', sample, '--wait')
  const made = await story.cli('keys', 'create', '--tier', 'enterprise', ...ALL_RIGHTS.rights, '--json')
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(made))
  const config = projectPath('test/fuzz/schemathesis.toml')
  const shown = ['--continue-on-failure', '--request-timeout', '30', '--wait-for-schema', '30']
  const child = spawn(
    program,
    [
      '--config-file',
      config,
      'run',
      `${story.url}/openapi.json`,
      '-H',
      `Authorization: Bearer ${key}`,
      ...shown,
      ...options,
    ],
    { stdio: 'inherit', cwd: story.home },
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** What is given goes on to schemathesis: `npx tsx test/fuzz/main.ts --max-examples 200 --include-tag Echo`. */
const given = process.argv.slice(2)
try {
  process.exitCode = await fuzz(given.length > 0 ? given : ['--max-examples', '50'])
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 2
} finally {
  await stopAllStories()
}
