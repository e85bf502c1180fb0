import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import { startThread } from './start-thread.ts'

export interface WorkerPoolOptions {
  /** The source file of a thread. It calls `answerJobs`. */
  readonly thread: URL
  readonly workers: number
  /** A job that takes longer ends with its thread. */
  readonly timeoutMs: number
  /** Heap of one thread. A thread that needs more ends. */
  readonly memoryMb: number
}

export type JobOutcome<Result> =
  { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'failed' } | { readonly kind: 'timeout' }

interface WaitingJob<Job, Result> {
  readonly job: Job
  readonly transfer: readonly Transferable[]
  readonly resolve: (outcome: JobOutcome<Result>) => void
  readonly reject: (cause: Error) => void
}

interface PoolThread<Job, Result> {
  readonly worker: Worker
  isReady: boolean
  running: WaitingJob<Job, Result> | null
  timer: NodeJS.Timeout | null
}

/** Short-lived objects of a job stay in this part of the heap, where collecting them is cheap. */
const YOUNG_MB = 96

/**
 * Runs jobs in threads, which start on demand. A thread that ends or exceeds the time limit costs its job only: another
 * replaces it. `run` rejects only if threads cannot start.
 */
export class WorkerPool<Job, Result> {
  private readonly options: WorkerPoolOptions
  private readonly threads = new Set<PoolThread<Job, Result>>()
  private readonly waiting: WaitingJob<Job, Result>[] = []
  private isClosed = false

  constructor(options: WorkerPoolOptions) {
    this.options = options
  }

  run(job: Job, transfer: readonly Transferable[] = []): Promise<JobOutcome<Result>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, transfer, resolve, reject })
      this.assign()
    })
  }

  /** Ends the threads. Jobs that are not done fail. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { resolve } of this.waiting.splice(0)) resolve({ kind: 'failed' })
    await Promise.all([...this.threads].map(({ worker }) => worker.terminate()))
  }

  private assign(): void {
    if (this.isClosed) return
    for (const thread of this.threads) {
      if (!thread.isReady || thread.running !== null) continue
      const next = this.waiting.shift()
      if (next === undefined) return
      this.start(thread, next)
    }
    const idle = [...this.threads].filter(({ running }) => running === null).length
    const missing = Math.min(this.waiting.length - idle, this.options.workers - this.threads.size)
    for (let i = 0; i < missing; i++) this.addThread()
  }

  private start(thread: PoolThread<Job, Result>, next: WaitingJob<Job, Result>): void {
    thread.running = next
    thread.timer = setTimeout(() => {
      this.finish(thread, { kind: 'timeout' })
      this.remove(thread)
    }, this.options.timeoutMs)
    thread.worker.postMessage(next.job, next.transfer)
  }

  private finish(thread: PoolThread<Job, Result>, outcome: JobOutcome<Result>): void {
    if (thread.timer !== null) clearTimeout(thread.timer)
    thread.running?.resolve(outcome)
    thread.running = null
  }

  private addThread(): void {
    const { memoryMb, thread: source } = this.options
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB }
    const worker = startThread(source, { resourceLimits })
    const thread: PoolThread<Job, Result> = { worker, isReady: false, running: null, timer: null }
    this.threads.add(thread)
    let failure: unknown
    worker.on('message', (message: Answer<Result>) => {
      if (message.kind !== 'ready') this.finish(thread, message)
      thread.isReady = true
      this.assign()
    })
    worker.on('error', (cause) => (failure = cause))
    worker.on('exit', () => {
      if (thread.isReady || this.isClosed) this.remove(thread)
      else this.fail(thread, failure)
    })
  }

  private remove(thread: PoolThread<Job, Result>): void {
    this.finish(thread, { kind: 'failed' })
    if (!this.threads.delete(thread)) return
    void thread.worker.terminate()
    this.assign()
  }

  /** A thread that ended before its first job would end again. */
  private fail(thread: PoolThread<Job, Result>, cause: unknown): void {
    this.threads.delete(thread)
    for (const { reject } of this.waiting.splice(0)) reject(new Error('a worker thread did not start', { cause }))
  }
}

type Answer<Result> =
  { readonly kind: 'ready' } | { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'failed' }

/** Answers the jobs of a thread of a `WorkerPool`. An error fails its job, and the thread goes on. */
export function answerJobs(port: MessagePort, handle: (job: unknown) => unknown): void {
  const send = (answer: Answer<unknown>): void => port.postMessage(answer)
  port.on('message', (job: unknown) => {
    send(outcomeOf(() => handle(job)))
  })
  send({ kind: 'ready' })
}

function outcomeOf(run: () => unknown): Answer<unknown> {
  try {
    return { kind: 'done', result: run() }
  } catch {
    return { kind: 'failed' }
  }
}
