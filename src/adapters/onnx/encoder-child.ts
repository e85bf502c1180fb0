import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { projectPath } from '../../config/project-path.ts'
import type { OnnxAnswer, OnnxWork } from './encoder-work.ts'
import type { OnnxModelFiles } from './models.ts'

/** Sources run through tsx, a build runs directly. */
const fromSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(`./encoder-process.${fromSource ? 'ts' : 'js'}`, import.meta.url))

/** The process died during the work; another process may retry it. */
export class EncoderProcessDied extends Error {}

/** The process is alive but failed on this piece of work. */
export class PieceRefused extends Error {}

interface PendingRequest {
  readonly resolve: (answer: OnnxAnswer) => void
  readonly reject: (cause: EncoderProcessDied) => void
}

/** One encoder process. It processes requests one at a time and responds in order. */
export class EncoderChild {
  private readonly process: ChildProcess
  private readonly pending: PendingRequest[] = []
  private death: EncoderProcessDied | undefined

  private constructor(process: ChildProcess) {
    this.process = process
    const onEnd = (cause: unknown): void => {
      this.death ??= new EncoderProcessDied(`The encoder process ended (${String(cause)})`, { cause })
      for (const { reject } of this.pending.splice(0)) reject(this.death)
    }
    process.on('message', (message) => this.pending.shift()?.resolve(message as OnnxAnswer))
    process.on('exit', onEnd).on('error', onEnd)
  }

  /** Resolves when the model is loaded; rejects with the reason if loading fails. */
  static async start({ onnx, tokenizer }: OnnxModelFiles): Promise<EncoderChild> {
    const process = fork(program, [onnx, tokenizer], {
      cwd: projectPath(''),
      execArgv: fromSource ? ['--import', 'tsx'] : [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const child = new EncoderChild(process)
    const first = await child.answer()
    if (first.kind === 'failed') throw new Error(`The language model cannot be loaded: ${first.message}`)
    return child
  }

  get alive(): boolean {
    return this.death === undefined
  }

  get pid(): number | undefined {
    return this.process.pid
  }

  async ask(work: OnnxWork): Promise<Float32Array> {
    const answering = this.answer()
    this.process.send(work, () => undefined) // if the channel is closed, `answer` rejects
    const answer = await answering
    if (answer.kind === 'vectors') return answer.rows
    throw new PieceRefused(
      answer.kind === 'failed' ? `The encoder failed: ${answer.message}` : 'The encoder sent an unexpected answer',
    )
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const gone = once(this.process, 'exit')
    if (this.process.connected) this.process.disconnect()
    const tooSlow = setTimeout(() => this.process.kill('SIGKILL'), 2_000)
    await gone
    clearTimeout(tooSlow)
  }

  private async answer(): Promise<OnnxAnswer> {
    return new Promise((resolve, reject) => {
      if (this.death === undefined) this.pending.push({ resolve, reject })
      else reject(this.death)
    })
  }
}
