import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'

export interface LifecycleOptions {
  readonly logger: Pick<Logger, 'info' | 'error' | 'fatal'>
  readonly clock: Clock
  /** Longest orderly shutdown, milliseconds. */
  readonly graceMs: number
  readonly exit: (code: number) => void
}

export interface Lifecycle {
  /** Registers what was opened; closed in reverse order, so that consumers stop before what they write to. */
  opened(name: string, close: () => Promise<void>): void
  /** Begins an orderly shutdown; the second signal exits at once with 1. */
  onSignal(signal: string): void
  /** Something indispensable has ended: closes in order and exits with 1. */
  onCrash(cause: Error): void
}

/** Orderly shutdown: finishes the work in progress, closes, exits; never hangs. */
export function createLifecycle({ logger, clock, graceMs, exit }: LifecycleOptions): Lifecycle {
  const open: { readonly name: string; readonly close: () => Promise<void> }[] = []
  let ending = false

  const closeAll = async () => {
    for (const { name, close } of open.reverse()) {
      await close().catch((cause: unknown) => logger.error({ part: name, err: cause }, 'closing failed'))
    }
  }
  const end = (code: number) => {
    if (ending) return
    ending = true
    const late = clock.sleep(graceMs).then(() => 'late' as const)
    Promise.race([closeAll(), late]).then(
      (how) => {
        if (how === 'late') logger.error({ graceMs }, 'closing took too long')
        exit(how === 'late' ? 1 : code)
      },
      () => exit(1),
    )
  }
  return {
    opened: (name, close) => void open.push({ name, close }),
    onSignal: (signal) => {
      logger.info({ signal }, ending ? 'stopping at once' : 'stopping')
      if (ending) exit(1)
      else end(0)
    },
    onCrash: (cause) => {
      logger.fatal({ err: cause }, 'cannot go on')
      end(1)
    },
  }
}
