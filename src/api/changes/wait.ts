import type { Clock } from '../../ports/clock.ts'
import type { Hub } from './broadcaster.ts'
import type { FeedReader, FeedRead } from './reader.ts'

export interface WaitOptions {
  readonly hub: Hub
  readonly clock: Clock
  readonly reader: FeedReader
  readonly namespace: string
  /** What else ends it. */
  readonly endings: readonly AbortSignal[]
}

const SOON_MS = 250

/** What comes next, as soon as there is something; nothing when that takes longer than `waitMs`. Throws `Away`. */
export async function waitForChanges(waiting: WaitOptions, waitMs: number): Promise<FeedRead> {
  const { hub, clock, reader, namespace, endings } = waiting
  const settled = new AbortController()
  const over = AbortSignal.any([settled.signal, ...endings])
  let wake: () => void = () => undefined
  const leave = await hub.join(namespace, () => wake())
  const end = (): void => wake()
  over.addEventListener('abort', end)
  void clock.sleep(waitMs, over).then(() => settled.abort())
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve)) // before reading: what comes meanwhile counts
      const read = await reader.read()
      if (read.changes.length > 0 || over.aborted) return read
      if (read.again === 'soon') await clock.sleep(SOON_MS, over)
      if (read.again === 'woken') await woken
    }
  } finally {
    over.removeEventListener('abort', end)
    leave()
    settled.abort()
  }
}
