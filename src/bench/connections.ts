import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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
