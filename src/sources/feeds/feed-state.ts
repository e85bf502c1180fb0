import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

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
  const folder = join(home, 'imports')
  const path = join(folder, `feeds-${namespace}.json`)
  const known = new Map(Object.entries(loaded(path)))
  return {
    of: (url) => known.get(url) ?? {},
    remember: (url, validators) => {
      known.set(url, validators)
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(known)))
      renameSync(`${path}.new`, path)
    },
  }
}

function loaded(path: string): Record<string, Validators> {
  try {
    return z.record(z.string(), Validators).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {} // none yet, or not ours: then every feed is read whole once more
  }
}
