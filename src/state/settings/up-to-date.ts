import type { Clock } from '../../ports/clock.ts'
import type { BookPorts } from './book.ts'

interface CatchesUp {
  catchUp(ports: BookPorts): Promise<readonly number[]>
}

interface UpToDatePorts extends BookPorts {
  readonly clock: Pick<Clock, 'now'>
  /** Offsets of settings that were not understood. */
  readonly onStrange: (offsets: readonly number[]) => void
}

/** A book for many who ask at once: it is read on only when somebody asks, by one at a time. Throws while the log is away. */
export class UpToDate<Kept extends CatchesUp> {
  private readonly book: Kept
  private readonly ports: UpToDatePorts
  private running: Promise<void> | null = null
  private following: Promise<void> | null = null
  private readAt = -Infinity

  constructor(book: Kept, ports: UpToDatePorts) {
    this.book = book
    this.ports = ports
  }

  /** With everything that the log had taken when this was called. */
  async now(): Promise<Kept> {
    if (this.running === null) await this.start()
    else await (this.following ??= this.running.then(this.startNext, this.startNext))
    return this.book
  }

  /** With everything the log had taken so many milliseconds ago; read on in time, so that who asks often seldom waits. */
  async within(ms: number): Promise<Kept> {
    const age = this.ports.clock.now() - this.readAt
    if (age > ms) return this.now()
    if (age > ms / 2 && this.running === null) this.start().catch(() => undefined) // the next caller that needs it asks again
    return this.book
  }

  private readonly startNext = async (): Promise<void> => {
    this.following = null
    await this.start()
  }

  private async start(): Promise<void> {
    const at = this.ports.clock.now()
    this.running = this.book.catchUp(this.ports).then((strange) => {
      this.readAt = at
      if (strange.length > 0) this.ports.onStrange(strange)
    })
    const mine = this.running
    try {
      await mine
    } finally {
      if (this.running === mine) this.running = null
    }
  }
}
