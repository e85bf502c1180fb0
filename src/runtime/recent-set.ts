/** A set that forgets the oldest when it holds more than so many. */
export class RecentSet<Thing> {
  private readonly most: number
  private readonly things = new Set<Thing>()

  constructor(most: number) {
    this.most = most
  }

  has(thing: Thing): boolean {
    return this.things.has(thing)
  }

  add(thing: Thing): void {
    this.things.add(thing)
    const [oldest] = this.things
    if (this.things.size > this.most && oldest !== undefined) this.things.delete(oldest)
  }
}
