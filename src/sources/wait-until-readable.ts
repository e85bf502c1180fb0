import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { readable } from './readable.ts'
import type { Follow, RefusedLater } from './refused-later.ts'

export interface WaitPorts {
  readonly store: Store
  readonly clock: Clock
  /** Dead letters since the import began. */
  readonly refusals: Follow
  onProgress(wait: WaitProgress): void
}

export interface WaitProgress {
  readonly articles: number
  readonly readable: number
  /** Since when nothing has moved. */
  readonly stillForMs: number
}

export interface Awaited {
  readonly namespace: string
  /** Article id to the number of its contents that were imported, in the order of the log. */
  readonly contents: ReadonlyMap<string, number>
}

const ASKED_AT_ONCE = 400
const POLL_MS = 500

/**
 * Resolves when every content of every article is in every view that gets it, or was refused by a stage; answers the
 * refused. Stages keep the order of the log, so it asks for the first ones that are missing and goes on from there.
 */
export async function waitUntilReadable({ namespace, contents }: Awaited, ports: WaitPorts): Promise<RefusedLater> {
  const ours = (refused: RefusedLater) => new Map([...refused].filter(([id]) => contents.has(id)))
  let missing = [...contents.keys()]
  let movedAt = ports.clock.now()
  while (missing.length > 0) {
    const asked = missing.slice(0, ASKED_AT_ONCE)
    const left = await stillMissing(asked, { namespace, contents }, ports)
    if (left.length < asked.length) movedAt = ports.clock.now()
    missing = [...left, ...missing.slice(ASKED_AT_ONCE)]
    const done = contents.size - missing.length
    ports.onProgress({ articles: contents.size, readable: done, stillForMs: ports.clock.now() - movedAt })
    if (left.length > 0) await ports.clock.sleep(POLL_MS)
  }
  return ours(await ports.refusals())
}

/** A store or log that is away is asked again: nothing was found missing or there. */
async function stillMissing(
  asked: readonly string[],
  { namespace, contents }: Awaited,
  ports: WaitPorts,
): Promise<string[]> {
  try {
    const found = await readable(ports.store, namespace, asked)
    const unread = asked.filter((id) => (found.get(id) ?? 0) < (contents.get(id) ?? 0))
    if (unread.length === 0) return []
    const refused = await ports.refusals()
    return unread.filter((id) => !refused.has(id))
  } catch {
    return [...asked]
  }
}
