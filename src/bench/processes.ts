import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One process as Linux accounts for it. */
export interface ProcessUse {
  readonly pid: number
  readonly parent: number
  readonly command: string
  /** User and system time so far, milliseconds. */
  readonly cpuMs: number
  /** Resident memory now, bytes. */
  readonly residentBytes: number
  /** Highest resident memory so far, bytes. */
  readonly peakBytes: number
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** Every process below one, the one itself included. */
export function processTree(root: number): readonly ProcessUse[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processUse(Number(name)) ?? []) : []))
  const below = (pid: number): readonly ProcessUse[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)])
  return [...all.filter(({ pid }) => pid === root), ...below(root)]
}

/** Null when it has ended meanwhile. */
function processUse(pid: number): ProcessUse | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      pid,
      parent: Number(fields[1]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentBytes: kilobytes(status, 'VmRSS') * 1024,
      peakBytes: kilobytes(status, 'VmHWM') * 1024,
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return null // it has ended between two reads
    throw cause
  }
}

const kilobytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)

/** From now on `peakBytes` of a process counts again (`man 5 proc`, clear_refs). */
export const forgetPeak = ({ pid }: ProcessUse): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** A short word for what a process of the service does. */
export function roleOf({ command }: ProcessUse): string {
  const roles = [
    ['encoder-process', 'encoder'],
    ['launcher.cjs', 'clickhouse'],
    ['kafka.Kafka', 'kafka'],
    ['apicurio', 'registry'],
    [' start all', 'service'],
    [' up ', 'supervisor'],
  ] as const
  return roles.find(([sign]) => `${command} `.includes(sign))?.[1] ?? 'other'
}

/** What the processes of each role used, from the state of a tree at two times. */
export function usesByRole(before: readonly ProcessUse[], after: readonly ProcessUse[]) {
  const earlier = new Map(before.map(({ pid, cpuMs }) => [pid, cpuMs]))
  return [...new Set(after.map(roleOf))].map((role) => {
    const uses = after.filter((use) => roleOf(use) === role)
    return {
      role,
      processes: uses.length,
      /** Since `before`, milliseconds. */
      cpuMs: sumOf(uses, 'cpuMs') - uses.reduce((sum, { pid }) => sum + (earlier.get(pid) ?? 0), 0),
      peakBytes: sumOf(uses, 'peakBytes'),
    }
  })
}

export const sumOf = (uses: readonly ProcessUse[], field: 'cpuMs' | 'residentBytes' | 'peakBytes'): number =>
  uses.reduce((sum, use) => sum + use[field], 0)

/** User and system time of a process and those below it so far, milliseconds. */
export const cpuMsOf = (pid: number): number => sumOf(processTree(pid), 'cpuMs')

/** User and system time of this process so far, milliseconds; finer than what `processTree` reads. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Memory of this process after everything that nobody needs has been collected. */
export function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** `man 5 proc`: established. */
const ESTABLISHED = '01'

/** Established TCP connections of a process that it opened itself or took, by Linux's account. */
export function connectionsOf(pid: number): number {
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  )
  const established = new Set(
    rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state]) => state === ESTABLISHED)
      .map((row) => row[9]),
  )
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1]
    return inode !== undefined && established.has(inode)
  }).length
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return '' // it was closed between two reads
    throw cause
  }
}
