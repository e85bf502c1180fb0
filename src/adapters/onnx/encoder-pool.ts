import { EncoderChild, EncoderProcessDied, PieceRefused } from './encoder-child.ts'
import type { OnnxWork } from './encoder-work.ts'
import type { OnnxModelFiles } from './models.ts'

/** How often a piece of work may crash its process before the caller gets the error. */
const MAX_CRASHES = 3

interface Piece {
  readonly work: OnnxWork
  readonly crashes: number
  readonly resolve: (rows: Float32Array) => void
  readonly reject: (cause: unknown) => void
}

/** One in progress and one queued, so that a process does not wait for the main thread. */
const PIECES_PER_PROCESS = 2

/** A position in the pool: one process, or its replacement after a crash. */
interface ProcessSlot {
  child: Promise<EncoderChild> | undefined
}

/**
 * Layer 0 is urgent: the passage of an article, or the text of a search. Layer 1 is more work and may wait,
 * because it only delays when its results become readable.
 */
const laneOf = (works: readonly OnnxWork[]): OnnxLane => (works.every(isUrgent) ? 'urgent' : 'patient')

function isUrgent(work: OnnxWork): boolean {
  if (work.kind === 'read' || work.kind === 'cross-read') return false
  return work.kind !== 'sentences' || work.items.length === 1
}

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
    this.slots = children.map((child): ProcessSlot => ({ child: Promise.resolve(child) }))
    // Process by process, so that the first pieces go to different ones.
    this.runners = Array.from({ length: PIECES_PER_PROCESS }, () =>
      this.slots.map((slot) => this.runPieces(slot)),
    ).flat()
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

  /** Resolves with the results of all pieces, in order. */
  async run(works: readonly OnnxWork[]): Promise<readonly Float32Array[]> {
    if (this.closed) throw new Error('The encoder is closed')
    const pieces: Piece[] = []
    const answers = works.map(
      (work) => new Promise<Float32Array>((resolve, reject) => pieces.push({ work, crashes: 0, resolve, reject })),
    )
    this.turns.add({ pieces, lane: laneOf(works) })
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
    for (let piece = await this.turns.take(); piece !== undefined; piece = await this.turns.take()) {
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
    if (mayRetry) this.turns.add({ pieces: [{ ...piece, crashes: piece.crashes + 1 }], lane: laneOf([piece.work]) })
    else piece.reject(cause)
  }
}

/** Priority of a caller's pieces. */
export type OnnxLane = 'urgent' | 'patient'

/** While both lanes have work, this many of four pieces are urgent. Patient work is slowed down but never blocked. */
const URGENT_OF_FOUR = 3

/** Pieces of one caller, in the order in which they should run. */
export interface OnnxQueue<Piece> {
  readonly pieces: readonly Piece[]
  readonly lane: OnnxLane
}

/**
 * A fair queue of the pieces of several callers: a short call waits for one piece of a long batch, not for all of it.
 * `take` waits until there is a piece, and returns `undefined` once the queue is closed.
 */
export class PieceTurns<Piece> {
  private readonly lanes: Readonly<Record<OnnxLane, Piece[][]>> = { urgent: [], patient: [] }
  private turn = 0
  private readonly waiting: ((piece: Piece | undefined) => void)[] = []
  private closed = false

  add({ pieces, lane }: OnnxQueue<Piece>): void {
    if (pieces.length === 0) return
    this.lanes[lane].push([...pieces])
    for (const resolve of this.waiting.splice(0, pieces.length)) resolve(this.next())
  }

  async take(): Promise<Piece | undefined> {
    const piece = this.next()
    if (piece !== undefined || this.closed) return piece
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Returns the pieces that are still queued. */
  close(): readonly Piece[] {
    this.closed = true
    for (const resolve of this.waiting.splice(0)) resolve(undefined)
    return [...this.lanes.urgent.splice(0), ...this.lanes.patient.splice(0)].flat()
  }

  private next(): Piece | undefined {
    const lane = this.lanes[this.nextLane()]
    const caller = lane.shift()
    const piece = caller?.shift()
    if (caller !== undefined && caller.length > 0) lane.push(caller)
    return piece
  }

  private nextLane(): OnnxLane {
    if (this.lanes.urgent.length === 0) return 'patient'
    if (this.lanes.patient.length === 0) return 'urgent'
    this.turn = (this.turn + 1) % 4
    return this.turn < URGENT_OF_FOUR ? 'urgent' : 'patient'
  }
}
