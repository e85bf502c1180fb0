import { mulberry32 } from '../../src/quality/seeded-random.ts'

/** Chance that can be had again: the same seed, the same draws. */
export class ChaosRandom {
  /** From 0 up to, not including, 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = mulberry32(seed)
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
