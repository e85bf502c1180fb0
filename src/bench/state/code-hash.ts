import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders whose code and parameters a decision depends on, from this folder. */
const FOLDERS = ['../../stages/clustered/', '../../language/', '../../state/', '../../../models/clustering/', './']

/** The hash of the clusterer, the world and a file with base articles. */
export function codeHash(bases: string): string {
  const hash = createHash('sha256').update(readFileSync(bases))
  for (const folder of FOLDERS) {
    const path = fileURLToPath(new URL(folder, import.meta.url))
    const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const files = entries
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !file.includes('.test.'))
    for (const file of files.sort()) hash.update(readFileSync(file))
  }
  return hash.digest('hex')
}
