import { setTimeout } from 'node:timers/promises'
import { messageOf } from '../domain/message-of.ts'
import type { Engine } from './engine.ts'
import type { ExitResult, Leashed } from './leash.ts'
import type { OnProgress } from './fetch.ts'

/** An engine that is restarted, with its data, whenever it ends unexpectedly. */
export interface Supervised {
  /** Process id of the current (or last) process. */
  pid(): number
  stop(): Promise<void>
}

const firstPauseMs = 200
const longestPauseMs = 15_000
/** After this uptime, the back-off is reset. */
const healthyMs = 30_000

/** Back-off before the n-th consecutive restart (from 1): doubles each time, minus up to a quarter as jitter. */
export const restartPauseMs = (restart: number, chance: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** (restart - 1)) * (1 - chance / 4)

/** Starts an engine and restarts it whenever it ends. Throws if the first start fails. */
export async function supervise(engine: Engine, onProgress: OnProgress): Promise<Supervised> {
  const stopping = new AbortController()
  const isStopping = () => stopping.signal.aborted
  let current = await engine.start()

  const watch = async () => {
    let restarts = 0
    while (!isStopping()) {
      const started = performance.now()
      const ending = await current.ended
      if (isStopping()) return
      restarts = performance.now() - started > healthyMs ? 1 : restarts + 1
      const planned = engine.restartReason?.() ?? null
      onProgress(planned ?? `${engine.name} ended (${describe(ending)}); starting it again`)
      current = (await startAgain({ engine, onProgress, signal: stopping.signal, restarts })) ?? current
    }
  }
  const watching = watch()

  const stop = async () => {
    stopping.abort()
    await current.stop(engine.graceMs)
    await watching
    await current.stop(engine.graceMs) // the process may have been restarted meanwhile
  }
  return { pid: () => current.pid, stop }
}

interface RestartOptions {
  readonly engine: Engine
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
  readonly restarts: number
}

/**
 * Retries without limit, with growing back-off: a full disk or a taken port may be temporary. `null` if the signal
 * aborts.
 */
async function startAgain({ engine, onProgress, signal, restarts }: RestartOptions): Promise<Leashed | null> {
  for (let attempt = restarts; ; attempt++) {
    const pause = setTimeout(restartPauseMs(attempt, Math.random()), true, { signal })
    if (!(await pause.catch(() => false))) return null
    const started = performance.now()
    try {
      const process = await engine.start()
      onProgress(
        `${engine.name} is back after ${((performance.now() - started) / 1000).toFixed(1)} s (pid ${process.pid})`,
      )
      return process
    } catch (cause) {
      onProgress(messageOf(cause))
    }
  }
}

const describe = ({ code, signal }: ExitResult): string => signal ?? `exit code ${code ?? 'unknown'}`
