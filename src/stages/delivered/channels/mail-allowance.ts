const DAY_MS = 86_400_000
const MOST_PER_DAY = 100
/** Addresses counted at a time: a few megabytes. */
const MOST_ADDRESSES = 50_000

/** The start of the next UTC day, milliseconds since 1970. */
export const nextDay = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS

/**
 * How many e-mails an address may still receive on a UTC day, over all monitors. Counted by each process; if there are
 * more addresses than fit into memory, those counted first are forgotten.
 */
export class MailAllowance {
  private day = -1
  private readonly sent = new Map<string, number>()

  /** Counts an e-mail. Returns `false` if the address may not receive another one on the day of `now`. */
  take(address: string, now: number): boolean {
    this.begin(now)
    const key = address.toLowerCase()
    const before = this.sent.get(key) ?? 0
    if (before >= MOST_PER_DAY) return false
    if (before === 0) this.makeRoom()
    this.sent.set(key, before + 1)
    return true
  }

  /** The e-mail was not accepted, so it does not count. */
  giveBack(address: string): void {
    const key = address.toLowerCase()
    const before = this.sent.get(key) ?? 0
    if (before > 0) this.sent.set(key, before - 1)
  }

  private begin(now: number): void {
    const day = Math.floor(now / DAY_MS)
    if (day === this.day) return
    this.day = day
    this.sent.clear()
  }

  private makeRoom(): void {
    if (this.sent.size < MOST_ADDRESSES) return
    for (const first of this.sent.keys()) {
      this.sent.delete(first)
      return
    }
  }
}
