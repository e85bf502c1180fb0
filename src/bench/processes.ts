import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

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
