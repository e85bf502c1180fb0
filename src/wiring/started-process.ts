import type { GraphBuilds } from '../api/http/dependencies.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { RuntimePorts } from '../runtime/running.ts'
import type { Wiring } from '../ports/wiring.ts'
import { insist } from '../runtime/retry.ts'

/** A process with roles: its dependencies, and the lifecycle where each role registers what it has opened. */
export interface StartedProcess {
  readonly wiring: Wiring
  readonly running: RuntimePorts
  readonly lifecycle: Lifecycle
  /** Shared by the API and the scheduler. */
  readonly graph: GraphBuilds
}

interface EndlessWork {
  readonly step: string
  readonly work: () => Promise<void>
  readonly signal: AbortSignal
}

/** Repeats failed work with increasing back-off until the signal aborts; logs each failure. */
export async function runForever({ step, work, signal }: EndlessWork, running: RuntimePorts): Promise<void> {
  const { clock, limits, logger } = running
  const onFailure = ({ cause, waitMs }: { readonly cause: unknown; readonly waitMs: number }): void =>
    logger.warn({ err: cause, waitMs }, `${step} failed`)
  const stillOurs = () => Promise.resolve(true)
  try {
    await insist(step, work, { clock, limits, signal, stillOurs, onFailure })
  } catch (cause) {
    if (!signal.aborted) running.onCrash(cause instanceof Error ? cause : new Error(String(cause)))
  }
}

type AbortableWork = (signal: AbortSignal) => Promise<void>

/**
 * Runs several tasks concurrently: when one ends or fails, the others are stopped. Once all have ended, throws the first
 * failure.
 */
export async function runUntilOneEnds(signal: AbortSignal, works: readonly AbortableWork[]): Promise<void> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const ended = await Promise.allSettled(works.map((work) => work(stop.signal).finally(abort)))
  signal.removeEventListener('abort', abort)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
