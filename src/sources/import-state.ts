import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const CheckpointState = z.object({
  /** Records of the file that are in the log or were rejected. */
  records: z.int().min(0),
  /** End offset of the topic when this was saved. A log that ends earlier is another log. */
  logEnd: z.int().min(0),
})
export type CheckpointState = z.infer<typeof CheckpointState>

/** The position of an import: where a killed import resumes. */
export interface Checkpoint {
  load(): CheckpointState | null
  save(saved: CheckpointState): void
  /** Call when the import has ended. */
  clear(): void
}

interface CheckpointIdentity {
  /** Hex SHA-256 of the file. */
  readonly fingerprint: string
  readonly namespace: string
}

/** Stored in the home folder under the file's hash and the namespace. */
export const fileCheckpoint = (home: string, { fingerprint, namespace }: CheckpointIdentity): Checkpoint =>
  stateFile(home, `${fingerprint.slice(0, 32)}-${namespace}.json`, CheckpointState)

/** For inputs that cannot be read twice: standard input, pipes. */
export const noCheckpoint: Checkpoint = { load: () => null, save: () => undefined, clear: () => undefined }

const Validators = z.object({ etag: z.string().optional(), last_modified: z.string().optional() })
/** Validators of a feed's last response, for a conditional request. */
export type Validators = z.infer<typeof Validators>

export interface FeedState {
  of(url: string): Validators
  /** Call once everything in that response is in the log. */
  save(url: string, validators: Validators): void
}

/** Stored in the home folder, one file per namespace, because each namespace imports separately. */
export function fileFeedState(home: string, namespace: string): FeedState {
  const file = stateFile(home, `feeds-${namespace}.json`, z.record(z.string(), Validators))
  const known = new Map(Object.entries(file.load() ?? {}))
  return {
    of: (url) => known.get(url) ?? {},
    save: (url, validators) => {
      known.set(url, validators)
      file.save(Object.fromEntries(known))
    },
  }
}

export const statePath = (home: string, name: string): string => join(home, 'imports', name)

/** A value in the home folder, replaced as a whole. */
export function stateFile<State>(home: string, name: string, shape: z.ZodType<State>) {
  const path = statePath(home, name)
  return {
    load: (): State | null => {
      try {
        return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        return null // missing or invalid: everything is read again, which is safe
      }
    },
    save: (state: State): void => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.new`, JSON.stringify(state))
      renameSync(`${path}.new`, path) // atomic, in case the process is killed
    },
    clear: (): void => rmSync(path, { force: true }),
  }
}
