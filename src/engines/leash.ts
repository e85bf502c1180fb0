import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, closeSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { projectPath } from '../project-path.ts'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** Where stdout and stderr go; `inherit` shares ours. */
  readonly log: { readonly file: string } | 'inherit'
  readonly cwd?: string
  /** Without it the program gets our own environment. */
  readonly environment?: NodeJS.ProcessEnv
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program that cannot outlive us: when our end of its pipe closes, even by SIGKILL, it is killed. */
export interface Leashed {
  readonly pid: number
  readonly ended: Promise<Ending>
  /** Null while it runs. */
  ending(): Ending | null
  /** Asks it to end, and makes it after `graceMs`. */
  stop(graceMs: number): Promise<Ending>
}

const oldLogBytes = 5_000_000

/**
 * Starts a program on a leash (`docker/embedded/leash.sh`). It gets a session of its own, so that Ctrl-C on the
 * terminal reaches only us and we can end things in order.
 */
export function leash(program: Program): Leashed {
  const output = program.log === 'inherit' ? 'inherit' : openLog(program.log.file)
  const child = spawn('sh', [projectPath('docker/embedded/leash.sh'), program.command, ...program.args], {
    stdio: ['ignore', output, output, 'pipe'],
    detached: true,
    cwd: program.cwd,
    env: program.environment,
  })
  if (typeof output === 'number') closeSync(output)
  const pipe = child.stdio[3]

  let ending: Ending | null = null
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      ending = { code, signal }
      if (pipe instanceof Writable) release(pipe)
      resolve(ending)
    })
  })
  ended.catch(() => undefined) // whoever waits for it hears of it; nobody waiting is no crash
  if (child.pid === undefined) throw new Error(`could not start ${program.command}`)
  const { pid } = child
  return { pid, ended, ending: () => ending, stop: async (graceMs) => await stop({ pid, ended, graceMs }) }
}

/** Tells the watcher that the program has ended by itself: its process id is not ours to kill any more. */
function release(pipe: Writable): void {
  pipe.on('error', () => pipe.destroy())
  pipe.end('ended\n')
}

async function stop({
  pid,
  ended,
  graceMs,
}: {
  pid: number
  ended: Promise<Ending>
  graceMs: number
}): Promise<Ending> {
  signal(pid, 'SIGTERM')
  const patience = new AbortController()
  const inTime = await Promise.race([ended, setTimeout(graceMs, null, { signal: patience.signal, ref: false })])
  patience.abort()
  if (inTime !== null) return inTime
  signal(pid, 'SIGKILL')
  return await ended
}

/** Signals a process; one that is gone already is no error. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ESRCH') return false
    throw cause
  }
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file) && statSync(file).size > oldLogBytes) renameSync(file, `${file}.old`)
  return openSync(file, 'a')
}
