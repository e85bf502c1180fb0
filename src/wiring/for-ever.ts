import { insist } from '../runtime/retry.ts'
import type { RuntimePorts } from '../runtime/running.ts'

export interface Endless {
  readonly step: string
  readonly work: () => Promise<void>
  readonly signal: AbortSignal
}

/** Work that ends only with the signal: what fails is logged and begun again, after a while that grows. */
export async function forEver({ step, work, signal }: Endless, running: RuntimePorts): Promise<void> {
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
