import { untilReady } from '../../src/engines/engine.ts'
import type { Leashed } from '../../src/engines/leash.ts'

interface Starting {
  readonly name: string
  readonly process: Leashed
  readonly log: string
  /** Ends a start that is not finished; what runs by then is ended in order, by its supervisor. */
  readonly signal: AbortSignal
}

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 300_000
const GRACE_MS = 5_000

/** Waits until a server is ready. It is ended if the signal aborts before. */
export async function readyUnlessAborted(
  { signal, ...starting }: Starting,
  isReady: () => Promise<boolean>,
): Promise<Leashed> {
  const onAbort = () => void starting.process.stop(GRACE_MS)
  signal.addEventListener('abort', onAbort)
  try {
    if (signal.aborted) onAbort()
    return await untilReady({ ...starting, timeoutMs: TIMEOUT_MS }, isReady)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
