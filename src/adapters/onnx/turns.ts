/** Who goes first when both wait. */
export type Lane = 'urgent' | 'patient'

/** While both wait, so many of four pieces are urgent ones: the patient are held back, never held up. */
const URGENT_OF_FOUR = 3

/**
 * Pieces of work of several callers, taken in turns: a short question waits for one piece of a long batch, not for all
 * of it. `take` waits until there is something and answers undefined once closed.
 */
export class Turns<Piece> {
  private readonly lanes: Readonly<Record<Lane, Piece[][]>> = { urgent: [], patient: [] }
  private turn = 0
  private readonly waiting: ((piece: Piece | undefined) => void)[] = []
  private closed = false

  /** A caller's pieces, in the order in which they should be taken. */
  add(pieces: readonly Piece[], lane: Lane): void {
    if (pieces.length > 0) this.lanes[lane].push([...pieces])
    while (this.waiting.length > 0 && this.isWork()) this.waiting.shift()?.(this.next())
  }

  async take(): Promise<Piece | undefined> {
    if (this.isWork()) return this.next()
    if (this.closed) return undefined
    return await new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Gives back what nobody has taken. */
  close(): readonly Piece[] {
    this.closed = true
    for (const wake of this.waiting.splice(0)) wake(undefined)
    return [...this.lanes.urgent.splice(0), ...this.lanes.patient.splice(0)].flat()
  }

  private isWork(): boolean {
    return this.lanes.urgent.length > 0 || this.lanes.patient.length > 0
  }

  private next(): Piece | undefined {
    const callers = this.nextLane()
    const pieces = callers.shift()
    const piece = pieces?.shift()
    if (pieces !== undefined && pieces.length > 0) callers.push(pieces)
    return piece
  }

  private nextLane(): Piece[][] {
    const { urgent, patient } = this.lanes
    if (urgent.length === 0) return patient
    if (patient.length === 0) return urgent
    this.turn = (this.turn + 1) % 4
    return this.turn < URGENT_OF_FOUR ? urgent : patient
  }
}
