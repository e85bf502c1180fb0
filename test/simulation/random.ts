/** Random numbers that follow from a seed alone (sfc32): the only source of chance in a simulation. */
export class SimulationRandom {
  private a: number
  private b = 0x9e3779b9
  private c = 0x243f6a88
  private counter = 1

  constructor(seed: number) {
    this.a = seed >>> 0
    this.b ^= Math.floor(seed / 2 ** 32) >>> 0
    for (let i = 0; i < 12; i++) this.next()
  }

  /** From 0 to 1, 1 excluded. */
  next(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0
    return (t >>> 0) / 2 ** 32
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<One>(of: readonly One[]): One {
    const one = of[this.between(0, of.length - 1)]
    if (one === undefined) throw new Error('there is nothing to pick from')
    return one
  }

  shuffled<One>(of: readonly One[]): One[] {
    const all = [...of]
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.between(0, i)
      const [one, other] = [all[i], all[j]]
      if (one === undefined || other === undefined) continue
      all[i] = other
      all[j] = one
    }
    return all
  }

  /** A generator of its own, so that what one part of a simulation draws does not shift what another draws. */
  fork(): SimulationRandom {
    return new SimulationRandom(Math.floor(this.next() * 2 ** 32))
  }
}
