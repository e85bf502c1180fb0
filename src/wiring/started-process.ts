import type { GraphBuilds } from '../api/http/dependencies.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { RuntimePorts } from '../runtime/running.ts'
import type { Wiring } from '../ports/wiring.ts'
import { insist } from '../runtime/retry.ts'

/** A process that takes roles: what it works with, and where each role says what it opened. */
export interface StartedProcess {
  readonly wiring: Wiring
  readonly running: RuntimePorts
  readonly lifecycle: Lifecycle
  /** What the API builds and what the scheduler does are shared. */
  readonly graph: GraphBuilds
}

interface EndlessWork {
  readonly step: string
  readonly work: () => Promise<void>
  readonly signal: AbortSignal
}

/** Work that ends only with the signal: what fails is logged and begun again, after a while that grows. */
export async function forEver({ step, work, signal }: EndlessWork, running: RuntimePorts): Promise<void> {
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

type TogetherWork = (signal: AbortSignal) => Promise<void>

/** Works that live and end together: when one fails the others are stopped, and its failure is thrown once they have. */
export async function together(signal: AbortSignal, works: readonly TogetherWork[]): Promise<void> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const ended = await Promise.allSettled(works.map((work) => work(stop.signal).finally(abort)))
  signal.removeEventListener('abort', abort)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
