/** Who goes first when both wait. */
export type OnnxLane = 'urgent' | 'patient'

/** While both wait, this many of four pieces are urgent ones: patient work is slowed down but never blocked. */
const URGENT_OF_FOUR = 3

/** Pieces of one caller, in the order in which they should be taken. */
export interface OnnxQueue<Piece> {
  readonly pieces: readonly Piece[]
  readonly lane: OnnxLane
  /** The only child that may take them; `null` for any child. */
  readonly home: number | null
}

interface WaitingPiece<Piece> {
  readonly home: number
  readonly resolve: (piece: Piece | undefined) => void
}

interface OnnxCaller<Piece> {
  readonly home: number | null
  readonly pieces: Piece[]
}

/**
 * Pieces of work of several callers, taken in turns: a short call waits for one piece of a long batch, not for all of it.
 * `take` waits until there is a piece for that home and returns `undefined` once closed.
 */
export class PieceTurns<Piece> {
  private readonly lanes: Readonly<Record<OnnxLane, OnnxCaller<Piece>[]>> = { urgent: [], patient: [] }
  private turn = 0
  private readonly waiting: WaitingPiece<Piece>[] = []
  private closed = false

  add({ pieces, lane, home }: OnnxQueue<Piece>): void {
    if (pieces.length > 0) this.lanes[lane].push({ home, pieces: [...pieces] })
    for (const waiting of [...this.waiting]) {
      const piece = this.next(waiting.home)
      if (piece === undefined) continue
      this.waiting.splice(this.waiting.indexOf(waiting), 1)
      waiting.resolve(piece)
    }
  }

  async take(home: number): Promise<Piece | undefined> {
    const piece = this.next(home)
    if (piece !== undefined || this.closed) return piece
    return new Promise((resolve) => this.waiting.push({ home, resolve }))
  }

  /** Returns the pieces that were not taken. */
  close(): readonly Piece[] {
    this.closed = true
    for (const { resolve } of this.waiting.splice(0)) resolve(undefined)
    return [...this.lanes.urgent.splice(0), ...this.lanes.patient.splice(0)].flatMap(({ pieces }) => pieces)
  }

  private next(home: number): Piece | undefined {
    const [urgent, patient] = [this.firstFor(home, 'urgent'), this.firstFor(home, 'patient')]
    const lane = this.laneOf(urgent, patient)
    const callers = this.lanes[lane]
    const [caller] = callers.splice(lane === 'urgent' ? urgent : patient, 1)
    const piece = caller?.pieces.shift()
    if (caller !== undefined && caller.pieces.length > 0) callers.push(caller)
    return piece
  }

  /** Index of the first caller whose work this home may take; past the end: none. */
  private firstFor(home: number, lane: OnnxLane): number {
    const found = this.lanes[lane].findIndex((caller) => caller.home === null || caller.home === home)
    return found < 0 ? this.lanes[lane].length : found
  }

  private laneOf(urgent: number, patient: number): OnnxLane {
    if (urgent === this.lanes.urgent.length) return 'patient'
    if (patient === this.lanes.patient.length) return 'urgent'
    this.turn = (this.turn + 1) % 4
    return this.turn < URGENT_OF_FOUR ? 'urgent' : 'patient'
  }
}
