import { setTimeout } from 'node:timers/promises'
import type { Engine } from './engine.ts'
import type { ExitResult, Leashed } from './leash.ts'
import type { OnProgress } from './fetch.ts'

/** An engine that is started again, with its data, whenever it ends without having been asked to. */
export interface Supervised {
  /** Of the process that runs now (or ran last). */
  pid(): number
  stop(): Promise<void>
}

const firstPauseMs = 200
const longestPauseMs = 15_000
/** One that has run for this long starts again with a short pause. */
const healthyMs = 30_000

/** Pause before the n-th restart in a row (from 1): doubling, up to a quarter shorter by chance. */
export const restartPauseMs = (restart: number, chance: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** (restart - 1)) * (1 - chance / 4)

/** Starts an engine and keeps it up. Throws when the very first start fails: the caller reports that. */
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
    await current.stop(engine.graceMs) // one that was being started meanwhile
  }
  return { pid: () => current.pid, stop }
}

interface Again {
  readonly engine: Engine
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
  readonly restarts: number
}

/** For ever, with growing pauses: a full disk or a port taken meanwhile may pass. Null when it is to stop. */
async function startAgain({ engine, onProgress, signal, restarts }: Again): Promise<Leashed | null> {
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
      onProgress(cause instanceof Error ? cause.message : String(cause))
    }
  }
}

const describe = ({ code, signal }: ExitResult): string => signal ?? `exit code ${code ?? 'unknown'}`
