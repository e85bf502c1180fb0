import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const SecretsFile = z.record(z.string(), z.string())

/** The key that `story up` creates for its first user. */
export const DEMO_KEY = 'demo_key'

/** Secrets generated at the first start of an installation: `<home>/secrets.json`, readable by its owner only. */
export interface Secrets {
  get(name: string): string | undefined
  set(name: string, value: string): void
  /** The stored value, or a new random one (256 bits, base64url), which is stored. */
  random(name: string): string
}

export function openSecrets(home: string): Secrets {
  const file = join(home, 'secrets.json')
  const get = (name: string) => read(file)[name]
  const set = (name: string, value: string) => write(file, { ...read(file), [name]: value })
  const random = (name: string) => {
    const known = get(name)
    if (known !== undefined) return known
    const made = randomBytes(32).toString('base64url')
    set(name, made)
    return made
  }
  return { get, set, random }
}

const read = (file: string): Record<string, string> =>
  existsSync(file) ? SecretsFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}

/** Writes atomically, by renaming: a crash leaves the old or the new file. */
function write(file: string, secrets: Record<string, string>): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
