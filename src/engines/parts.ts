import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '../config/project-path.ts'
import { type Checksums, parseChecksums } from './checksums.ts'

/** What is fetched, each the Maven module `docker/embedded/<part>`. */
export const parts = ['kafka', 'registry', 'model'] as const
/** With the model that only a measurement compares with: fetched when asked for. */
export type EnginePart = (typeof parts)[number] | 'model-fp32'

export const registryArchive = 'apicurio-registry-app-3.0.9-all.tar.gz'

/** The files of a part as they come from Maven, relative to its folder. */
export function pinnedChecksums(part: EnginePart): Checksums {
  const all = parseChecksums(readFileSync(projectPath('docker/embedded/checksums.sha256'), 'utf8'))
  const own = [...all].filter(([path]) => path.startsWith(`${part}/`))
  return new Map(own.map(([path, hash]) => [path.slice(part.length + 1), hash]))
}

/** Named by its checksums: an upgrade is another folder, so versions never mix. */
export function partFolder(cache: string, part: EnginePart): string {
  const pins = createHash('sha256').update(JSON.stringify([...pinnedChecksums(part)]))
  return join(cache, `${part}-${pins.digest('hex').slice(0, 12)}`)
}
