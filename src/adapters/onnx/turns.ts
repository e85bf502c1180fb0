/**
 * Pieces of work of several callers, taken in turns: a short question waits for one piece of a long batch, not for all
 * of it. `take` waits until there is something and answers undefined once closed.
 */
export class Turns<Piece> {
  private readonly callers: Piece[][] = []
  private readonly waiting: ((piece: Piece | undefined) => void)[] = []
  private closed = false

  /** A caller's pieces, in the order in which they should be taken. */
  add(pieces: readonly Piece[]): void {
    if (pieces.length > 0) this.callers.push([...pieces])
    while (this.waiting.length > 0 && this.callers.length > 0) this.waiting.shift()?.(this.next())
  }

  async take(): Promise<Piece | undefined> {
    if (this.callers.length > 0) return this.next()
    if (this.closed) return undefined
    return await new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Gives back what nobody has taken. */
  close(): readonly Piece[] {
    this.closed = true
    for (const wake of this.waiting.splice(0)) wake(undefined)
    return this.callers.splice(0).flat()
  }

  private next(): Piece | undefined {
    const pieces = this.callers.shift()
    const piece = pieces?.shift()
    if (pieces !== undefined && pieces.length > 0) this.callers.push(pieces)
    return piece
  }
}
