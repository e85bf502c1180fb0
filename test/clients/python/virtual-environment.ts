import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config/config.ts'

/**
 * The `bin` folder of a virtual environment with one package (`name==version`), created on the first run. `program` is
 * a file of that folder that exists once the package is installed.
 */
export function virtualEnvironment(requirement: string, program: string): string {
  const folder = join(loadConfig(process.env).cache, requirement.replace('==', '-'))
  const bin = join(folder, 'bin')
  if (existsSync(join(bin, program))) return bin
  try {
    execFileSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'], { stdio: 'ignore' })
    execFileSync('python3', ['-m', 'venv', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    throw new Error(`${requirement} needs python3 (3.11 or newer) with its venv module: apt-get install python3-venv`)
  }
  execFileSync(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', requirement], {
    stdio: 'inherit',
  })
  return bin
}
