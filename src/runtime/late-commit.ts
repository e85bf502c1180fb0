import type { Clock } from '../ports/clock.ts'
import type { RecordPart } from './consume-parts.ts'

/** Of a commit that only says where a restart reads from: later by so much costs a restart some records more. */
const EVERY_MS = 500

/** Commits in the background, at most once in a while, and then the newest only: nothing waits for the broker. */
export class LateCommit {
  private readonly clock: Clock
  private readonly ending = new AbortController()
  private newest: { readonly part: RecordPart; readonly at: number } | null = null
  private going: Promise<void> | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  want(part: RecordPart, at: number): void {
    this.newest = { part, at }
    this.going ??= this.go()
  }

  /** Commits what is still wanted, if the partition is still ours. */
  async end(): Promise<void> {
    this.ending.abort()
    await this.going
  }

  private async go(): Promise<void> {
    while (this.newest !== null) {
      const { part, at } = this.newest
      this.newest = null
      await part.commit(at).catch(() => undefined) // not ours any more: the next owner commits
      if (!this.ending.signal.aborted) await this.clock.sleep(EVERY_MS, this.ending.signal)
    }
    this.going = null
  }
}
