import { Away } from '../away.ts'

interface Bounds {
  /** Done at once. */
  readonly inHand: number
  /** Waiting for a place; who comes after them is sent away. */
  readonly waiting: number
}

/** Keeps costly work within bounds, in the order it came; beyond them it throws `Away`, which the caller may try again. */
export class Room {
  private free: number
  private readonly most: number
  private readonly queue: (() => void)[] = []

  constructor({ inHand, waiting }: Bounds) {
    this.free = inHand
    this.most = waiting
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--
    else if (this.queue.length >= this.most) throw new Away(`${this.most} wait already`)
    else await new Promise<void>((enter) => this.queue.push(enter)) // who leaves hands on the place
    try {
      return await work()
    } finally {
      const next = this.queue.shift()
      if (next === undefined) this.free++
      else next()
    }
  }
}
