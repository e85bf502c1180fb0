/** Chance that can be had again: the same seed, the same draws (mulberry32). */
export class ChaosRandom {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  one<Of>(of: readonly Of[]): Of {
    const chosen = of[Math.floor(this.next() * of.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
}
