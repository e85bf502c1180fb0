import type { Place } from '../ports/log.ts'

/** What a consumer is at. */
export type PulseState =
  /** Nothing in hand. */
  | 'idle'
  | 'working'
  /** A step is tried again: something it needs is away, and starting it anew would not help. */
  | 'retrying'
  /** Something is in hand, and for too long nothing has come of it, not even a failure. */
  | 'stuck'

export interface Sign {
  readonly state: PulseState
  /** Since it is in this state, milliseconds since 1970. */
  readonly since: number
  /** The step that is tried again; null: none. */
  readonly step: string | null
}

/** The signs of life of one consumer, as its loop gives them. Times are milliseconds since 1970. */
export class Pulse {
  readonly group: string
  /** What is ours to read, and read for good once it was in hand; nothing as long as that is not known. */
  reads: readonly Omit<Place, 'offset'>[] = []
  private inHand = 0
  private step: { readonly name: string; readonly since: number } | null = null
  private changed: number
  private last: number

  constructor(group: string, now: number) {
    this.group = group
    this.changed = now
    this.last = now
  }

  /** A batch is in hand; several are, where there are several partitions. */
  took(now: number): void {
    if (this.inHand === 0) this.changed = now
    this.inHand += 1
    this.last = now
  }

  /** A part of it is done for good. */
  progressed(now: number): void {
    this.step = null
    this.last = now
  }

  failed(name: string, now: number): void {
    if (this.step?.name !== name) this.step = { name, since: now }
    this.last = now
  }

  /** The batch is out of hand, done or not. */
  left(now: number): void {
    this.inHand -= 1
    this.step = null
    this.last = now
    if (this.inHand === 0) this.changed = now
  }

  /** `silentMs`: longer than any part or wait between two attempts takes. */
  sign(now: number, silentMs: number): Sign {
    if (this.inHand === 0) return { state: 'idle', since: this.changed, step: null }
    if (now - this.last > silentMs) return { state: 'stuck', since: this.last, step: this.step?.name ?? null }
    if (this.step !== null) return { state: 'retrying', since: this.step.since, step: this.step.name }
    return { state: 'working', since: this.changed, step: null }
  }
}
