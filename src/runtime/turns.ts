/** One at a time per key, in the order of asking. */
export class PartTurns<Key> {
  private readonly last = new Map<Key, Promise<unknown>>()

  async take<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key)
    }
  }
}
