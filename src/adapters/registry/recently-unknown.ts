/** Schema ids that were recently unknown. Each is remembered for a limited time. */
export class RecentlyUnknown {
  private readonly forMs: number
  /** Schema id to the time from which it may be looked up again, milliseconds since 1970; earliest first. */
  private readonly until = new Map<number, number>()

  constructor(forMs: number) {
    this.forMs = forMs
  }

  get size(): number {
    return this.until.size
  }

  add(id: number, now: number): void {
    for (const [old, until] of this.until) {
      if (until > now) break
      this.until.delete(old)
    }
    this.until.delete(id) // re-insert at the end
    this.until.set(id, now + this.forMs)
  }

  has(id: number, now: number): boolean {
    return (this.until.get(id) ?? 0) > now
  }
}
