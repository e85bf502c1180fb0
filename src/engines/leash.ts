import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, closeSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { projectPath } from '../config/project-path.ts'

export interface LeashProgram {
  readonly command: string
  readonly args: readonly string[]
  /** Destination of stdout and stderr: a file, or our own stderr. */
  readonly log: { readonly file: string } | 'stderr'
  readonly cwd?: string
  /** Default: our own environment. */
  readonly environment?: NodeJS.ProcessEnv
}

export interface ExitResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * A child process that cannot outlive this one. If this process ends, even by SIGKILL, its pipe closes, and the child
 * and its own children are killed.
 */
export interface Leashed {
  readonly pid: number
  readonly ended: Promise<ExitResult>
  /** `null` while it runs. */
  ending(): ExitResult | null
  /** Sends SIGTERM, then SIGKILL after `graceMs`. */
  stop(graceMs: number): Promise<ExitResult>
}

const oldLogBytes = 5_000_000

/**
 * Starts a program under the orphan guard (`docker/embedded/leash.sh`), in its own session. Ctrl-C therefore reaches
 * only this process, which then shuts down in order.
 */
export function leash(program: LeashProgram): Leashed {
  const output = program.log === 'stderr' ? process.stderr.fd : openLog(program.log.file)
  const child = spawn('sh', [projectPath('docker/embedded/leash.sh'), program.command, ...program.args], {
    stdio: ['ignore', output, output, 'pipe'],
    detached: true,
    cwd: program.cwd,
    env: program.environment,
  })
  if (program.log !== 'stderr') closeSync(output)

  let ending: ExitResult | null = null
  const ended = new Promise<ExitResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      ending = { code, signal }
      if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL') // the orphan guard and remaining children
      resolve(ending)
    })
  })
  ended.catch(() => undefined) // callers that await `ended` get the error; others must not crash
  if (child.pid === undefined) throw new Error(`could not start ${program.command}`)
  const { pid } = child
  return { pid, ended, ending: () => ending, stop: (graceMs) => stop({ pid, ended }, graceMs) }
}

async function stop({ pid, ended }: Pick<Leashed, 'pid' | 'ended'>, graceMs: number): Promise<ExitResult> {
  sendSignal(pid, 'SIGTERM')
  const timeout = new AbortController()
  const inTime = await Promise.race([ended, setTimeout(graceMs, null, { signal: timeout.signal, ref: false })])
  timeout.abort()
  if (inTime !== null) return inTime
  sendSignal(pid, 'SIGKILL')
  return ended
}

/** Sends a signal to a process, or to a process group by its negative id. Returns false if it no longer exists. */
export function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ESRCH' || (code === 'EPERM' && pid < 0)) return false // macOS: EPERM for a group that has ended
    throw cause
  }
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file) && statSync(file).size > oldLogBytes) renameSync(file, `${file}.old`)
  return openSync(file, 'a')
}
