import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { sendSignal } from '../../src/engines/leash.ts'
import { projectPath } from '../../src/config/project-path.ts'

/** A stage or view got so far: what a process says once its commit is through. */
export interface SeatProgress {
  readonly group: string
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Roles that live and die together; of each kind several processes run, so that every group has several members. */
export const KINDS = {
  reading: ['scored', 'analyzed'],
  deciding: ['clustered', 'enriched', 'linked', 'transitioned', 'detected', 'matched', 'changed', 'delivered'],
  showing: ['views'],
} as const
export type ProcessKind = keyof typeof KINDS

const AGAIN_AFTER_MS = 200
const MAIN = projectPath('dist/main.js')
/** With it nothing outlives us. */
const LEASH = projectPath('docker/embedded/leash.sh')

/** One place for a process of the built service: what is killed is started again, as a supervisor would. */
export class Seat {
  readonly kind: string
  private readonly roles: readonly string[]
  private readonly environment: NodeJS.ProcessEnv
  private readonly log: string
  private readonly onProgress: (progress: SeatProgress) => void
  private child: ChildProcess | null = null
  private startedAt: number | null = null
  private ending = false
  /** Ends that nobody asked for. */
  readonly crashes: string[] = []
  private killed = false
  private lastWords = ''

  constructor(kind: string, roles: readonly string[], given: SeatOptions) {
    this.kind = kind
    this.roles = roles
    this.environment = given.environment
    this.log = join(given.home, 'logs', `${kind}.log`)
    this.onProgress = given.onProgress
  }

  get pid(): number {
    return this.child?.pid ?? -1
  }

  /** How long it has been a member of its groups, milliseconds; 0 while it starts. */
  get upMs(): number {
    return this.startedAt === null ? 0 : performance.now() - this.startedAt
  }

  async start(): Promise<void> {
    const environment = { ...this.environment, METRICS_PORT: String(await anyFreePort()) }
    const child = spawn('sh', [LEASH, process.execPath, MAIN, 'start', ...this.roles], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.child = child
    this.startedAt = null
    this.killed = false
    if (child.stderr === null) throw new Error('a process without stderr')
    createInterface({ input: child.stderr }).on('line', (line) => this.hear(line, child))
    child.once('exit', (code, signal) => void this.ended(child, `${code ?? signal ?? 'gone'}`))
  }

  kill(): void {
    this.killed = true
    this.child?.kill('SIGKILL')
  }

  /** Stops it in the middle of whatever it does; it wakes as one who does not know that time has passed. */
  async freeze(forMs: number): Promise<void> {
    const { child } = this
    child?.kill('SIGSTOP')
    await sleep(forMs)
    child?.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    this.ending = true
    const { child } = this
    if (child?.exitCode !== null || child.signalCode !== null) return
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exit
  }

  private async ended(child: ChildProcess, how: string): Promise<void> {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL') // its watcher, and children it has left behind
    if (this.ending || this.child !== child) return
    if (!this.killed) this.crashes.push(`${this.kind} ${how}: ${this.lastWords}`)
    this.startedAt = null
    await sleep(AGAIN_AFTER_MS)
    if (!this.isEnding()) await this.start()
  }

  private isEnding(): boolean {
    return this.ending
  }

  private hear(line: string, child: ChildProcess): void {
    if (line.includes('"part done"')) {
      const { stage, time } = JSON.parse(line) as { stage: string; time: number }
      this.onProgress({ group: stage, pid: child.pid ?? -1, at: time })
      return
    }
    this.lastWords = line.slice(0, 500)
    appendFileSync(this.log, `${line}\n`)
    if (line.includes('"started"')) this.startedAt = performance.now()
  }
}

export interface SeatOptions {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  readonly onProgress: (progress: SeatProgress) => void
}

/** Several processes of each kind, all of them up. */
export async function startSeats(given: SeatOptions, ofEach: number): Promise<readonly Seat[]> {
  const seats = Object.entries(KINDS).flatMap(([kind, roles]) =>
    Array.from({ length: ofEach }, (_, i) => new Seat(`${kind}-${i + 1}`, roles, given)),
  )
  await Promise.all(seats.map((seat) => seat.start()))
  await allUp(seats)
  return seats
}

export const stopAll = async (seats: readonly Seat[]): Promise<void> => {
  await Promise.all(seats.map((seat) => seat.stop()))
}

export async function allUp(seats: readonly Seat[]): Promise<void> {
  while (seats.some(({ upMs }) => upMs === 0)) await sleep(50)
}
