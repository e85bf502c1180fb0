import type { Clock } from '../../ports/clock.ts'
import type { BodyLimits, BodyReport } from './dependencies.ts'
import { EngineUnavailable } from './engine-deadline.ts'
import { problem, type Problem, RETRY_AFTER_SECONDS } from './problem.ts'
import { ClientGone, readBody, type ReadBody } from './read-body.ts'
import { LaneFull, AdmissionQueue, type AdmissionLimits } from './admission.ts'

export const BODY_LIMITS: BodyLimits = { bytes: 96 * 1024 * 1024, bytesOfOne: 32 * 1024 * 1024, deadlineMs: 30_000 }

/** Bodies up to this size have their own part of the budget, so that a large import does not delay single articles. */
const SMALL_BYTES = 256 * 1024
const SMALL_PART = 1 / 6
/** Clients time out earlier. Node's limit for a whole request is longer. */
export const LONGEST_WAIT_MS = 120_000
/** More than an importer sends in parallel. A waiting request buffers one read from its socket, at most 64 KiB. */
const WAITING: Pick<AdmissionLimits, 'waiting' | 'waitingPerLane'> = { waiting: 512, waitingPerLane: 128 }

export interface BodyAdmissionBody {
  /** The caller. A key and the keys it was rotated to have the same owner. */
  readonly owner: string
  /** The announced length, or the route's maximum if no length was announced. */
  readonly bytes: number
  /** Aborted when the client closes the connection. */
  readonly gone: () => AbortSignal
}

/**
 * Admission control for request bodies. A body is read only when its announced size fits into the budget, and it holds
 * that share until the response is ready, because the parsed data lives as long. Until then the socket is not read, so
 * the bytes stay with the client. Requests of one caller are served in order, callers take turns, and no caller exceeds
 * its share, so that slow or many uploads delay only their own caller.
 */
export class BodyAdmission {
  private readonly small: AdmissionQueue
  private readonly large: AdmissionQueue
  private readonly deadlineMs: number
  private readonly clock: Clock
  private readonly report: BodyReport

  constructor({ bytes, bytesOfOne, deadlineMs }: BodyLimits, clock: Clock, report: BodyReport) {
    const small = bytes * SMALL_PART
    this.small = new AdmissionQueue({ running: small, runningPerLane: small / 4, ...WAITING })
    this.large = new AdmissionQueue({ running: bytes - small, runningPerLane: bytesOfOne, ...WAITING })
    this.deadlineMs = deadlineMs
    this.clock = clock
    this.report = report
  }

  /** Runs `work`, which reads the body and handles the request. Returns a problem if the body is not admitted. */
  async run<Answer>(body: BodyAdmissionBody, work: () => Promise<Answer>): Promise<Answer | Problem> {
    const queue = body.bytes <= SMALL_BYTES ? this.small : this.large
    const entered = new AbortController()
    const enter = async (): Promise<Answer> => {
      entered.abort()
      this.notifyWaiting()
      return work()
    }
    try {
      return await queue.run(body.owner, enter, {
        weight: body.bytes,
        giveUp: () => this.cancelSignal(body, entered.signal),
      })
    } catch (cause) {
      if (entered.signal.aborted) throw cause
      this.notifyWaiting()
      return this.refusal(cause)
    } finally {
      entered.abort()
    }
  }

  /** Reads the body of an admitted request. Throws `ClientGone`. */
  async read(request: Request, maxBytes: number): Promise<ReadBody> {
    const read = await readBody(request, { maxBytes, deadlineMs: this.deadlineMs, clock: this.clock })
    if (read.kind === 'late') this.report.refused('deadline')
    return read
  }

  /** Aborted when the client disconnects or has waited too long. */
  private cancelSignal({ gone }: BodyAdmissionBody, entered: AbortSignal): AbortSignal {
    this.notifyWaiting()
    const ended = new AbortController()
    const left = gone()
    const leave = (): void => ended.abort(new ClientGone('the client left before its body was read'))
    if (left.aborted) leave()
    else left.addEventListener('abort', leave)
    void this.clock.sleep(LONGEST_WAIT_MS, entered).then(() => {
      left.removeEventListener('abort', leave)
      ended.abort(new WaitedTooLong('the body waited too long for its turn'))
    })
    return ended.signal
  }

  private notifyWaiting(): void {
    this.report.waiting(this.small.waitingNow + this.large.waitingNow)
  }

  private refusal(cause: unknown): Problem {
    if (!(cause instanceof EngineUnavailable)) throw cause
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS }
    if (cause instanceof LaneFull) {
      this.report.refused('caller_queue_full')
      return problem(
        'rate_limited',
        `${WAITING.waitingPerLane} of your requests are waiting for their bodies to be read`,
        retry,
      )
    }
    this.report.refused(cause instanceof WaitedTooLong ? 'waited_too_long' : 'queue_full')
    return problem('unavailable', 'The service has too many large requests at the moment', retry)
  }
}

class WaitedTooLong extends EngineUnavailable {}
