import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A process, as Linux reports it. */
export interface ProcessUse {
  readonly pid: number
  readonly parent: number
  readonly command: string
  /** User and system time so far, in milliseconds. */
  readonly cpuMs: number
  /** Current resident memory, in bytes. */
  readonly residentBytes: number
  /** Peak resident memory, in bytes. */
  readonly peakBytes: number
}

/** USER_HZ is 100 on every Linux that Node.js supports. */
const TICK_MS = 10

/** A process and all its descendants. */
export function processTree(root: number): readonly ProcessUse[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processUse(Number(name)) ?? []) : []))
  const below = (pid: number): readonly ProcessUse[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)])
  return [...all.filter(({ pid }) => pid === root), ...below(root)]
}

/** `null` if the process has ended. */
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
    if (cause instanceof Error && 'code' in cause) return null // the process ended between two reads
    throw cause
  }
}

const kilobytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)

/** Resets `peakBytes` of a process (`man 5 proc`, clear_refs). */
export const resetPeak = ({ pid }: ProcessUse): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** The role of a process of the service. */
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

/** The resources that the processes of each role used between two snapshots of a process tree. */
export function usesByRole(before: readonly ProcessUse[], after: readonly ProcessUse[]) {
  const earlier = new Map(before.map(({ pid, cpuMs }) => [pid, cpuMs]))
  return [...new Set(after.map(roleOf))].map((role) => {
    const uses = after.filter((use) => roleOf(use) === role)
    return {
      role,
      processes: uses.length,
      /** Since `before`, in milliseconds. */
      cpuMs: sumOf(uses, 'cpuMs') - uses.reduce((sum, { pid }) => sum + (earlier.get(pid) ?? 0), 0),
      peakBytes: sumOf(uses, 'peakBytes'),
    }
  })
}

export const sumOf = (uses: readonly ProcessUse[], field: 'cpuMs' | 'residentBytes' | 'peakBytes'): number =>
  uses.reduce((sum, use) => sum + use[field], 0)

/** User and system time of a process and its descendants so far, in milliseconds. */
export const cpuMsOf = (pid: number): number => sumOf(processTree(pid), 'cpuMs')

/** User and system time of this process so far, in milliseconds. Has a higher resolution than `processTree`. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Memory of this process after a garbage collection, in bytes. */
export function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The state of an established connection (`man 5 proc`). */
const ESTABLISHED = '01'

/** The number of established TCP connections of a process, in both directions, as Linux reports it. */
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
    if (cause instanceof Error && 'code' in cause) return '' // the file descriptor was closed between two reads
    throw cause
  }
}
