import { EncoderChild, EncoderProcessDied } from './encoder-child.ts'
import type { Work } from './messages.ts'
import type { ModelFiles } from './mini-lm.ts'
import { Turns } from './turns.ts'

/** How often a piece of work may end its process before its caller is told. */
const DEATHS = 3

interface Piece {
  readonly work: Work
  readonly deaths: number
  readonly resolve: (rows: Float32Array) => void
  readonly reject: (cause: unknown) => void
}

/** Encoder processes that share the work. One that dies is replaced and what it had in hand is done again. */
export class EncoderPool {
  private readonly turns = new Turns<Piece>()
  private readonly seats: Promise<void>[]
  private readonly children = new Set<EncoderChild>()
  private readonly files: ModelFiles
  private closed = false

  private constructor(files: ModelFiles, children: readonly EncoderChild[]) {
    this.files = files
    this.seats = children.map(async (child) => await this.sit(child))
  }

  static async start(files: ModelFiles, processes: number): Promise<EncoderPool> {
    const started = await Promise.allSettled(
      Array.from({ length: processes }, async () => await EncoderChild.start(files)),
    )
    const children = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failure = started.find((result) => result.status === 'rejected')
    if (failure === undefined) return new EncoderPool(files, children)
    await Promise.all(children.map(async (child) => await child.stop()))
    throw failure.reason
  }

  /** Process ids of the encoders that live now. */
  get pids(): readonly number[] {
    return [...this.children].flatMap(({ pid }) => pid ?? [])
  }

  /** The answers to all pieces, in their order. */
  async run(works: readonly Work[]): Promise<readonly Float32Array[]> {
    if (this.closed) throw new Error('The encoder is closed')
    const pieces: Piece[] = []
    const answers = works.map(
      async (work) =>
        await new Promise<Float32Array>((resolve, reject) => pieces.push({ work, deaths: 0, resolve, reject })),
    )
    this.turns.add(pieces)
    return await Promise.all(answers)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const { reject } of this.turns.close()) reject(new Error('The encoder was closed'))
    await Promise.all([...this.children].map(async (child) => await child.stop()))
    await Promise.all(this.seats)
  }

  /** One process after another, one piece of work after another, until closed. */
  private async sit(first: EncoderChild): Promise<void> {
    let child: EncoderChild | undefined = first
    this.children.add(first)
    for (let piece = await this.turns.take(); piece !== undefined; piece = await this.turns.take()) {
      try {
        child ??= await this.replace()
        piece.resolve(await child.ask(piece.work))
      } catch (cause) {
        if (cause instanceof EncoderProcessDied && child !== undefined) {
          this.children.delete(child)
          child = undefined
        }
        this.afterFailure(piece, cause)
      }
    }
  }

  private async replace(): Promise<EncoderChild> {
    const child = await EncoderChild.start(this.files)
    this.children.add(child)
    return child
  }

  private afterFailure(piece: Piece, cause: unknown): void {
    const again = cause instanceof EncoderProcessDied && piece.deaths + 1 < DEATHS && !this.closed
    if (again) this.turns.add([{ ...piece, deaths: piece.deaths + 1 }])
    else piece.reject(cause)
  }
}
