import type { BaseLogger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { writeCursor } from '../../views/changes/position.ts'
import type { Connection } from '../http/stream-response.ts'
import { beatFrame, closingFrame, openingFrame, type RenderedFrames } from './frames.ts'
import type { FeedReader, FeedRead } from './reader.ts'

const CHECK_EVERY_MS = 1_000

/** Checks all streams once per second with one shared timer, while there are any. */
export class StreamMonitor {
  private readonly clock: Clock
  private readonly stopping: AbortSignal
  private readonly all = new Set<Stream>()
  private running = false

  constructor(clock: Clock, stopping: AbortSignal) {
    this.clock = clock
    this.stopping = stopping
    stopping.addEventListener('abort', () => {
      for (const one of [...this.all]) one.stop()
    })
  }

  add(one: Stream): void {
    this.all.add(one)
    if (this.stopping.aborted) one.stop()
    if (!this.running) void this.run()
  }

  remove(one: Stream): void {
    this.all.delete(one)
  }

  private async run(): Promise<void> {
    this.running = true
    while (this.all.size > 0 && !this.stopping.aborted) {
      await this.clock.sleep(CHECK_EVERY_MS, this.stopping)
      const now = this.clock.now()
      for (const one of [...this.all]) one.check(now)
    }
    this.running = false
  }
}

interface StreamParts {
  readonly namespace: string
  readonly key_id: string
  readonly reader: FeedReader
  /** Shared by all streams of the instance. */
  readonly rendered: RenderedFrames
  readonly connection: Connection
  readonly clock: Clock
  readonly logger: Pick<BaseLogger, 'info' | 'warn'>
  /** Releases the stream's resources. Called once, however the stream ends. */
  readonly release: () => void
  /** Called if the client was too slow. */
  readonly onDropped: () => void
}

const RETRY_MS = 2_000
const BEAT_MS = 15_000
/** A client that reads nothing for this long is considered gone or too slow. */
const STALLED_MS = 30_000
/** Delay before the next read while the view catches up. */
const CATCH_UP_PAUSE_MS = 250
const UNAVAILABLE_PAUSE_MS = 1_000
/** Size of one write to the socket. A client that reads this much in 30 s is not dropped. */
const CHUNK_CHARACTERS = 65_536

/**
 * One stream. The next frames, at most one page, are only rendered when the client has received the previous ones.
 * Until then changes stay in the buffer and the view.
 */
export class Stream {
  readonly body: ReadableStream<Uint8Array>
  private readonly parts: StreamParts
  private readonly encoder = new TextEncoder()
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null
  private readonly ending = new AbortController()
  private why = ''
  private finished = false
  private isMore = false
  private isUnavailable = false
  private awake: (() => void) | null = null
  /** The log time up to which the client had every change before the current page, in milliseconds since 1970. */
  private had: number
  /** When the chunk was written that the client has not read yet; `null` if there is none. */
  private pendingSince: number | null = null
  private lastWriteAt: number
  private readonly startedAt: number
  private sent = 0

  constructor(parts: StreamParts) {
    this.parts = parts
    this.startedAt = parts.clock.now()
    this.lastWriteAt = this.startedAt
    this.had = parts.reader.position.had
    const text = this.text()
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        pull: async () => {
          this.pendingSince = null
          const next = await text.next()
          this.write(next.done === true ? null : next.value)
        },
        cancel: () => this.finish('left'),
      },
      { highWaterMark: 0 },
    )
  }

  /** Signals that there may be more to send. */
  wake(): void {
    this.isMore = true
    this.awake?.()
  }

  check(now: number): void {
    if (this.pendingSince !== null && now - this.pendingSince >= STALLED_MS) this.drop()
    else if (!this.parts.connection.isAllowed()) this.end('the key has ended')
    else if (this.isIdle(now)) this.awake?.()
  }

  stop(): void {
    this.end('going down: come again')
  }

  /** Ends the stream with a closing comment, or without one if the socket's buffer is full. */
  private end(why: string): void {
    if (this.pendingSince !== null) {
      this.cut(why)
      return
    }
    this.why = why
    this.ending.abort()
    this.awake?.()
  }

  private drop(): void {
    this.parts.onDropped()
    const { key_id, logger } = this.parts
    logger.warn({ key_id, sent: this.sent }, 'slow_reader_dropped')
    this.cut('slow')
  }

  private cut(why: string): void {
    if (this.finished) return
    this.finish(why)
    this.parts.connection.cut()
    this.controller?.close()
  }

  private finish(why: string): void {
    if (this.finished) return
    this.finished = true
    this.ending.abort()
    this.awake?.()
    const { key_id, logger, clock } = this.parts
    logger.info({ key_id, why, sent: this.sent, seconds: (clock.now() - this.startedAt) / 1_000 }, 'stream_ended')
    this.parts.release()
  }

  private write(text: string | null): void {
    if (this.finished) return
    if (text !== null) {
      this.pendingSince = this.lastWriteAt = this.parts.clock.now()
      this.controller?.enqueue(this.encoder.encode(text))
      return
    }
    this.finish(this.why)
    this.controller?.close()
  }

  private isIdle(now: number): boolean {
    return now - this.lastWriteAt >= BEAT_MS
  }

  private cursor(): string {
    return writeCursor(this.parts.reader.position, this.parts.namespace)
  }

  private async *text(): AsyncGenerator<string, null> {
    yield openingFrame(this.cursor(), RETRY_MS)
    while (!this.ending.signal.aborted) {
      this.isMore = false
      const read = await this.read()
      if (read !== null) yield* this.frames(read.changes)
      if (this.isIdle(this.parts.clock.now())) yield beatFrame(this.cursor())
      await this.pauseAfter(read)
    }
    if (!this.finished) yield closingFrame(this.why)
    return null
  }

  /** `null` if an engine is unavailable. No change is lost; the read is repeated. */
  private async read(): Promise<FeedRead | null> {
    const { reader, logger, key_id } = this.parts
    this.had = reader.position.had
    try {
      const read = await reader.read()
      this.isUnavailable = false
      return read
    } catch (err) {
      if (!this.isUnavailable) logger.warn({ err, key_id }, 'stream_not_read')
      this.isUnavailable = true
      return null
    }
  }

  private *frames(changes: readonly FeedChange[]): Generator<string> {
    const { rendered, namespace } = this.parts
    let chunk = ''
    for (const change of changes) {
      chunk += rendered.of(change, { namespace, had: this.had })
      this.sent += 1
      if (chunk.length < CHUNK_CHARACTERS) continue
      yield chunk
      if (this.ending.signal.aborted) return
      chunk = ''
    }
    if (chunk !== '') yield chunk
  }

  private async pauseAfter(read: FeedRead | null): Promise<void> {
    const again = read?.again ?? 'unavailable'
    if (again === 'woken') await this.sleep()
    else if (again !== 'now')
      await this.parts.clock.sleep(
        again === 'unavailable' ? UNAVAILABLE_PAUSE_MS : CATCH_UP_PAUSE_MS,
        this.ending.signal,
      )
  }

  /** Waits until there may be changes, a heartbeat is due, or the stream ends. */
  private async sleep(): Promise<void> {
    if (this.isMore || this.ending.signal.aborted || this.isIdle(this.parts.clock.now())) return
    await new Promise<void>((resolve) => (this.awake = resolve))
    this.awake = null
  }
}
