import type { Clock } from '../ports/clock.ts'
import type { OutRecord } from '../ports/log.ts'
import type { RecordPart } from './consume-parts.ts'

/** A commit only determines where a restart reads from. The delay costs a restart a few extra records. */
const EVERY_MS = 500

export type LateCommit = ReturnType<typeof lateCommit>

/** Commits the newest offset in the background, at most once per interval, so that nothing waits for the broker. */
export function lateCommit(clock: Clock) {
  const ending = new AbortController()
  let newest: { readonly part: RecordPart; readonly at: number } | null = null
  let going: Promise<void> | null = null
  const go = async (): Promise<void> => {
    while (newest !== null) {
      const { part, at } = newest
      newest = null
      await part.commit(at).catch(() => undefined) // the partition was revoked: the next owner commits
      if (!ending.signal.aborted) await clock.sleep(EVERY_MS, ending.signal)
    }
    going = null
  }
  return {
    want(part: RecordPart, at: number): void {
      newest = { part, at }
      going ??= go()
    },
    /** Commits the newest offset, if the partition is still assigned. */
    async end(): Promise<void> {
      ending.abort()
      await going
    },
  }
}

interface WaitingRecord {
  readonly record: OutRecord
  readonly written: () => void
  readonly failed: (cause: unknown) => void
}

/**
 * Batches records that are written concurrently: those that arrive during a request go into the next one. The returned
 * function resolves when its record is written.
 */
export function recording(write: (records: readonly OutRecord[]) => Promise<void>) {
  const waiting: WaitingRecord[] = []
  let isWriting = false
  const flush = async (): Promise<void> => {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const some = waiting.splice(0)
      try {
        await write(some.map(({ record }) => record))
        for (const { written } of some) written()
      } catch (cause) {
        for (const { failed } of some) failed(cause)
      }
    }
    isWriting = false
  }
  return (record: OutRecord): Promise<void> =>
    new Promise((written, failed) => {
      waiting.push({ record, written, failed })
      void flush()
    })
}
