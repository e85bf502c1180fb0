import type { SimulationRandom } from './random.ts'

/** What may become of a call: of any, one in so many. */
const OF_A_CALL = ['request lost', 'reply lost', 'reply late', 'effect late'] as const
/** What may happen between any two steps. */
const OF_THE_WORLD = [
  'crash',
  'orderly restart',
  'pause',
  'cut off',
  'rebalance',
  'store away',
  'disk full',
  'registry away',
  'model away',
  'compaction',
] as const

export type CallFault = (typeof OF_A_CALL)[number]
export type WorldFault = (typeof OF_THE_WORLD)[number]
export type Fault = CallFault | WorldFault | 'deadly message'

/** Things that may be away for a while. */
export type FaultsAway = 'store away' | 'disk full' | 'registry away' | 'model away'

const MOST_OF_CALLS = 0.03
const MOST_OF_STEPS = 0.003
/** A schedule knows only some kinds, so that what one hides another does not cover up. */
const KNOWN = 0.6

/** What goes wrong, how often, and what has. */
export class Faults {
  readonly counts = new Map<Fault, number>()
  /** Nothing goes wrong any more. */
  calm = false
  private readonly random: SimulationRandom
  private readonly rates = new Map<Fault, number>()
  private readonly awayUntil = new Map<FaultsAway, number>()

  constructor(random: SimulationRandom) {
    this.random = random
    for (const kind of OF_A_CALL) this.rates.set(kind, this.rate(MOST_OF_CALLS))
    for (const kind of OF_THE_WORLD) this.rates.set(kind, this.rate(MOST_OF_STEPS))
  }

  /** Of one call; null: it goes well. */
  ofCall(): CallFault | null {
    return this.draw(OF_A_CALL)
  }

  /** Before the next step; null: nothing happens. */
  ofWorld(): WorldFault | null {
    return this.draw(OF_THE_WORLD)
  }

  count(fault: Fault): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
  }

  away(what: FaultsAway, until: number): void {
    this.awayUntil.set(what, until)
  }

  isAway(what: FaultsAway, now: number): boolean {
    return !this.calm && (this.awayUntil.get(what) ?? 0) > now
  }

  private rate(most: number): number {
    const known = this.random.chance(KNOWN)
    const rate = most * this.random.next() ** 2
    return known ? rate : 0
  }

  private draw<Kind extends Fault>(kinds: readonly Kind[]): Kind | null {
    if (this.calm) return null
    let left = this.random.next()
    for (const kind of kinds) {
      left -= this.rates.get(kind) ?? 0
      if (left >= 0) continue
      this.count(kind)
      return kind
    }
    return null
  }
}
