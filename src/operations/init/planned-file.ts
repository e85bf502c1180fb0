import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file and what is to become of it. */
export interface PlannedFile {
  readonly path: string
  readonly text: string
  readonly state: 'new' | 'changed' | 'unchanged'
  /** What the file has that would be lost; `null` if nothing. */
  readonly conflict: string | null
}

export function plannedFile(path: string, text: string, conflict: string | null): PlannedFile {
  if (!existsSync(path)) return { path, text, state: 'new', conflict: null }
  return { path, text, state: readFileSync(path, 'utf8') === text ? 'unchanged' : 'changed', conflict }
}

/** Readable by its owner only, since settings may be secrets. */
const MODE = 0o600

/** Writes atomically, by renaming; an existing file keeps its mode. */
export function writePlanned({ path, text, state }: PlannedFile): void {
  if (state === 'unchanged') return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, text, { mode: state === 'new' ? MODE : statSync(path).mode & 0o777 })
  renameSync(`${path}.new`, path)
}
