import type { Clock } from '../../ports/clock.ts'

/** Something that goes on and has to be looked after. */
export interface WatchedReader {
  look(now: number): void
  /** The process ends. */
  stop(): void
}

const LOOK_EVERY_MS = 1_000

/** Looks after all streams, once a second: one sleeper for all, for as long as there are any. */
export class Watch {
  private readonly clock: Clock
  private readonly stopping: AbortSignal
  private readonly all = new Set<WatchedReader>()
  private running = false

  constructor(clock: Clock, stopping: AbortSignal) {
    this.clock = clock
    this.stopping = stopping
    stopping.addEventListener('abort', () => {
      for (const one of [...this.all]) one.stop()
    })
  }

  add(one: WatchedReader): void {
    this.all.add(one)
    if (this.stopping.aborted) one.stop()
    if (!this.running) void this.run()
  }

  remove(one: WatchedReader): void {
    this.all.delete(one)
  }

  private async run(): Promise<void> {
    this.running = true
    while (this.all.size > 0 && !this.stopping.aborted) {
      await this.clock.sleep(LOOK_EVERY_MS, this.stopping)
      const now = this.clock.now()
      for (const one of [...this.all]) one.look(now)
    }
    this.running = false
  }
}
