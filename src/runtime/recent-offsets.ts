const HOUR_MS = 3_600_000

/** Where the records of the last `retentionMs` begin, to the hour: one offset per hour is kept. */
export class RecentOffsets {
  private readonly retentionMs: number
  /** The lowest offset of each hour, in log order. */
  private readonly firsts: { readonly hour: number; readonly offset: number }[] = []

  constructor(retentionMs: number) {
    this.retentionMs = retentionMs
  }

  observe(offset: number, loggedAt: number): void {
    const hour = Math.floor(loggedAt / HOUR_MS)
    if (hour > (this.firsts.at(-1)?.hour ?? -Infinity)) this.firsts.push({ hour, offset })
  }

  /** `null` if there is no such record. */
  first(now: number): number | null {
    const oldest = Math.floor((now - this.retentionMs) / HOUR_MS)
    while ((this.firsts[0]?.hour ?? Infinity) < oldest) this.firsts.shift()
    return this.firsts[0]?.offset ?? null
  }
}
