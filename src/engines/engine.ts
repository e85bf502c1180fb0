import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Leashed } from './leash.ts'

/** A server that this process runs. `start` resolves when it responds, and throws if it ends before that. */
export interface Engine {
  readonly name: string
  readonly start: () => Promise<Leashed>
  /** Maximum duration of an orderly shutdown. */
  readonly graceMs: number
  /** Why the engine ended itself to be restarted; `null` if it did not. */
  readonly restartReason?: () => string | null
}

const pollMs = 40

/** Polls `isReady`. Throws, with the last lines of its log, if the engine ends meanwhile or takes too long. */
export async function untilReady(
  engine: { readonly name: string; readonly process: Leashed; readonly log: string; readonly timeoutMs: number },
  isReady: () => Promise<boolean>,
): Promise<Leashed> {
  const started = performance.now()
  for (;;) {
    const ready = await isReady().catch(() => false) // a server that is still starting refuses connections
    // after the response, because another process may have responded on a taken port
    if (engine.process.ending() !== null)
      throw new Error(`${engine.name} ended before it was ready: ${lastLines(engine.log)}`)
    if (ready) return engine.process
    if (performance.now() - started > engine.timeoutMs) {
      await engine.process.stop(1_000)
      throw new Error(`${engine.name} was not ready after ${engine.timeoutMs / 1000} s: ${lastLines(engine.log)}`)
    }
    await setTimeout(pollMs)
  }
}

/** Options for a small server that starts quickly. */
export const jvmOptions = ({ heapMb, metaspaceMb }: { heapMb: number; metaspaceMb: number }): readonly string[] => [
  `-Xmx${heapMb}m`,
  '-Xss512k',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  `-XX:MaxMetaspaceSize=${metaspaceMb}m`,
  '-XX:+ExitOnOutOfMemoryError',
]

function lastLines(log: string): string {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  return `${lines.slice(-3).join(' | ').slice(-600)} (all of it in ${log})`
}

/** Replaces each `@NAME@` in a template by its value. */
export const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replaceAll(/@([A-Z]+)@/g, (placeholder, name: string) => String(values[name] ?? placeholder))
