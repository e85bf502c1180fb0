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

interface CheckpointIdentity {
  /** Hex SHA-256 of the file. */
  readonly fingerprint: string
  readonly namespace: string
}

/** Stored in the home folder under the file's hash and the namespace. */
export const fileCheckpoint = (home: string, { fingerprint, namespace }: CheckpointIdentity): Checkpoint =>
  stateFile(home, `${fingerprint.slice(0, 32)}-${namespace}.json`, Saved)

/** For what cannot be read twice: standard input, a pipe. */
export const noCheckpoint: Checkpoint = { load: () => null, save: () => undefined, clear: () => undefined }

const Validators = z.object({ etag: z.string().optional(), last_modified: z.string().optional() })
/** Validators of a feed's last response, for a conditional request. */
export type Validators = z.infer<typeof Validators>

export interface FeedState {
  of(url: string): Validators
  /** Call once everything of that response is in the log. */
  remember(url: string, validators: Validators): void
}

/** Stored in the home folder, by namespace: each namespace imports for itself. */
export function fileFeedState(home: string, namespace: string): FeedState {
  const file = stateFile(home, `feeds-${namespace}.json`, z.record(z.string(), Validators))
  const known = new Map(Object.entries(file.load() ?? {}))
  return {
    of: (url) => known.get(url) ?? {},
    remember: (url, validators) => {
      known.set(url, validators)
      file.save(Object.fromEntries(known))
    },
  }
}

function stateFile<State>(home: string, name: string, shape: z.ZodType<State>) {
  const folder = join(home, 'imports')
  const path = join(folder, name)
  return {
    load: (): State | null => {
      try {
        return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        return null // none, or not ours: everything is read once more, which is harmless
      }
    },
    save: (state: State): void => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${path}.new`, JSON.stringify(state))
      renameSync(`${path}.new`, path) // whole or not at all, whenever we are killed
    },
    clear: (): void => rmSync(path, { force: true }),
  }
}
