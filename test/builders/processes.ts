import { execFileSync } from 'node:child_process'

/** How many processes of a group live; one that has ended and waits to be looked at by its parent does not. */
export function livingInGroup(group: number): number {
  const rows = execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' }).split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([pgid, stat]) => pgid === `${group}` && !stat?.startsWith('Z')).length
}
