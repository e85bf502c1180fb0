import type { Place } from '../ports/log.ts'

/** What a consumer is at. */
export type PulseState =
  /** Nothing in hand. */
  | 'idle'
  | 'working'
  /** A step is tried again: something it needs is away, and restarting it would not help. */
  | 'retrying'
  /** Something is in hand, and for too long nothing has come of it, not even a failure. */
  | 'stuck'

/** A partition of a topic. */
export type PulsePartition = Omit<Place, 'offset'>

/** A partition whose step is being retried. */
export interface Retrying extends PulsePartition {
  readonly step: string
  readonly since: number
}

export interface Sign {
  readonly state: PulseState
  /** Since it is in this state, milliseconds since 1970. */
  readonly since: number
  /** The step that is tried again; null: none. */
  readonly step: string | null
  /** The partitions that are being retried, the longest first; the consumer's other partitions go on. */
  readonly retrying: readonly Retrying[]
}

interface PulseInHand extends PulsePartition {
  last: number
  step: { readonly name: string; readonly since: number } | null
}

/** The signs of life of one consumer, as its loop gives them. Times are milliseconds since 1970. */
export class Pulse {
  readonly group: string
  /** What is ours to read, and read for good once it was in hand; nothing as long as that is not known. */
  reads: readonly PulsePartition[] = []
  private readonly inHand = new Map<string, PulseInHand>()
  private changed: number

  constructor(group: string, now: number) {
    this.group = group
    this.changed = now
  }

  /** A batch is in hand; several are, where a partition is being retried beside the others. */
  took({ topic, partition }: PulsePartition, now: number): void {
    if (this.inHand.size === 0) this.changed = now
    this.inHand.set(nameOf({ topic, partition }), { topic, partition, last: now, step: null })
  }

  /** A part of it is done for good. */
  progressed(place: PulsePartition, now: number): void {
    const batch = this.inHand.get(nameOf(place))
    if (batch !== undefined) Object.assign(batch, { last: now, step: null })
  }

  failed(place: PulsePartition, step: string, now: number): void {
    const batch = this.inHand.get(nameOf(place))
    if (batch === undefined) return
    batch.last = now
    if (batch.step?.name !== step) batch.step = { name: step, since: now }
  }

  /** The batch is out of hand, done or not. */
  left(place: PulsePartition, now: number): void {
    this.inHand.delete(nameOf(place))
    if (this.inHand.size === 0) this.changed = now
  }

  /** `silentMs`: longer than any part or wait between two attempts takes. */
  sign(now: number, silentMs: number): Sign {
    const [quietest] = [...this.inHand.values()].sort((a, b) => a.last - b.last)
    const retrying = this.retrying()
    if (quietest === undefined) return { state: 'idle', since: this.changed, step: null, retrying }
    if (now - quietest.last > silentMs) {
      return { state: 'stuck', since: quietest.last, step: quietest.step?.name ?? null, retrying }
    }
    const [longest] = retrying
    if (longest !== undefined) return { state: 'retrying', since: longest.since, step: longest.step, retrying }
    return { state: 'working', since: this.changed, step: null, retrying }
  }

  private retrying(): readonly Retrying[] {
    return [...this.inHand.values()]
      .flatMap(({ topic, partition, step }) =>
        step === null ? [] : [{ topic, partition, step: step.name, since: step.since }],
      )
      .sort((a, b) => a.since - b.since)
  }
}

const nameOf = ({ topic, partition }: PulsePartition): string => `${topic} ${partition}`
