import type { SimulationRandom } from './random.ts'

export interface ReceiverReply {
  /** Of HTTP; null: the connection broke. */
  readonly status: number | null
  readonly takesMs: number
}

/** Those to whom webhooks are delivered: each has a temper, and all remember what reached them. */
export class Receivers {
  /** By address, ids of changes that reached it, as often as they did. */
  readonly reached = new Map<string, string[]>()
  /** The same of those that it has said to have taken. */
  readonly taken = new Map<string, string[]>()
  private readonly random: SimulationRandom
  private readonly tempers = new Map<string, number>()
  calm = false

  constructor(random: SimulationRandom) {
    this.random = random
  }

  hear(url: string, id: string): ReceiverReply {
    remember(this.reached, url, id)
    const temper = this.tempers.get(url) ?? this.random.next() ** 2 * 0.6
    this.tempers.set(url, temper)
    const takesMs = this.random.chance(0.3) ? this.random.between(1, 200) : 0
    if (!this.calm && this.random.chance(temper)) {
      const status = this.random.pick([500, 503, 429, null])
      return { status, takesMs }
    }
    remember(this.taken, url, id)
    return { status: 200, takesMs }
  }
}

function remember(by: Map<string, string[]>, url: string, id: string): void {
  const known = by.get(url) ?? []
  known.push(id)
  by.set(url, known)
}
