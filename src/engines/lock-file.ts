import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { sendSignal } from './leash.ts'

const Owner = z.object({ pid: z.number().int(), born: z.string() })
export type Owner = z.infer<typeof Owner>

export interface LockFile {
  release(): void
}

/** Held by the `story up` whose engine listens on a port, so that `story doctor` can distinguish installations. */
export const portLock = (cache: string, port: number): string => join(cache, 'ports', `${port}.lock`)

/** Takes the lock, or returns its owner. A lock whose owner has died is free. */
export function takeLock(file: string): LockFile | Owner {
  mkdirSync(dirname(file), { recursive: true })
  const mine: Owner = { pid: process.pid, born: birth(process.pid) }
  for (;;) {
    if (tryWrite(file, mine)) return { release: () => rmSync(file, { force: true }) }
    const owner = readOwner(file)
    if (owner !== null && isAlive(owner)) return owner
    removeStale(file, owner)
  }
}

/** Waits until the lock is free and takes it. Reports its owner once. */
export async function waitForLock(file: string, onTaken: (owner: Owner) => void): Promise<LockFile> {
  for (let attempt = 0; ; attempt++) {
    const lock = takeLock(file)
    if (!isTaken(lock)) return lock
    if (attempt === 0) onTaken(lock)
    await setTimeout(200)
  }
}

/** The owner of the lock; `null` if it is free. */
export function ownerOf(file: string): Owner | null {
  const owner = readOwner(file)
  return owner !== null && isAlive(owner) ? owner : null
}

export const isTaken = (lock: LockFile | Owner): lock is Owner => 'pid' in lock

function tryWrite(file: string, owner: Owner): boolean {
  try {
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
    return true
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) return false
    throw cause
  }
}

function readOwner(file: string): Owner | null {
  try {
    return Owner.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    if (hasCode(cause, 'ENOENT') || cause instanceof SyntaxError || cause instanceof z.ZodError) return null
    throw cause
  }
}

/**
 * Removes by renaming: if two processes find the same stale lock, only one gets it. A new lock that was renamed by
 * mistake is put back.
 */
function removeStale(file: string, stale: Owner | null): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return
    throw cause
  }
  const found = readOwner(aside)
  if (found !== null && found.pid !== stale?.pid && isAlive(found)) renameSync(aside, file)
  else rmSync(aside, { force: true })
}

/** The process id alone is not enough: after a reboot another process may have it. */
const isAlive = ({ pid, born }: Owner): boolean => sendSignal(pid, 0) && birth(pid) === born

/** Start time of a process in the system's own format; empty if it is not available. */
function birth(pid: number): string {
  try {
    if (process.platform === 'linux') return startTicks(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/** Field 22 of /proc/PID/stat. The name in field 2 may contain spaces and parentheses. */
const startTicks = (stat: string): string => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''

const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code
