import { EncoderChild, EncoderProcessDied, PieceRefused } from './encoder-child.ts'
import type { OnnxWork } from './encoder-work.ts'
import type { OnnxModelFiles } from './models.ts'

/** How often a piece of work may crash its process before the caller gets the error. */
const MAX_CRASHES = 3

interface Piece {
  readonly work: OnnxWork
  /** Index of the only process that may run it; `null` for any. */
  readonly home: number | null
  readonly crashes: number
  readonly resolve: (rows: Float32Array) => void
  readonly reject: (cause: unknown) => void
}

/** One in progress and one queued, so that a process does not wait for the main thread. */
const PIECES_PER_PROCESS = 2

/** A position in the pool: one process, or its replacement after a crash. */
interface ProcessSlot {
  readonly home: number
  child: Promise<EncoderChild> | undefined
}

/**
 * Layer 0 is urgent: the passage of an article, or the text of a search. Layer 1 is ten times the work and may wait,
 * because it only delays when its results become readable.
 */
const laneOf = (works: readonly OnnxWork[]): OnnxLane =>
  works.every(({ kind, items }) => !OF_LAYER_1.includes(kind) || (kind === 'sentences' && items.length === 1))
    ? 'urgent'
    : 'patient'

const OF_LAYER_1: readonly OnnxWork['kind'][] = ['sentences', 'readings', 'tags']

/** A pool of encoder processes. A process that dies is replaced and its work is retried. */
export class EncoderPool {
  private readonly turns = new PieceTurns<Piece>()
  private readonly slots: readonly ProcessSlot[]
  private readonly runners: Promise<void>[]
  private readonly children: Set<EncoderChild>
  private readonly files: OnnxModelFiles
  private closed = false

  private constructor(files: OnnxModelFiles, children: readonly EncoderChild[]) {
    this.files = files
    this.children = new Set(children)
    this.slots = children.map((child, home): ProcessSlot => ({ home, child: Promise.resolve(child) }))
    this.runners = this.slots.flatMap((slot) => Array.from({ length: PIECES_PER_PROCESS }, () => this.runPieces(slot)))
  }

  static async start(files: OnnxModelFiles, processes: number): Promise<EncoderPool> {
    const started = await Promise.allSettled(Array.from({ length: processes }, () => EncoderChild.start(files)))
    const children = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failure = started.find((result) => result.status === 'rejected')
    if (failure === undefined) return new EncoderPool(files, children)
    await Promise.all(children.map((child) => child.stop()))
    throw failure.reason
  }

  /** Process ids of the live encoders. */
  get pids(): readonly number[] {
    return [...this.children].flatMap(({ alive, pid }) => (alive && pid !== undefined ? [pid] : []))
  }

  /**
   * Resolves with the results of all pieces, in order. Calls with the same `topic` run in the same process, which may
   * still have the window states of earlier calls cached.
   */
  async run(works: readonly OnnxWork[], topic?: string): Promise<readonly Float32Array[]> {
    if (this.closed) throw new Error('The encoder is closed')
    const home = topic === undefined ? null : hashOf(topic) % this.slots.length
    const pieces: Piece[] = []
    const answers = works.map(
      (work) =>
        new Promise<Float32Array>((resolve, reject) => pieces.push({ work, home, crashes: 0, resolve, reject })),
    )
    this.turns.add({ pieces, lane: laneOf(works), home })
    return Promise.all(answers)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const { reject } of this.turns.close()) reject(new Error('The encoder was closed'))
    await Promise.all([...this.children].map((child) => child.stop()))
    await Promise.all(this.runners)
    // A replacement may have started after the others were stopped.
    await Promise.all([...this.children].map((child) => child.stop()))
  }

  /** Runs pieces one after another until closed. A process that dies is replaced. */
  private async runPieces(slot: ProcessSlot): Promise<void> {
    for (let piece = await this.turns.take(slot.home); piece !== undefined; piece = await this.turns.take(slot.home)) {
      const child = (slot.child ??= this.startReplacement())
      try {
        piece.resolve(await (await child).ask(piece.work))
      } catch (cause) {
        if (slot.child === child && !(cause instanceof PieceRefused)) slot.child = undefined
        this.afterFailure(piece, cause)
      }
    }
  }

  private async startReplacement(): Promise<EncoderChild> {
    const child = await EncoderChild.start(this.files)
    for (const old of this.children) if (!old.alive) this.children.delete(old)
    this.children.add(child)
    return child
  }

  private afterFailure(piece: Piece, cause: unknown): void {
    const mayRetry = cause instanceof EncoderProcessDied && piece.crashes + 1 < MAX_CRASHES && !this.closed
    if (mayRetry)
      this.turns.add({
        pieces: [{ ...piece, crashes: piece.crashes + 1 }],
        lane: laneOf([piece.work]),
        home: piece.home,
      })
    else piece.reject(cause)
  }
}

/** FNV-1a, 32-bit. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Priority of a caller's pieces. */
export type OnnxLane = 'urgent' | 'patient'

/** While both lanes have work, this many of four pieces are urgent. Patient work is slowed down but never blocked. */
const URGENT_OF_FOUR = 3

/** Pieces of one caller, in the order in which they should run. */
export interface OnnxQueue<Piece> {
  readonly pieces: readonly Piece[]
  readonly lane: OnnxLane
  /** The only process that may run them; `null` for any process. */
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
 * A fair queue of the pieces of several callers: a short call waits for one piece of a long batch, not for all of it.
 * `take` waits until there is a piece for that process, and returns `undefined` once the queue is closed.
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

  /** Returns the pieces that are still queued. */
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

  /** Index of the first caller whose work this process may take; the length of the lane if there is none. */
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
