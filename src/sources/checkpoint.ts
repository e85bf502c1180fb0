import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Saved = z.object({
  /** Records of the file that are in the log or were refused. */
  records: z.int().min(0),
  /** End of the topic when this was written: a log that ends earlier is another log. */
  logEnd: z.int().min(0),
})
export type Saved = z.infer<typeof Saved>

/** The position of an import: where a killed import resumes. */
export interface Checkpoint {
  load(): Saved | null
  save(saved: Saved): void
  /** The import has ended. */
  clear(): void
}

/** Stored in the home folder under the file's hash and the namespace. */
export function fileCheckpoint(home: string, { fingerprint, namespace }: CheckpointIdentity): Checkpoint {
  const folder = join(home, 'imports')
  const path = join(folder, `${fingerprint.slice(0, 32)}-${namespace}.json`)
  return {
    load: () => loaded(path),
    save: (saved) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${path}.new`, JSON.stringify(saved))
      renameSync(`${path}.new`, path) // whole or not at all, whenever we are killed
    },
    clear: () => rmSync(path, { force: true }),
  }
}

export interface CheckpointIdentity {
  /** Hex SHA-256 of the file. */
  readonly fingerprint: string
  readonly namespace: string
}

function loaded(path: string): Saved | null {
  try {
    return Saved.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null // none, or not ours: begin at the beginning, which is harmless
  }
}

/** For what cannot be read twice: standard input, a pipe. */
export const noCheckpoint: Checkpoint = { load: () => null, save: () => undefined, clear: () => undefined }
